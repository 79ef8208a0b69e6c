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
 * A loop that is tiled: each of its steps reads elements of the result's row, and of its column if
 * there are several rows.
 *
 * @param steps how many there are, the same for all threads of a block
 * @param body of a step, which uses the staged elements' values
 */
record Product(Name index, Poly steps, List<Staged> staged, List<Code> body) {
  /** The names that a step reads, and that what is fetched for it depends on. */
  Set<Name> reads() {
    Set<Name> all = Variables.readBy(body);
    all.addAll(steps.names());
    for (Staged s : staged) all.addAll(s.index().names());
    return all;
  }

  /** Finds out which loops of a kernel are products. */
  static final class Search {
    private final Tiling tiling;
    private final Map<Name, Poly> known;
    private final Variance variance;
    private final Set<Name> inside;
    private final NameSource names;
    private final Predicate<Product> isWorthIt;

    /**
     * In a kernel.
     *
     * @param known polynomials for variables, down to the indices and what is not known
     * @param inside what the kernel declares
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

    /** Whether code only computes, so that threads without a result may do so, too. */
    boolean computes(List<Code> code) {
      return tiling.isOneRow() ? CodeCopies.computes(code, false) : CodeCopies.isPure(code);
    }

    /** Whether all threads of a block go through the same iterations of a loop. */
    boolean isAlike(Code.For f) {
      return variance.of(f.from()).isEmpty() && variance.of(f.to()).isEmpty();
    }

    /** The loop as a product, or null. */
    @Nullable Product of(Code.For f) {
      Poly from = f.from().poly();
      Poly to = f.to().poly();
      if (from == null || !from.isZero() || to == null || !computes(f.body())) return null;
      Poly steps = resolved(to);
      Set<Name> changing = CodeCopies.declared(f.body());
      changing.addAll(Variables.assignedBy(f.body()));
      changing.add(f.index());
      if (!isFixed(steps, changing)) return null;
      List<Code> body = Iteration.flat(f.body());
      List<Staged> staged = new ArrayList<>();
      for (Code c : body) {
        if (c instanceof Code.Compound) continue;
        new CodeMapper() {
          @Override
          public Expr expr(Expr e) {
            if (e instanceof Expr.Load l) stage(l, f.index(), changing, staged);
            return super.expr(e);
          }
        }.statement(c);
      }
      Product found = new Product(f.index(), steps, staged, reading(staged, body));
      return isShared(found) && isWorthIt.test(found) ? found : null;
    }

    /**
     * Whether each side has elements that the threads along the other one share. A thread has but
     * one result of a tile of one row: its steps read nothing else, so that they wait for no
     * memory.
     */
    private boolean isShared(Product p) {
      Set<Side> sides = EnumSet.noneOf(Side.class);
      for (Staged s : p.staged) sides.add(s.side());
      if (!tiling.isOneRow()) return sides.size() == 2;
      return sides.contains(Side.ROW) && !CodeSearch.anyExpr(p.body, e -> e instanceof Expr.Load);
    }

    /**
     * Stages what a load reads, if that can be. No iteration of the kernel's loop writes it before:
     * the others, which read it, too, would depend on that.
     */
    private void stage(Expr.Load l, Name step, Set<Name> changing, List<Staged> staged) {
      if (inside.contains(l.block())) return;
      Poly index = resolved(l.index());
      Poly.Division byStep = index.divide(step);
      if (byStep.quotient().isZero() || !isFixed(byStep.quotient(), changing)) return;
      for (Side side : Side.values()) {
        Poly.Division bySide = byStep.remainder().divide(tiling.sides().get(side).index());
        if (!isOf(side, bySide.quotient())
            || !isFixed(bySide.quotient(), changing)
            || !isFixed(bySide.remainder(), changing)
            || staged.stream().anyMatch(s -> s.isAt(l.block(), l.type(), index))) continue;
        boolean neighbours = bySide.quotient().equals(Poly.ONE);
        Name value = names.fresh("staged");
        variance.add(value, side);
        staged.add(new Staged(side, l.block(), l.type(), index, neighbours, value));
      }
    }

    /** Whether elements are a side's that are so far from those of the next row, or column. */
    private boolean isOf(Side side, Poly distance) {
      return tiling.isOneRow() ? side == Side.ROW : !distance.isZero();
    }

    /** Whether something is the same in all steps, and for all threads of a block. */
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
              if (s.isAt(l.block(), l.type(), index)) return new Expr.Var(s.value(), s.type());
            }
          }
          return super.expr(e);
        }
      }.statements(body);
    }
  }
}
