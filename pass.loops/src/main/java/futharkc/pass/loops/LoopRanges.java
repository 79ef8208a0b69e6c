package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.symbolic.Bounds;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a function whose bounds are proved to be in [0, 2³¹) whenever they run. An upper
 * bound follows from facts about variables, or from an access that every iteration performs: the
 * offset is within a block, which has fewer than 2³¹ elements, so an index that is at most the
 * offset fits.
 */
final class LoopRanges {
  private final Set<Name> assigned = new HashSet<>();

  /** The values of variables as polynomials, provided that they do not wrap; offsets never do. */
  private final Map<Name, Poly> sums = new HashMap<>();

  private final Set<Code.For> proved = Collections.newSetFromMap(new IdentityHashMap<>());

  private LoopRanges() {}

  /** Returns the proved loops, by identity, including those already recorded as fitting. */
  static Set<Code.For> proved(ImperativeProgram.Function function) {
    LoopRanges r = new LoopRanges();
    new CodeMapper() {
      @Override
      public Code statement(Code code) {
        if (code instanceof Code.Assign a) {
          r.assigned.add(a.name());
        }
        return super.statement(code);
      }
    }.statements(function.body());
    r.all(function.body(), new Bounds(null));
    return r.proved;
  }

  /** Analyses statements in a scope of their own. */
  private void all(List<Code> code, Bounds outer) {
    Bounds known = new Bounds(outer);
    for (Code c : code) {
      one(c, known);
    }
  }

  /** Analyses a statement, and adds the facts that hold after it. */
  private void one(Code code, Bounds known) {
    declared(code, known);
    switch (code) {
      case Code.For f -> loop(f, known);
      case Code.While w -> all(w.body(), known);
      case Code.Scope s -> all(s.body(), known);
      case Code.Outlined o -> all(o.body(), known);
      case Code.VectorLoop l -> all(l.rest(), known);
      case Code.Locked l -> all(l.body(), known);
      case Code.If i -> {
        all(i.then(), where(i.cond(), true, known));
        all(i.otherwise(), where(i.cond(), false, known));
      }
      case Code.IfUnused i -> {
        all(i.then(), known);
        all(i.otherwise(), known);
      }
      case Code.Parallel p -> all(p.body(), chunk(p.total(), p.chunk(), p.from(), p.to(), known));
      case Code.ChainedScan s -> {
        Bounds inside = chunk(s.total(), s.chunk(), s.from(), s.to(), known);
        all(s.reduce(), inside);
        all(s.combine(), inside);
        all(s.scan(), inside);
      }
      case Code.Simple c -> {}
      case Code.Gpu g -> {}
    }
  }

  // Facts

  /**
   * Returns an expression as a polynomial over variables that are never reassigned; null if it is
   * none.
   */
  private @Nullable Poly fixed(Expr e) {
    Poly p = e.poly();
    return p != null && !p.mentions(assigned) ? p : null;
  }

  private void declared(Code code, Bounds known) {
    switch (code) {
      case Code.ChunkCount c -> known.addNonNegative(c.chunks());
      case Code.RegionTime r -> {}
      case Code.ThreadCount t -> known.addNonNegative(t.threads());
      case Code.Declare d -> {
        Expr value = d.value();
        if (value == null || assigned.contains(d.name())) {
          return;
        }
        Poly p = fixed(value);
        Poly self = Poly.of(d.name());
        if (p != null) {
          known.addFact(self.minus(p));
          known.addFact(p.minus(self));
        }
        if (value instanceof Expr.Binary b && b.op().kind() == BinOp.Kind.SMIN) {
          for (Expr e : List.of(b.left(), b.right())) {
            Poly most = fixed(e);
            if (most != null) {
              known.addFact(most.minus(self));
            }
          }
        }
        if (value instanceof Expr.Binary b && b.op().kind() == BinOp.Kind.ADD) {
          Poly left = fixed(b.left());
          Poly right = fixed(b.right());
          if (left != null && right != null) {
            Poly sum = summed(left.plus(right));
            if (sum.terms().size() <= Bounds.LARGEST_SUM) {
              sums.put(d.name(), sum);
            }
          }
        }
        if (isNonNegative(value, known)) {
          known.addNonNegative(d.name());
        }
      }
      default -> {}
    }
  }

  private boolean isNonNegative(Expr e, Bounds known) {
    Poly p = fixed(e);
    if (p != null) {
      return known.provesNonNegative(p);
    }
    if (!(e instanceof Expr.Binary b)) {
      return false;
    }
    return switch (b.op().kind()) {
      case SMIN, SQUOT, SDIV -> isNonNegative(b.left(), known) && isNonNegative(b.right(), known);
      case SMAX -> isNonNegative(b.left(), known) || isNonNegative(b.right(), known);
      case ASHR, SREM -> isNonNegative(b.left(), known);
      default -> false;
    };
  }

  private Bounds chunk(Expr total, Name chunk, Name from, Name to, Bounds outer) {
    Bounds known = new Bounds(outer);
    for (Name n : List.of(chunk, from, to)) {
      known.addNonNegative(n);
    }
    known.addFact(Poly.of(to).minus(Poly.of(from)));
    Poly all = fixed(total);
    if (all != null) {
      known.addFact(all.minus(Poly.of(to)));
    }
    return known;
  }

