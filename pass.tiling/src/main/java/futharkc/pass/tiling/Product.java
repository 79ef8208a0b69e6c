package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A loop that is tiled: each of its steps reads elements of the result's row, and of its column.
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
    private final Sides<Name> indices;
    private final Map<Name, Poly> known;
    private final Variance variance;
    private final Set<Name> inside;
    private final Set<Name> written;
    private final BlockAliases aliases;
    private final NameSource names;

    /**
     * In a kernel.
     *
     * @param indices of the sides
     * @param known polynomials for variables, down to the indices and what is not known
     * @param inside what the kernel declares
     * @param written blocks that it writes to
     */
    Search(
        Sides<Name> indices,
        Map<Name, Poly> known,
        Variance variance,
        Set<Name> inside,
        Set<Name> written,
        BlockAliases aliases,
        NameSource names) {
      this.indices = indices;
      this.known = known;
      this.variance = variance;
      this.inside = inside;
      this.written = written;
      this.aliases = aliases;
      this.names = names;
    }

    /** The loop as a product, or null. */
    @Nullable Product of(Code.For f) {
      Poly from = f.from().poly();
      Poly to = f.to().poly();
      if (from == null || !from.isZero() || to == null || !CodeCopies.isPure(f.body())) return null;
      Poly steps = resolved(to);
      Set<Name> changing = CodeCopies.declared(f.body());
      changing.addAll(Variables.assignedBy(f.body()));
      changing.add(f.index());
      if (!isFixed(steps, changing)) return null;
      List<Code> body = Iteration.flat(f.body());
      List<Staged> staged = new ArrayList<>();
      for (Code c : body) {
        if (c instanceof Code.If) continue;
        new CodeMapper() {
          @Override
          public Expr expr(Expr e) {
            if (e instanceof Expr.Load l) stage(l, f.index(), changing, staged);
            return super.expr(e);
          }
        }.statement(c);
      }
      Set<Side> sides = EnumSet.noneOf(Side.class);
      for (Staged s : staged) sides.add(s.side());
      if (sides.size() < Side.values().length) return null;
      return new Product(f.index(), steps, staged, reading(staged, body));
    }

    private void stage(Expr.Load l, Name step, Set<Name> changing, List<Staged> staged) {
      if (inside.contains(l.block())) return;
      if (written.stream().anyMatch(w -> aliases.mayAlias(w, l.block()))) return;
      Poly index = resolved(l.index());
      Poly.Division byStep = index.divide(step);
      if (byStep.quotient().isZero() || !isFixed(byStep.quotient(), changing)) return;
      for (Side side : Side.values()) {
        Poly.Division bySide = byStep.remainder().divide(indices.get(side));
        if (bySide.quotient().isZero()
            || !isFixed(bySide.quotient(), changing)
            || !isFixed(bySide.remainder(), changing)
            || staged.stream().anyMatch(s -> s.isAt(l.block(), l.type(), index))) continue;
        boolean neighbours = bySide.quotient().equals(Poly.ONE);
        Name value = names.fresh("staged");
        variance.add(value, side);
        staged.add(new Staged(side, l.block(), l.type(), index, neighbours, value));
      }
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
