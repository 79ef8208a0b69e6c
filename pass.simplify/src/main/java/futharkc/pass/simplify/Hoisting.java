package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
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
 * Moves out of a loop or lambda what is the same in every evaluation and safe to evaluate even if
 * there is none: total scalar operations, and other views of arrays. Out of loops and maps also
 * checks and partial operations, guarded so that nothing fails that would not have been evaluated;
 * and scalars of any cost, if there surely is an evaluation.
 *
 * <pre>{@code
 * let r = loop {..} for i < n do {                let none = n <= 0
 *   let c = assert(ok, ..)                    =>  let ok' = ok || none
 *   let q = cert{c} a / b                         let c = assert(ok', ..)
 *   ..                                            let q = if none then {0} else {cert{c} a / b}
 * }
 * }</pre>
 *
 * <p>A view of an array stays where it is, unless it is known outside that there is such a part: by
 * a check, if this was not weakened so, or from what is known of sizes and indices.
 */
final class Hoisting {
  /** A branch of more statements than this costs something. */
  private static final int SHORT_BRANCH = 4;

  private final Simplifier in;
  private final List<Stm> before = new ArrayList<>();
  private final Map<Name, Stm> moved = new HashMap<>();

  /** Whether there is no evaluation, if that was asked: it is the same for all bodies. */
  private @Nullable SubExp none;

  /** Whether checks may leave: they stay beside the accumulators whose updates they allow. */
  private final boolean guards;

  private Hoisting(Simplifier in, boolean guards) {
    this.in = in;
    this.guards = guards;
  }

  /** A statement, and what was moved out of it. */
  record Result(List<Stm> before, Stm stm) {}

  static Result outOf(Stm s, Simplifier in) {
    Hoisting hoisting = new Hoisting(in, !(s.exp() instanceof Exp.WithAcc));
    Exp e = RepeatedBody.map(s.exp(), in.freeNames(), hoisting::remaining);
    return new Result(hoisting.before, e == s.exp() ? s : s.withExp(e));
  }

  /** Takes out what can go; returns the rest. */
  private List<Stm> remaining(RepeatedBody body) {
    List<Stm> rest = new ArrayList<>();
    for (Stm s : body.stms()) {
      if (mayGo(s) && body.isInvariant(s) && (isSafe(s) ? move(s) : guarded(s, body.tripCount())))
        continue;
      rest.add(s);
      body.stays(s);
    }
    return rest.size() == body.stms().size() ? body.stms() : rest;
  }

  private boolean move(Stm s) {
    s.names().forEach(n -> moved.put(n, s));
    return before.add(s);
  }

  /** Takes out what may fail or costs something, if that can be. */
  private boolean guarded(Stm s, @Nullable TripCount tripCount) {
    if (tripCount == null || !guards || in.hasMemory()) return false;
    if (tripCount.isPositive() && givesScalars(s)) return move(s);
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
    if (known != null) return known;
    Builder b = in.builder(Aux.at(loc));
    known = tripCount.isZero(b);
    b.stms().forEach(this::move);
    none = known;
    return known;
  }

  /** Whether all that a statement does is to compute scalars. */
  private static boolean givesScalars(Stm s) {
    if (!s.pat().stream().allMatch(p -> p.type() instanceof Type.Prim)) return false;
    return switch (s.exp()) {
      case BasicOp.Opaque x -> false;
      case BasicOp x -> true;
      // What it consumes, it makes.
      case Soac.Screma x -> !Effects.of(x).traces();
      default -> false;
    };
  }

  /** Whether it is worth knowing what a statement depends on. */
  private static boolean mayGo(Stm s) {
    return s.exp() instanceof BasicOp
        || s.exp() instanceof Exp.Match
        || s.exp() instanceof Soac.Screma && givesScalars(s);
  }

  /** Whether evaluation cannot fail, even where there would be none, and costs next to nothing. */
  private boolean isSafe(Stm s) {
    if (s.exp() instanceof BasicOp.Index x) {
      return s.pat().get(0).type() instanceof Type.Array && isInside(x, s.aux().certs());
    }
    if (!s.aux().certs().isEmpty()) return false;
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
      default -> false;
    };
  }

  /** Whether branches compute scalars that cost next to nothing, and cannot fail where taken. */
  private boolean isSafeChoice(Exp.Match m, Bounds known) {
    if (!m.isConditional()) return false;
    SubExp cond = m.scrutinees().get(0);
    return isSafeBranch(m.cases().get(0).body(), cond, true, known)
        && isSafeBranch(m.otherwise(), cond, false, known);
  }

  private boolean isSafeBranch(Body b, SubExp cond, boolean holds, Bounds outside) {
    Bounds known = new Bounds(outside);
    in.conditions().add(cond, holds, known);
    if (b.stms().size() > SHORT_BRANCH) return false;
    for (SubExp r : b.results())
      if (r instanceof SubExp.Var v && !isScalar(v.name(), b)) return false;
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
      if (!safe) return false;
    }
    return true;
  }

  private boolean isScalar(Name n, Body b) {
    for (Stm s : b.stms()) {
      for (PatElem p : s.pat()) if (p.name().equals(n)) return p.type() instanceof Type.Prim;
    }
    return in.knows(n) && in.type(n) instanceof Type.Prim;
  }

  /**
   * Whether an array is a view of what a branch gives: the size that this chose need not be the
   * right one where there is no evaluation.
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
   * Whether a part of an array is there, as checks say that have been made, or what is known
   * outside: inside, it may be known because there is an evaluation.
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
      if (!isInside(x.slice().dims().get(d), sizes.get(d), known)) return false;
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
        if (!r.stride().isInt(1)) yield false;
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
    if (!op.isPartial()) return true;
    if (right instanceof SubExp.Const c) {
      return op.kind() == BinOp.Kind.POW ? c.value().asLong() >= 0 : c.value().asLong() != 0;
    }
    if (op.type() != PrimType.I64) return false;
    Poly least = op.kind() == BinOp.Kind.POW ? Poly.ZERO : Poly.ONE;
    return known.provesNonNegative(in.poly(right).minus(least));
  }
}