  /** Returns the facts that a condition implies. */
  private Bounds where(Expr cond, boolean holds, Bounds outer) {
    Bounds known = new Bounds(outer);
    add(cond, holds, known);
    return known;
  }

  private void add(Expr cond, boolean holds, Bounds known) {
    switch (cond) {
      case Expr.Binary b when holds && b.op().kind() == BinOp.Kind.LOG_AND -> {
        add(b.left(), true, known);
        add(b.right(), true, known);
      }
      case Expr.Compare c -> {
        Poly left = fixed(c.left());
        Poly right = fixed(c.right());
        if (left == null || right == null) {
          return;
        }
        boolean less = c.op().kind() == CmpOp.Kind.SLT;
        if (!less && c.op().kind() != CmpOp.Kind.SLE) {
          return;
        }
        Poly difference = holds ? right.minus(left) : left.minus(right);
        known.addFact(less == holds ? difference.minus(Poly.ONE) : difference);
      }
      default -> {}
    }
  }

  // Loops

  private void loop(Code.For f, Bounds known) {
    if (f.range() == Code.Range.WIDE) {
      return;
    }
    Bounds inside = inside(f, known);
    if (fits(f, known, inside)) {
      proved.add(f);
      Poly to = fixed(f.to());
      if (to != null) {
        inside.addFact(Poly.of(Integer.MAX_VALUE).minus(to));
      }
    }
    all(f.body(), inside);
  }

  /** Returns the facts that hold in an iteration. */
  private Bounds inside(Code.For f, Bounds outer) {
    Bounds known = new Bounds(outer);
    Poly from = fixed(f.from());
    Poly to = fixed(f.to());
    boolean nonNegative = f.range().fits() || isNonNegative(f.from(), outer);
    if (nonNegative) {
      known.addNonNegative(f.index());
    }
    if (to != null) {
      known.addBelow(f.index(), to);
      Name alone = to.names().size() == 1 ? to.names().iterator().next() : null;
      if (nonNegative && alone != null && to.equals(Poly.of(alone))) {
        known.addNonNegative(alone);
      }
    }
    if (from != null) {
      known.addFact(Poly.of(f.index()).minus(from));
    }
    if (to != null) {
      known.addFact(to.minus(Poly.of(f.index())).minus(Poly.ONE));
    }
    return known;
  }

  private boolean fits(Code.For f, Bounds outer, Bounds inside) {
    if (f.range().fits()) {
      return true;
    }
    if (!isNonNegative(f.from(), outer)) {
      return false;
    }
    Poly to = fixed(f.to());
    if (to != null && outer.provesNonNegative(Poly.of(Integer.MAX_VALUE).minus(to))) {
      return true;
    }
    return accesses(f.body(), Poly.of(f.index()), inside);
  }

  /** Tests whether statements that run to their end access an offset of at least {@code least}. */
  private boolean accesses(List<Code> code, Poly least, Bounds outer) {
    Bounds known = new Bounds(outer);
    for (Code c : code) {
      boolean found =
          switch (c) {
            case Code.Declare d -> d.value() != null && accesses(d.value(), least, known);
            case Code.Assign a -> accesses(a.value(), least, known);
            case Code.Store s ->
                isFrom(s.index(), least, known) || accesses(s.value(), least, known);
            case Code.Scope s -> accesses(s.body(), least, known);
            case Code.Locked l -> accesses(l.body(), least, known);
            case Code.If i ->
                accesses(i.cond(), least, known)
                    || accesses(i.then(), least, where(i.cond(), true, known))
                        && accesses(i.otherwise(), least, where(i.cond(), false, known));
            case Code.For g -> {
              Poly from = fixed(g.from());
              Poly to = fixed(g.to());
              boolean runs = from != null && to != null && known.provesLess(from, to);
              yield runs && accesses(g.body(), least, inside(g, known));
            }
            default -> false;
          };
      if (found) {
        return true;
      }
      declared(c, known);
    }
    return false;
  }

  private boolean accesses(Expr e, Poly least, Bounds known) {
    return switch (e) {
      case Expr.Const c -> false;
      case Expr.Var v -> false;
      case Expr.Index i -> false;
      case Expr.Binary b -> {
        boolean both = b.op().kind() != BinOp.Kind.LOG_AND && b.op().kind() != BinOp.Kind.LOG_OR;
        yield accesses(b.left(), least, known) || both && accesses(b.right(), least, known);
      }
      case Expr.Unary u -> accesses(u.operand(), least, known);
      case Expr.Compare c -> accesses(c.left(), least, known) || accesses(c.right(), least, known);
      case Expr.Convert c -> accesses(c.operand(), least, known);
      case Expr.Apply a -> a.args().stream().anyMatch(x -> accesses(x, least, known));
      case Expr.Load l -> isFrom(l.index(), least, known);
      case Expr.Capacity c -> false;
      case Expr.Tuning t -> false;
    };
  }

  private Poly summed(Poly p) {
    return p.substitute(n -> sums.getOrDefault(n, Poly.of(n)));
  }

  private boolean isFrom(Poly offset, Poly least, Bounds known) {
    return known.provesNonNegative(summed(offset).minus(least));
  }
}
