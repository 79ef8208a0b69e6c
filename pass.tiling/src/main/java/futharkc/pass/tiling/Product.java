package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A tiled loop. Each of its steps reads elements of the result's row, and of its column if a tile
 * has several rows.
 *
 * @param index the index of the loop
 * @param steps the trip count, the same for all threads of a thread block
 * @param staged the elements copied to shared memory
 * @param body the body of a step, which uses the values of the staged elements
 */
record Product(Name index, Poly steps, List<Staged> staged, List<Code> body) {
  /** Returns the names that a step reads, and the names in the indices of its staged elements. */
  Set<Name> reads() {
    Set<Name> all = Variables.readBy(body);
    all.addAll(steps.names());
    for (Staged s : staged) {
      all.addAll(s.index().names());
    }
    return all;
  }

  /** A search for the loops of a kernel that are products. */
  static final class Search {
    private final Tiling tiling;
    private final Map<Name, Poly> known;
    private final Variance variance;
    private final Set<Name> inside;
    private final NameSource names;
    private final Predicate<Product> isWorthIt;

    /**
     * Creates a search in a kernel.
     *
     * @param tiling the tiling of the index space
     * @param known the polynomials of variables, over the indices and over unknown values
     * @param variance the variance of the kernel's values
     * @param inside the names that the kernel declares
     * @param names the source of fresh names
     * @param isWorthIt a test for profitable products
     */
    Search(
        Tiling tiling,
        Map<Name, Poly> known,
        Variance variance,
        Set<Name> inside,
        NameSource names,
        Predicate<Product> isWorthIt) {
      this.tiling = tiling;
      this.known = known;
      this.variance = variance;
      this.inside = inside;
      this.names = names;
      this.isWorthIt = isWorthIt;
    }

    /** Tests whether code has no effects, so that threads without a result may execute it. */
    boolean computes(List<Code> code) {
      return tiling.isOneRow() ? CodeCopies.computes(code, false) : CodeCopies.isPure(code);
    }

    /** Tests whether all threads of a thread block execute the same iterations of a loop. */
    boolean isAlike(Code.For f) {
      return variance.of(f.from()).isEmpty() && variance.of(f.to()).isEmpty();
    }

    /** Returns the loop as a product, or null. */
    @Nullable Product of(Code.For f) {
      Poly from = f.from().poly();
      Poly to = f.to().poly();
      if (from == null || !from.isZero() || to == null || !computes(f.body())) {
        return null;
      }
      Poly steps = resolved(to);
      Set<Name> changing = CodeCopies.declared(f.body());
      changing.addAll(Variables.assignedBy(f.body()));
      changing.add(f.index());
      if (!isFixed(steps, changing)) {
        return null;
      }
      List<Code> body = Iteration.flat(f.body());
      List<Staged> staged = new ArrayList<>();
      for (Code c : body) {
        if (c instanceof Code.Compound) {
          continue;
        }
        new CodeMapper() {
          @Override
          public Expr expr(Expr e) {
            if (e instanceof Expr.Load l) {
              stage(l, f.index(), changing, staged);
            }
            return super.expr(e);
          }
        }.statement(c);
      }
      Product found = new Product(f.index(), steps, staged, reading(staged, body));
      return isShared(found) && isWorthIt.test(found) ? found : null;
    }

    /**
     * Tests whether each side has staged elements that the threads along the other side share. In a
     * tile of one row, a thread has one result only, so its steps must not read other memory.
     */
    private boolean isShared(Product p) {
      Set<Side> sides = EnumSet.noneOf(Side.class);
      for (Staged s : p.staged) {
        sides.add(s.side());
      }
      if (!tiling.isOneRow()) {
        return sides.size() == 2;
      }
      return sides.contains(Side.ROW) && !CodeSearch.anyExpr(p.body, e -> e instanceof Expr.Load);
    }

    /**
     * Stages the element of a load if possible. No iteration of the kernel's loop writes the
     * element before, since other iterations read it and iterations are independent.
     */
    private void stage(Expr.Load l, Name step, Set<Name> changing, List<Staged> staged) {
      if (inside.contains(l.block())) {
        return;
      }
      Poly index = resolved(l.index());
      Poly.Division byStep = index.divide(step);
      if (byStep.quotient().isZero() || !isFixed(byStep.quotient(), changing)) {
        return;
      }
      for (Side side : Side.values()) {
        Poly.Division bySide = byStep.remainder().divide(tiling.sides().get(side).index());
        if (!isOf(side, bySide.quotient())
            || !isFixed(bySide.quotient(), changing)
            || !isFixed(bySide.remainder(), changing)
            || staged.stream().anyMatch(s -> s.isAt(l.block(), l.type(), index))) {
          continue;
        }
        boolean neighbours = bySide.quotient().equals(Poly.ONE);
        Name value = names.fresh("staged");
        variance.add(value, side);
        staged.add(new Staged(side, l.block(), l.type(), index, neighbours, value));
      }
    }

    /**
     * Tests whether elements belong to a side, given the distance in memory between elements of
     * neighbouring rows or columns.
     */
    private boolean isOf(Side side, Poly distance) {
      return tiling.isOneRow() ? side == Side.ROW : !distance.isZero();
    }

    /** Tests whether a value is the same in all steps and for all threads of a thread block. */
    private boolean isFixed(Poly p, Set<Name> changing) {
      return !p.mentions(changing) && variance.of(p.names()).isEmpty();
    }

    private Poly resolved(Poly p) {
      return p.substitute(n -> known.getOrDefault(n, Poly.of(n)));
    }

    private List<Code> reading(List<Staged> staged, List<Code> body) {
      return new CodeMapper() {
        @Override
        public Expr expr(Expr e) {
          if (e instanceof Expr.Load l) {
            Poly index = resolved(l.index());
            for (Staged s : staged) {
              if (s.isAt(l.block(), l.type(), index)) {
                return new Expr.Var(s.value(), s.type());
              }
            }
          }
          return super.expr(e);
        }
      }.statements(body);
    }
  }
}
