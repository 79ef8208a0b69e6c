package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.RepeatedBody;
import futharkc.core.ir.analysis.TripCount;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves invariant code out of loops and lambdas. The code must be safe without an evaluation of the
 * body: total scalar operations and views of arrays. Checks and partial operations move out of
 * loops and maps with a guard, so that no additional failure occurs. Scalars of any cost move if
 * the body is surely evaluated.
 *
 * <pre>{@code
 * let r = loop {..} for i < n do {                let none = n <= 0
 *   let c = assert(ok, ..)                    =>  let ok' = ok || none
 *   let q = cert{c} a / b                         let c = assert(ok', ..)
 *   ..                                            let q = if none then {0} else {cert{c} a / b}
 * }
 * }</pre>
 *
 * <p>A view of an array moves only if it is in bounds outside the body. The proof is a check
 * without a guard, or known bounds of sizes and indices.
 */
final class Hoisting {
  /** The maximal statement count of a cheap branch. */
  private static final int SHORT_BRANCH = 4;

  private final Simplifier in;
  private final List<Stm> before = new ArrayList<>();
  private final Map<Name, Stm> moved = new HashMap<>();

  /** The condition that the body has no evaluation, emitted on demand and shared by all bodies. */
  private @Nullable SubExp none;

  /**
   * A flag for whether checks may move. A check stays in the body of an accumulation whose updates
   * it guards.
   */
  private final boolean guards;

  private Hoisting(Simplifier in, boolean guards) {
    this.in = in;
    this.guards = guards;
  }

  /**
   * A statement and the statements moved out of it.
   *
   * @param before the moved statements
   * @param stm the statement
   */
  record Result(List<Stm> before, Stm stm) {}

  static Result outOf(Stm s, Simplifier in) {
    Hoisting hoisting = new Hoisting(in, !(s.exp() instanceof Exp.WithAcc));
    Exp e = RepeatedBody.map(s.exp(), in.freeNames(), hoisting::remaining);
    return new Result(hoisting.before, e == s.exp() ? s : s.withExp(e));
  }

  /** Moves statements out of the body, and returns the remaining ones. */
  private List<Stm> remaining(RepeatedBody body) {
    List<Stm> rest = new ArrayList<>();
    for (Stm s : body.stms()) {
      if (mayGo(s) && body.isInvariant(s) && (isSafe(s) ? move(s) : guarded(s, body.tripCount()))) {
        continue;
      }
      rest.add(s);
      body.stays(s);
    }
    return rest.size() == body.stms().size() ? body.stms() : rest;
  }

  private boolean move(Stm s) {
    s.names().forEach(n -> moved.put(n, s));
    return before.add(s);
  }

  /** Moves a statement that may fail or is expensive, with a guard. Returns whether it moved. */
  private boolean guarded(Stm s, @Nullable TripCount tripCount) {
    if (tripCount == null || !guards || in.hasMemory()) {
      return false;
    }
    if (tripCount.isPositive() && givesScalars(s)) {
      return move(s);
    }
    Builder b = in.builder(Aux.at(s.aux().loc()));
    switch (s.exp()) {
      case BasicOp.Assert a -> {
        SubExp ok =
            b.binOp(
                "ok", BinOp.Kind.LOG_OR, PrimType.BOOL, a.cond(), none(s.aux().loc(), tripCount));
        b.stms().forEach(this::move);
        move(s.withExp(new BasicOp.Assert(ok, a.message(), a.trace())));
        return true;
      }
      case BasicOp.BinOpExp x when x.op().isPartial() -> {
        Type type = s.pat().get(0).type();
        SubExp value = b.with(s.aux()).letExp("value", type, x);
        Body zero = new Body(List.of(), List.of(SubExp.of(PrimValue.zero(x.op().type()))));
        Exp either =
            Exp.Match.conditional(none(s.aux().loc(), tripCount), zero, b.body(List.of(value)));
        move(new Stm(s.pat(), Aux.at(s.aux().loc()), either));
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  private SubExp none(Loc loc, TripCount tripCount) {
    SubExp known = none;
    if (known != null) {
      return known;
    }
    Builder b = in.builder(Aux.at(loc));
    known = tripCount.isZero(b);
    b.stms().forEach(this::move);
    none = known;
    return known;
  }

  /** Tests whether a statement and its nested bodies only compute scalars. */
  private static boolean givesScalars(Stm s) {
    if (!s.pat().stream().allMatch(p -> p.type() instanceof Type.Prim)) {
      return false;
    }
    return switch (s.exp()) {
      case BasicOp.Opaque x -> false;
      case BasicOp x -> true;
      // The Screma consumes only arrays that the same statement allocates.
      case Soac.Screma x -> !Effects.of(x).traces();
      default -> false;
    };
  }

  /** Tests whether the kind of a statement may move, before the analysis of its operands. */
  private static boolean mayGo(Stm s) {
    return s.exp() instanceof BasicOp
        || s.exp() instanceof Exp.Match
        || s.exp() instanceof HostOp.GpuBody
        || s.exp() instanceof Soac.Screma && givesScalars(s);
  }

  /** Tests whether a statement cannot fail without an evaluation of the body, and is cheap. */
  private boolean isSafe(Stm s) {
    if (s.exp() instanceof BasicOp.Index x) {
      return s.pat().get(0).type() instanceof Type.Array && isInside(x, s.aux().certs());
    }
    if (!s.aux().certs().isEmpty()) {
      return false;
    }
    return switch (s.exp()) {
      case BasicOp.SubExpOp x -> true;
      case BasicOp.BinOpExp x -> isTotal(x.op(), x.right(), in.bounds());
      case Exp.Match m -> isSafeChoice(m, in.bounds());
      case BasicOp.UnOpExp x -> true;
      case BasicOp.CmpOpExp x -> true;
      case BasicOp.ConvOpExp x -> true;
      case BasicOp.PrimFunExp x -> true;
      case BasicOp.Reshape x -> !isOfBranch(x.array());
      case BasicOp.Rearrange x -> true;
      // Scalars that are only stored, not those that a thread computes.
      case HostOp.GpuBody g -> g.body().stms().isEmpty() && !in.hasMemory() && in.stay(s.names());
      default -> false;
    };
  }

  /** Tests whether branches compute cheap scalars and cannot fail if taken. */
  private boolean isSafeChoice(Exp.Match m, Bounds known) {
    if (!m.isConditional()) {
      return false;
    }
    SubExp cond = m.scrutinees().get(0);
    return isSafeBranch(m.cases().get(0).body(), cond, true, known)
        && isSafeBranch(m.otherwise(), cond, false, known);
  }

  private boolean isSafeBranch(Body b, SubExp cond, boolean holds, Bounds outside) {
    Bounds known = new Bounds(outside);
    in.conditions().add(cond, holds, known);
    if (b.stms().size() > SHORT_BRANCH) {
      return false;
    }
    for (SubExp r : b.results()) {
      if (r instanceof SubExp.Var v && !isScalar(v.name(), b)) {
        return false;
      }
    }
    for (Stm s : b.stms()) {
      boolean safe =
          s.aux().certs().isEmpty()
              && s.pat().stream().allMatch(p -> p.type() instanceof Type.Prim)
              && switch (s.exp()) {
                case BasicOp.SubExpOp x -> true;
                case BasicOp.BinOpExp x -> isTotal(x.op(), x.right(), known);
                case BasicOp.UnOpExp x -> true;
                case BasicOp.CmpOpExp x -> true;
                case BasicOp.ConvOpExp x -> true;
                case Exp.Match m -> isSafeChoice(m, known);
                default -> false;
              };
      if (!safe) {
        return false;
      }
    }
    return true;
  }

  private boolean isScalar(Name n, Body b) {
    for (Stm s : b.stms()) {
      for (PatElem p : s.pat()) {
        if (p.name().equals(n)) {
          return p.type() instanceof Type.Prim;
        }
      }
    }
    return in.knows(n) && in.type(n) instanceof Type.Prim;
  }

  /**
   * Tests whether an array is a view of a branch's result. Its size may be wrong if the body has no
   * evaluation.
   */
  private boolean isOfBranch(Name array) {
    Stm s = definition(array);
    return s != null
        && switch (s.exp()) {
          case Exp.Match m -> true;
          case BasicOp.SubExpOp x -> x.value() instanceof SubExp.Var v && isOfBranch(v.name());
          case BasicOp.Index x -> isOfBranch(x.array());
          case BasicOp.Reshape x -> isOfBranch(x.array());
          case BasicOp.Rearrange x -> isOfBranch(x.array());
          default -> false;
        };
  }

  /**
   * Tests whether a slice is in bounds outside the body. The proof uses moved checks and bounds
   * known outside; bounds known inside may rely on an evaluation of the body.
   */
  private boolean isInside(BasicOp.Index x, List<Name> certs) {
    Bounds known = new Bounds(in.bounds());
    for (Name c : certs) {
      if (definition(c) instanceof Stm s && s.exp() instanceof BasicOp.Assert a) {
        in.conditions().add(a.cond(), true, known);
      }
    }
    List<SubExp> sizes = in.type(x.array()).dims();
    for (int d = 0; d < sizes.size(); d++) {
      if (!isInside(x.slice().dims().get(d), sizes.get(d), known)) {
        return false;
      }
    }
    return true;
  }

  private boolean isInside(Slice.Dim dim, SubExp size, Bounds known) {
    return switch (dim) {
      case Slice.Fix f -> {
        Poly index = in.poly(f.index());
        yield known.provesNonNegative(index) && known.provesLess(index, in.poly(size));
      }
      case Slice.Range r -> {
        if (!r.stride().isInt(1)) {
          yield false;
        }
        Poly start = in.poly(r.start());
        Poly rest = in.poly(size).minus(start).minus(in.poly(r.count()));
        yield known.provesNonNegative(start) && known.provesNonNegative(rest);
      }
    };
  }

  private @Nullable Stm definition(Name n) {
    Stm s = moved.get(n);
    return s == null ? in.definition(n) : s;
  }

  private boolean isTotal(BinOp op, SubExp right, Bounds known) {
    if (!op.isPartial()) {
      return true;
    }
    if (right instanceof SubExp.Const c) {
      return op.kind() == BinOp.Kind.POW ? c.value().asLong() >= 0 : c.value().asLong() != 0;
    }
    if (op.type() != PrimType.I64) {
      return false;
    }
    Poly least = op.kind() == BinOp.Kind.POW ? Poly.ZERO : Poly.ONE;
    return known.provesNonNegative(in.poly(right).minus(least));
  }
}
