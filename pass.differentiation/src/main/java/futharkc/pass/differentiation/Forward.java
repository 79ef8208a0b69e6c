package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forward mode: every active variable gets a tangent, which is computed next to it.
 *
 * <pre>
 * let y = f(x1, .., xn)        =>        let y  = f(x1, .., xn)
 *                                        let y' = f_1 * x1' + .. + f_n * xn'
 * </pre>
 *
 * <p>An operation that moves elements of arrays moves the elements of their tangents as well.
 * Branches, loops, maps and functions return tangents in addition to their results; the original
 * values determine the control flow. An accumulator of numbers becomes an accumulator of numbers
 * and their tangents. After Shin and Wang et al.'s dual numbers (Griewank and Walther, Evaluating
 * Derivatives, section 3.1): the time is at most a small multiple of the time of the original.
 *
 * <p>Forward mode supports several directions at once, each with separate tangents.
 */
final class Forward {
  private final Derivation derivation;
  private final Set<Name> active;
  private final Tangents tangents;
  private final Emitter e;

  Forward(Derivation derivation, Set<Name> active, Tangents tangents, Emitter e) {
    this.derivation = derivation;
    this.active = active;
    this.tangents = tangents;
    this.e = e;
  }

  Forward inside(Emitter in) {
    return new Forward(derivation, active, tangents, in);
  }

  Emitter emitter() {
    return e;
  }

  Tangents tangents() {
    return tangents;
  }

  private int directions() {
    return tangents.directions();
  }

  boolean isActive(SubExp x) {
    return x instanceof SubExp.Var v && isActive(v.name());
  }

  boolean isActive(Name n) {
    Type t = e.scope().lookup(n);
    return t != null && Activity.isActive(n, t, active);
  }

  boolean isActive(PatElem p) {
    return Activity.isActive(p.name(), p.type(), active);
  }

  boolean isActive(Param p) {
    return Activity.isActive(p.name(), p.type(), active);
  }

  void stms(List<Stm> stms) {
    for (Stm s : stms) {
      e.at(s.aux());
      if (s.pat().stream().noneMatch(this::isActive)) {
        e.add(s);
      } else {
        stm(s);
      }
    }
  }

