package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** How often what is inside is evaluated, of this integer type; null if that is not known. */
  private final @Nullable SubExp count;

  private final PrimType countType;
  private final List<Stm> before = new ArrayList<>();
  private final Map<Name, Stm> moved = new HashMap<>();
  private @Nullable SubExp none;

  private Hoisting(Simplifier in, @Nullable SubExp count, PrimType countType) {
    this.in = in;
    this.count = count;
    this.countType = countType;
  }

  /** A statement, and what was moved out of it. */
  record Result(List<Stm> before, Stm stm) {}

  static Result outOf(Stm s, Simplifier in) {
    return switch (s.exp()) {
      case Exp.Loop l when l.form() instanceof Exp.Form.For f ->
          new Hoisting(in, f.bound(), f.type()).outOf(s);
      case Soac.Screma x -> new Hoisting(in, x.width(), PrimType.I64).outOf(s);
      case Soac.Hist x -> new Hoisting(in, x.width(), PrimType.I64).outOf(s);
      default -> new Hoisting(in, null, PrimType.I64).outOf(s);
    };
  }

  private Result outOf(Stm s) {
    Exp e = exp(s.exp());
    return before.isEmpty() ? new Result(List.of(), s) : new Result(before, s.withExp(e));
  }

  private Exp exp(Exp exp) {
    return switch (exp) {
      case Exp.Loop l -> {
        Set<Name> bound = new HashSet<>();
        for (Exp.LoopParam p : l.params()) bound.add(p.param().name());
        if (l.form() instanceof Exp.Form.For f) bound.add(f.index());
        List<Stm> rest = split(l.body().stms(), bound, true);
        yield new Exp.Loop(l.params(), l.form(), new Body(rest, l.body().results()));
      }
      case Soac.Screma x -> {
        Lambda map = lambda(x.map(), true);
        Lambda post = lambda(x.post(), true);
        List<Soac.Scan> scans = new ArrayList<>();
        for (Soac.Scan o : x.scans()) {
          scans.add(new Soac.Scan(lambda(o.op(), false), o.neutral()));
        }
        List<Soac.Reduce> reduces = new ArrayList<>();
        for (Soac.Reduce o : x.reduces()) {
          reduces.add(new Soac.Reduce(o.commutative(), lambda(o.op(), false), o.neutral()));
        }
        yield new Soac.Screma(x.width(), x.inputs(), map, scans, reduces, post);
      }
      case Soac.Hist x -> new Soac.Hist(x.width(), x.inputs(), x.ops(), lambda(x.bucket(), true));
      case Soac.Stream x ->
          new Soac.Stream(x.width(), x.inputs(), x.accs(), lambda(x.lambda(), false));
      case Exp.WithAcc w -> new Exp.WithAcc(w.inputs(), lambda(w.lambda(), false));
      case SegExp.ParOp p -> new SegExp.ParOp(segOp(p.op()), p.nested());
      case SegExp.Seg p -> new SegExp.Seg(segOp(p.op()));
      default -> exp;
    };
  }

  private Lambda lambda(Lambda l, boolean counted) {
    Set<Name> bound = new HashSet<>();
    l.params().forEach(p -> bound.add(p.name()));
    List<Stm> rest = split(l.body().stms(), bound, counted);
    return new Lambda(l.params(), new Body(rest, l.body().results()), l.results());
  }

  private SegOp segOp(SegOp op) {
    Set<Name> bound = new HashSet<>();
    bound.add(op.space().flat());
    for (SegSpace.Dim d : op.space().dims()) bound.add(d.index());
    SegBody body = new SegBody(split(op.body().stms(), bound, false), op.body().results());
    return switch (op) {
      case SegOp.SegMap m -> new SegOp.SegMap(m.level(), m.space(), m.types(), body);
      case SegOp.SegRed r ->
          new SegOp.SegRed(r.level(), r.space(), r.ops(), r.types(), body, r.post());
      case SegOp.SegScan r ->
          new SegOp.SegScan(r.level(), r.space(), r.ops(), r.types(), body, r.post());
      case SegOp.SegHist h -> new SegOp.SegHist(h.level(), h.space(), h.ops(), h.types(), body);
    };
  }

  /**
   * Takes out what can go; returns the rest. The set grows by what stays.
   *
   * @param counted whether these are evaluated as often as is known
   */
  private List<Stm> split(List<Stm> stms, Set<Name> bound, boolean counted) {
    List<Stm> rest = new ArrayList<>();
    for (Stm s : stms) {
      if (mayGo(s) && isInvariant(s, bound) && (isSafe(s) ? move(s) : counted && guarded(s)))
        continue;
      rest.add(s);
      for (PatElem p : s.pat()) bound.add(p.name());
    }
    return rest;
  }

  private boolean move(Stm s) {
    s.names().forEach(n -> moved.put(n, s));
    return before.add(s);
  }

  /** Takes out what may fail or costs something, if that can be. */
  private boolean guarded(Stm s) {
    if (count == null || in.hasMemory()) return false;
    if (count instanceof SubExp.Const c && c.value().asLong() > 0 && givesScalars(s)) {
      return move(s);
    }
    Builder b = in.builder(Aux.at(s.aux().loc()));
    switch (s.exp()) {
      case BasicOp.Assert a -> {
        SubExp ok = b.binOp("ok", BinOp.Kind.LOG_OR, PrimType.BOOL, a.cond(), none(s.aux().loc()));
        b.stms().forEach(this::move);
        move(s.withExp(new BasicOp.Assert(ok, a.message(), a.trace())));
        return true;
      }
      case BasicOp.BinOpExp x when x.op().isPartial() -> {
        Type type = s.pat().get(0).type();
        SubExp value = b.with(s.aux()).letExp("value", type, x);
        Body zero = new Body(List.of(), List.of(SubExp.of(PrimValue.zero(x.op().type()))));
        Exp either = Exp.Match.conditional(none(s.aux().loc()), zero, b.body(List.of(value)));
        move(new Stm(s.pat(), Aux.at(s.aux().loc()), either));
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  /** Whether there is no evaluation. */
  private SubExp none(Loc loc) {
    SubExp known = none;
    if (known != null) return known;
    if (count == null) throw new IllegalStateException("nobody counts");
    Builder b = in.builder(Aux.at(loc));
    SubExp zero = SubExp.of(PrimValue.zero(countType));
    known = b.cmp("none", CmpOp.Kind.SLE, countType, count, zero);
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

  private static boolean isInvariant(Stm s, Set<Name> bound) {
    for (Name n : FreeNames.of(s)) if (bound.contains(n)) return false;
    return true;
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