  /** Returns results, followed by the tangents of the active ones. */
  List<SubExp> results(List<SubExp> results, List<Boolean> wanted) {
    List<SubExp> all = new ArrayList<>(results);
    for (int k = 0; k < results.size(); k++) {
      if (wanted.get(k)) {
        all.addAll(tangents.values(e, results.get(k)));
      }
    }
    return all;
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> basic(s, op);
      case Exp.Apply a -> apply(s, a);
      case Exp.Match m -> match(s, m);
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> withAcc(s, w);
      case Soac op -> new ForwardSoacs(this).soac(s, op);
      default -> throw new IllegalStateException("not a SOACS expression: " + s.exp());
    }
  }

  // A linear operation

  private interface Linear {
    /** Returns the operation on the tangents of a direction. */
    BasicOp in(int direction);
  }

  private void basic(Stm s, BasicOp op) {
    switch (op) {
      case BasicOp.BinOpExp x -> scalar(s, x);
      case BasicOp.UnOpExp x -> scalar(s, x);
      case BasicOp.ConvOpExp x -> scalar(s, x);
      case BasicOp.PrimFunExp x -> scalar(s, x);
      case BasicOp.SubExpOp x ->
          linear(s, x.value(), d -> new BasicOp.SubExpOp(tangents.value(e, x.value(), d)));
      // The operation hides or traces the value, not the tangent.
      case BasicOp.Opaque x ->
          linear(s, x.value(), d -> new BasicOp.SubExpOp(tangents.value(e, x.value(), d)));
      case BasicOp.ArrayLit x -> {
        e.add(s);
        for (int d = 0; d < directions(); d++) {
          int k = d;
          List<SubExp> elems = x.elems().stream().map(v -> tangents.value(e, v, k)).toList();
          bind(s, d, new BasicOp.ArrayLit(elems, x.row()));
        }
      }
      case BasicOp.Index x ->
          linear(s, SubExp.of(x.array()), d -> new BasicOp.Index(array(x.array(), d), x.slice()));
      case BasicOp.FlatIndex x ->
          linear(
              s, SubExp.of(x.array()), d -> new BasicOp.FlatIndex(array(x.array(), d), x.slice()));
      case BasicOp.Rearrange x ->
          linear(
              s, SubExp.of(x.array()), d -> new BasicOp.Rearrange(array(x.array(), d), x.perm()));
      case BasicOp.Reshape x ->
          linear(
              s,
              SubExp.of(x.array()),
              d -> new BasicOp.Reshape(x.coerce(), array(x.array(), d), x.shape()));
      case BasicOp.Manifest x ->
          linear(s, SubExp.of(x.array()), d -> new BasicOp.Manifest(array(x.array(), d), x.perm()));
      case BasicOp.Replicate x ->
          linear(
              s, x.value(), d -> new BasicOp.Replicate(x.shape(), tangents.value(e, x.value(), d)));
      case BasicOp.Concat x ->
          together(
              s,
              d ->
                  new BasicOp.Concat(
                      x.dim(), x.arrays().stream().map(a -> array(a, d)).toList(), x.size()));
      case BasicOp.Update x ->
          together(
              s,
              d ->
                  new BasicOp.Update(
                      x.safe(), array(x.array(), d), x.slice(), tangents.value(e, x.value(), d)));
      case BasicOp.FlatUpdate x ->
          together(
              s, d -> new BasicOp.FlatUpdate(array(x.array(), d), x.slice(), array(x.value(), d)));
      case BasicOp.Iota x ->
          together(
              s,
              d ->
                  new BasicOp.Iota(
                      x.count(),
                      tangents.value(e, x.start(), d),
                      tangents.value(e, x.stride(), d),
                      x.type()));
      case BasicOp.UpdateAcc x -> {
        List<SubExp> values = new ArrayList<>(x.values());
        for (SubExp v : x.values()) {
          values.addAll(tangents.values(e, v));
        }
        e.add(dualTypes(s.pat()), new BasicOp.UpdateAcc(x.inRange(), x.acc(), x.index(), values));
      }
      case BasicOp.ArrayVal x -> e.add(s);
      case BasicOp.CmpOpExp x -> e.add(s);
      case BasicOp.Assert x -> e.add(s);
      case BasicOp.Scratch x -> e.add(s);
      case BasicOp.UserParam x -> e.add(s);
    }
  }

  private Name array(Name a, int direction) {
    return Emitter.array(tangents.value(e, SubExp.of(a), direction));
  }

  /** Applies an operation to the tangents of an operand that has some. */
  private void linear(Stm s, SubExp operand, Linear op) {
    e.add(s);
    for (int d = 0; d < directions(); d++) {
      if (tangents.get(operand, d) != null) {
        bind(s, d, op.in(d));
      }
    }
  }

  /** Applies an operation to the tangents of all operands, which may be zero. */
  private void together(Stm s, Linear op) {
    // A tangent may alias an array that the original consumes, so create its operation before the
    // original.
    List<BasicOp> ops = new ArrayList<>();
    for (int d = 0; d < directions(); d++) {
      ops.add(op.in(d));
    }
    e.add(s);
    for (int d = 0; d < directions(); d++) {
      bind(s, d, ops.get(d));
    }
  }

  private void bind(Stm s, int direction, BasicOp op) {
    PatElem p = s.pat().get(0);
    if (op instanceof BasicOp.SubExpOp x && s.aux().certs().isEmpty()) {
      tangents.set(p.name(), direction, x.value());
    } else {
      tangents.set(p.name(), direction, e.let(tangentOf(p.name()), p.type(), op));
    }
  }

  static String tangentOf(Name n) {
    return n.base() + "_tan";
  }

  private void scalar(Stm s, BasicOp op) {
    e.add(s);
    PatElem p = s.pat().get(0);
    PrimType t = p.type().elemPrim();
    List<SubExp> operands = ScalarPartials.operands(op);
    ScalarPartials.@Nullable Partial[] partials = new ScalarPartials.Partial[operands.size()];
    for (int d = 0; d < directions(); d++) {
      SubExp sum = Arithmetic.zero(t);
      for (int k = 0; k < operands.size(); k++) {
        SubExp x = tangents.get(operands.get(k), d);
        if (x == null) {
          continue;
        }
        ScalarPartials.Partial partial = partials[k];
        if (partial == null) {
          partial = ScalarPartials.of(e, op, k, SubExp.of(p.name()));
          partials[k] = partial;
        }
        if (partial instanceof ScalarPartials.Partial.Factor f && Arithmetic.isZero(f.value())) {
          continue;
        }
        sum = Arithmetic.plus(e, t, sum, ScalarPartials.forward(e, partial, x));
      }
      tangents.set(p.name(), d, sum);
    }
  }

  // Types of accumulators of numbers with tangents

  Type dualType(Type t) {
    if (!(t instanceof Type.Acc a) || !active.contains(a.token())) {
      return t;
    }
    List<Type> elems = new ArrayList<>(a.elems());
    for (Type x : a.elems()) {
      for (int d = 0; d < directions(); d++) {
        elems.add(x);
      }
    }
    return new Type.Acc(a.token(), a.space(), elems);
  }

  List<PatElem> dualTypes(List<PatElem> pat) {
    return pat.stream().map(p -> new PatElem(p.name(), dualType(p.type()))).toList();
  }

  Param dualType(Param p) {
    Param q = new Param(p.name(), dualType(p.type()), p.unique());
    e.scope().add(q.name(), q.type());
    return q;
  }

  private static boolean hasTangent(Type t) {
    return !(t instanceof Type.Acc);
  }

  // Constructs

  /** Returns a pattern, followed by elements for the wanted tangents. */
  List<PatElem> dual(List<PatElem> pat, List<Boolean> wanted) {
    List<PatElem> all = new ArrayList<>(dualTypes(pat));
    for (int k = 0; k < pat.size(); k++) {
      if (!wanted.get(k)) {
        continue;
      }
      PatElem p = pat.get(k);
      for (int d = 0; d < directions(); d++) {
        PatElem t = new PatElem(e.names().fresh(tangentOf(p.name())), p.type());
        tangents.set(p.name(), d, SubExp.of(t.name()));
        all.add(t);
      }
    }
    return all;
  }

  /** Returns, for each result, whether it has a tangent. */
  List<Boolean> wanted(List<PatElem> pat) {
    return pat.stream().map(p -> isActive(p) && hasTangent(p.type())).toList();
  }

  Body body(Body b, List<Boolean> wanted) {
    Emitter in = e.inner();
    Forward inside = inside(in);
    inside.stms(b.stms());
    return in.body(inside.results(b.results(), wanted));
  }

  private void match(Stm s, Exp.Match m) {
    List<Boolean> wanted = wanted(s.pat());
    List<Exp.Case> cases = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      cases.add(new Exp.Case(c.pattern(), body(c.body(), wanted)));
    }
    Body otherwise = body(m.otherwise(), wanted);
    e.add(dual(s.pat(), wanted), new Exp.Match(m.scrutinees(), cases, otherwise));
  }

  private void loop(Stm s, Exp.Loop l) {
    List<Boolean> wanted = new ArrayList<>();
    List<Exp.LoopParam> params = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      wanted.add(isActive(p.param()) && hasTangent(p.param().type()));
      params.add(new Exp.LoopParam(dualType(p.param()), p.init(), p.attrs()));
    }
    for (int k = 0; k < l.params().size(); k++) {
      if (!wanted.get(k)) {
        continue;
      }
      Exp.LoopParam p = l.params().get(k);
      for (int d = 0; d < directions(); d++) {
        SubExp init = tangents.value(e, p.init(), d);
        Param t = e.param(tangentOf(p.param().name()), p.param().type(), p.param().unique());
        tangents.set(p.param().name(), d, SubExp.of(t.name()));
        params.add(new Exp.LoopParam(t, init, p.attrs()));
      }
    }
    if (l.form() instanceof Exp.Form.For f) {
      e.scope().add(f.index(), Type.prim(f.type()));
    }
    Body b = body(l.body(), wanted);
    e.add(dual(s.pat(), wanted), new Exp.Loop(params, l.form(), b));
  }

  /**
   * Emits a {@code WithAcc} in which the accumulators of active tokens have the tangents as
   * additional components.
   */
  private void withAcc(Stm s, Exp.WithAcc w) {
    Lambda l = w.lambda();
    int n = w.inputs().size();
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < n; i++) {
      Exp.AccInput in = w.inputs().get(i);
      List<PatElem> mine = s.pat().subList(at, at + in.arrays().size());
      at += in.arrays().size();
      if (!active.contains(l.params().get(i).name())) {
        inputs.add(in);
        pat.addAll(mine);
        continue;
      }
      List<Name> arrays = new ArrayList<>(in.arrays());
      for (Name a : in.arrays()) {
        for (SubExp t : tangents.values(e, SubExp.of(a))) {
          arrays.add(Emitter.array(t));
        }
      }
      inputs.add(new Exp.AccInput(in.space(), arrays, operator(in)));
      pat.addAll(dual(mine, mine.stream().map(p -> true).toList()));
    }
    List<PatElem> others = s.pat().subList(at, s.pat().size());
    List<Boolean> wanted = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      wanted.add(false);
    }
    wanted.addAll(wanted(others));
    List<Param> params = l.params().stream().map(this::dualType).toList();
    Body b = body(l.body(), wanted);
    pat.addAll(dual(others, wanted(others)));
    List<Type> results = b.results().stream().map(e::type).toList();
    e.add(pat, new Exp.WithAcc(inputs, new Lambda(params, b, results)));
  }

  private Exp.@Nullable AccOp operator(Exp.AccInput in) {
    Exp.AccOp op = in.op();
    if (op == null) {
      return null;
    }
    int rank = in.space().size();
    int n = in.arrays().size();
    List<Param> given = op.lambda().params();
    List<Param> params = new ArrayList<>(given.subList(0, rank));
    params.forEach(p -> e.scope().add(p.name(), p.type()));
    for (int side = 0; side < 2; side++) {
      List<Param> mine = given.subList(rank + side * n, rank + (side + 1) * n);
      params.addAll(withTangents(mine));
    }
    Body b = body(op.lambda().body(), in.arrays().stream().map(a -> true).toList());
    List<Type> results = b.results().stream().map(e::type).toList();
    List<SubExp> neutral = new ArrayList<>(op.neutral());
    for (SubExp ne : op.neutral()) {
      neutral.addAll(tangents.values(e, ne));
    }
    return new Exp.AccOp(new Lambda(params, b, results), neutral);
  }

  /** Returns parameters, followed by parameters for their tangents. */
  List<Param> withTangents(List<Param> params) {
    List<Param> all = new ArrayList<>();
    for (Param p : params) {
      e.scope().add(p.name(), p.type());
      all.add(p);
    }
    for (Param p : params) {
      for (int d = 0; d < directions(); d++) {
        Param t = e.param(tangentOf(p.name()), p.type(), p.unique());
        tangents.set(p.name(), d, SubExp.of(t.name()));
        all.add(t);
      }
    }
    return all;
  }

  /** Emits the statements of a function whose parameters have tangents. */
  void inlined(Lambda f) {
    Set<Name> inputs = new HashSet<>(active);
    for (Param p : f.params()) {
      for (int d = 0; d < directions(); d++) {
        if (tangents.get(p.name(), d) != null) {
          inputs.add(p.name());
        }
      }
    }
    Set<Name> all = Activity.of(f.body(), inputs);
    new Forward(derivation, all, tangents, e).stms(f.body().stms());
  }

  private void apply(Stm s, Exp.Apply a) {
    List<Boolean> given = a.args().stream().map(this::isActive).toList();
    String derived =
        derivation.functions().forward(a.function(), given, directions(), s.aux().loc());
    List<SubExp> args = new ArrayList<>(a.args());
    List<Boolean> consumed = new ArrayList<>(a.consumed());
    for (int k = 0; k < a.args().size(); k++) {
      if (!given.get(k)) {
        continue;
      }
      args.addAll(tangents.values(e, a.args().get(k)));
      for (int d = 0; d < directions(); d++) {
        consumed.add(a.consumed().get(k));
      }
    }
    e.add(dual(s.pat(), wanted(s.pat())), new Exp.Apply(derived, args, consumed));
  }
}
