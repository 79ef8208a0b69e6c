package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.soac.VectorOperator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flattens maps, reductions and scans. The first rule that applies is taken:
 *
 * <ol>
 *   <li>A reduction or scan with invariant width, results and operator becomes a segmented
 *       operation over the nest's space with one more dimension. Its operator works on scalars or
 *       elementwise on arrays. If the map before it is parallel as well, there may be a second
 *       version.
 *   <li>A reduction or scan of scalars with a varying width and a sequential body becomes a
 *       segmented scan over the consecutive elements of all segments.
 *   <li>A map that permits versions gets versions: see {@link Versions}.
 *   <li>Another map adds a dimension to the nest. If its width varies, the new nest has one segment
 *       for each element of all segments.
 *   <li>Otherwise the map becomes a separate statement, or one thread executes the whole operation,
 *       or the operation becomes a loop, which is then flattened.
 * </ol>
 */
final class ScremaFlattening {
  private final Flattener in;
  private final Versions versions;

  ScremaFlattening(Flattener in) {
    this.in = in;
    this.versions = new Versions(in, this);
  }

  Versions versions() {
    return versions;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x) {
    if (x.isMap()) {
      if (versions.isVersionable(h, n, env, s, x)) {
        versions.map(h, n, env, s, x);
      } else {
        Flattener.put(env, s, map(h, n, env, s, x));
      }
      return;
    }
    boolean invariant = hasInvariantOperators(env, x);
    boolean regular = s.pat().stream().allMatch(p -> Flattener.isRegular(env, s, p.type()));
    if (!env.varies(x.width()) && regular && invariant && in.preparation.isOnScalars(x)) {
      Flattener.put(env, s, versions.fold(h, n, env, s, x));
    } else if (invariant && fitsFlatScan(env, x)) {
      Flattener.put(env, s, flatFold(h, n, env, x));
    } else {
      other(h, n, env, s, x, regular);
    }
  }

  private static boolean hasInvariantOperators(LiftedEnv env, Soac.Screma x) {
    for (Lambda op : operators(x)) {
      for (Name f : FreeNames.of(op)) {
        LiftedName v = env.get(f);
        if (v != null && !(v.rep() instanceof ValueRep.Certificate)) {
          return false;
        }
      }
    }
    return neutral(x).stream()
        .allMatch(e -> !env.varies(e) || env.isRegular(env.of(((SubExp.Var) e).name()).type()));
  }

  private static List<Lambda> operators(Soac.Screma x) {
    List<Lambda> all = new ArrayList<>();
    x.scans().forEach(o -> all.add(o.op()));
    x.reduces().forEach(o -> all.add(o.op()));
    return all;
  }

  private static List<SubExp> neutral(Soac.Screma x) {
    List<SubExp> all = new ArrayList<>();
    x.scans().forEach(o -> all.addAll(o.neutral()));
    x.reduces().forEach(o -> all.addAll(o.neutral()));
    return all;
  }

  /** Tests whether the threads of a scan over scalars can execute the whole operation. */
  private boolean fitsFlatScan(LiftedEnv env, Soac.Screma x) {
    if (!in.preparation.isOnScalars(x)) {
      return false;
    }
    for (Lambda l : List.of(x.map(), x.post())) {
      if (in.parallelism.isMeaningful(l)) {
        return false;
      }
    }
    for (Lambda op : operators(x)) {
      if (op.results().stream().anyMatch(t -> t.rank() > 0)) {
        return false;
      }
    }
    List<Type> rows = new ArrayList<>(x.map().results());
    rows.addAll(x.post().results());
    return rows.stream().allMatch(env::isRegular);
  }

  // Inner nests

  /** Returns the nest of the body of a lambda with the given width. */
  Nest inner(HostBuilder h, Nest n, LiftedEnv env, SubExp width, List<Name> inputs) {
    return env.varies(width) ? flat(h, n, env, width, inputs) : new Nest.Uniform(n, width);
  }

  /**
   * Returns the environment inside the lambda: the outer environment and the lambda's parameters.
   */
  LiftedEnv inputs(
      HostBuilder h, Nest n, LiftedEnv env, Nest inner, List<Name> inputs, List<Param> params) {
    LiftedEnv e = env.copy();
    for (int i = 0; i < inputs.size(); i++) {
      Param p = params.get(i);
      in.cx.scope.add(p.name(), p.type());
      e.put(p.name(), new LiftedName(p.type(), row(h, n, env, inner, inputs.get(i), p), inner));
    }
    return e;
  }

  private ValueRep row(HostBuilder h, Nest n, LiftedEnv env, Nest inner, Name input, Param p) {
    LiftedName v = env.get(input);
    if (v == null) {
      if (h.type(input) instanceof Type.Acc) {
        return new ValueRep.Accumulator(input);
      }
      return inner.dims().size() == 1 && n instanceof Nest.Top && inner instanceof Nest.Uniform
          ? new ValueRep.Regular(input)
          : new ValueRep.HostRow(input);
    }
    if (v.rep() instanceof ValueRep.Accumulator) {
      return v.rep();
    }
    if (v.nest().equals(n)) {
      if (inner instanceof Nest.Uniform && v.rep() instanceof ValueRep.Regular r) {
        return r;
      }
      if (inner instanceof Nest.Flat f
          && v.rep() instanceof ValueRep.Irregular r
          && r.dense()
          && env.isRegular(p.type())) {
        List<SubExp> shape = new ArrayList<>(List.of(f.count()));
        shape.addAll(p.type().dims());
        return new ValueRep.Regular(h.reshaped(r.data(), shape));
      }
    }
    return new ValueRep.Row(v);
  }

  /** Returns the array of a lambda's result in an inner nest, as a value of the outer nest. */
  LiftedName collected(
      HostBuilder h,
      Nest n,
      LiftedEnv env,
      Nest inner,
      LiftedEnv within,
      SubExp width,
      SubExp result,
      Type row) {
    if (row instanceof Type.Acc) {
      return new LiftedName(row, within.of(((SubExp.Var) result).name()).rep(), n);
    }
    Type type = Type.array(row, width);
    if (env.isRegular(row)) {
      Name all = Regularisation.regular(h, inner, within, result, row);
      if (inner instanceof Nest.Uniform) {
        return new LiftedName(type, new ValueRep.Regular(all), n);
      }
      return new LiftedName(type, inRow(h, n, env, (Nest.Flat) inner, all, width, row), n);
    }
    ValueRep.Irregular parts =
        Regularisation.dense(
            h, inner, Regularisation.irregular(h, inner, within, ((SubExp.Var) result).name()));
    List<SubExp> dims = new ArrayList<>(List.of(width));
    dims.addAll(row.dims());
    Name sizes = Regularisation.sizes(h, n, env, dims);
    Name offsets =
        Regularisation.perSegment(
            h,
            n,
            env,
            "offsets",
            k -> {
              SubExp w = k.operand(width);
              return k.either(
                  k.compare(CmpOp.Kind.SLT, SubExp.i64(0), w),
                  Type.I64,
                  a -> a.element(parts.offsets(), first(a, n, inner, w)),
                  a -> SubExp.i64(0));
            });
    return new LiftedName(type, new ValueRep.Irregular(sizes, offsets, parts.data(), true), n);
  }

  /** Returns the number of the first inner segment of an outer segment. */
  private static SubExp first(SegBodyBuilder k, Nest n, Nest inner, SubExp width) {
    return inner instanceof Nest.Flat f
        ? k.element(Objects.requireNonNull(f.offsets()), k.number(n))
        : k.times(k.number(n), width);
  }

  /** Returns the rows of the inner segments as a flat array, segmented by the outer nest. */
  private ValueRep.Irregular inRow(
      HostBuilder h, Nest n, LiftedEnv env, Nest.Flat inner, Name rows, SubExp width, Type row) {
    List<SubExp> dims = new ArrayList<>(List.of(width));
    dims.addAll(row.dims());
    Name sizes = Regularisation.sizes(h, n, env, dims);
    Name starts = Objects.requireNonNull(inner.offsets());
    Name offsets =
        row.rank() == 0
            ? starts
            : Regularisation.perSegment(
                h,
                n,
                env,
                "offsets",
                k -> k.times(k.element(starts, k.number(n)), k.product(row.dims())));
    return new ValueRep.Irregular(sizes, offsets, h.flat(rows), true);
  }

  // Maps

  /** Flattens a map whose body becomes parallel as far as possible. */
  List<LiftedName> map(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x) {
    Lambda l = Scremas.mapThenPost(x);
    Nest inner = inner(h, n, env, x.width(), x.inputs());
    LiftedEnv within = inputs(h, n, env, inner, x.inputs(), l.params());
    in.body(h, inner, within, stms(n, s, l), l.body().results());
    List<LiftedName> results = new ArrayList<>();
    for (int i = 0; i < l.results().size(); i++) {
      SubExp r = l.body().results().get(i);
      results.add(collected(h, n, env, inner, within, x.width(), r, l.results().get(i)));
    }
    return results;
  }

  /**
   * Returns the statements of a lambda. Outside all maps, they inherit the flattening attributes of
   * the map.
   */
  static List<Stm> stms(Nest n, Stm s, Lambda l) {
    return n instanceof Nest.Top ? Versions.propagate(s.aux(), l.body().stms()) : l.body().stms();
  }

  // Reductions and scans

  /** Flattens a reduction or scan to one over an additional dimension, with a sequential body. */
  List<Name> fold(HostBuilder h, Nest n, LiftedEnv env, Soac.Screma x) {
    return x.scans().isEmpty() ? reduce(h, n, env, x) : scan(h, n, env, x);
  }

  private List<Name> reduce(HostBuilder h, Nest n, LiftedEnv env, Soac.Screma x) {
    Lambda l = Scremas.mapThenPost(x);
    // Results without dimensions would be host reads. A segment dimension of size 1 keeps them on
    // the device.
    boolean alone = n instanceof Nest.Top && h.place == FlatteningLevel.HOST;
    Nest segments = alone ? new Nest.Uniform(n, SubExp.i64(1)) : n;
    Nest inner = new Nest.Uniform(segments, x.width());
    LiftedEnv within = inputs(h, n, env, inner, x.inputs(), l.params());
    List<SegOp.SegBinOp> ops = new ArrayList<>();
    SegBodyBuilder k = h.kernel(inner, within);
    for (Soac.Reduce r : x.reduces()) {
      ops.add(operator(h, n, env, k, r.commutative(), r.op(), r.neutral()));
    }
    k.run(l.body().stms());
    List<Name> all = h.segRed("red", k, ops, k.results(l.body().results()));
    if (!alone) {
      return all;
    }
    List<Name> results = new ArrayList<>();
    for (Name v : all) {
      results.add(
          h.type(v) instanceof Type.Acc
              ? v
              : ((SubExp.Var) h.element("red", v, SubExp.i64(0))).name());
    }
    return results;
  }

  private List<Name> scan(HostBuilder h, Nest n, LiftedEnv env, Soac.Screma x) {
    Nest inner = new Nest.Uniform(n, x.width());
    LiftedEnv within = inputs(h, n, env, inner, x.inputs(), x.map().params());
    SegBodyBuilder k = h.kernel(inner, within);
    List<SegOp.SegBinOp> ops = new ArrayList<>();
    for (Soac.Scan c : x.scans()) {
      ops.add(operator(h, n, env, k, false, c.op(), c.neutral()));
    }
    k.run(x.map().body().stms());
    List<SubExp> values = ownedByPost(k, x.map().body(), x.post());
    return h.segScan("scan", k, ops, values, post(k, List.of(), x.post()));
  }

  /**
   * Returns the values that a body passes to the function after a scan. A value is a copy if that
   * function overwrites it and it aliases an array from outside.
   */
  private static List<SubExp> ownedByPost(SegBodyBuilder k, Body body, Lambda post) {
    Set<Name> consumed = Consumption.of(post.body(), Aliases.of(post.body().stms()));
    Aliases inside = Aliases.of(body.stms());
    Set<Name> made = new HashSet<>();
    for (Stm s : body.stms()) {
      made.addAll(s.names());
    }
    List<SubExp> values = new ArrayList<>(k.results(body.results()));
    for (int i = 0; i < values.size(); i++) {
      if (!(post.params().get(i).type() instanceof Type.Array t)
          || !consumed.contains(post.params().get(i).name())
          || !(body.results().get(i) instanceof SubExp.Var v)
          || made.containsAll(inside.roots(v.name()))) {
        continue;
      }
      BasicOp copy = new BasicOp.Replicate(List.of(), values.get(i));
      values.set(i, k.letExp(v.name().base(), t.withShape(k.operands(t.dims())), copy));
    }
    return values;
  }

  /** Returns the function after a scan, with additional leading parameters that it ignores. */
  private static Lambda post(SegBodyBuilder k, List<Param> before, Lambda post) {
    SegBodyBuilder after = k.again();
    List<Param> params = new ArrayList<>(before);
    for (Param p : post.params()) {
      params.add(after.param(p));
    }
    after.run(post.body().stms());
    return after.lambda(params, post.body().results());
  }

  private SegOp.SegBinOp operator(
      HostBuilder h,
      Nest n,
      LiftedEnv env,
      SegBodyBuilder k,
      boolean commutative,
      Lambda op,
      List<SubExp> neutral) {
    List<SubExp> known = new ArrayList<>();
    for (SubExp e : neutral) {
      known.add(neutral(h, n, env, e));
    }
    Builder before = new Builder(in.cx.names);
    VectorOperator v = VectorOperator.of(op, known, needed(h, n, known), before, in.cx.scope);
    before.stms().forEach(h::adopt);
    return new SegOp.SegBinOp(commutative, k.operator(v.op()), v.neutral(), v.shape());
  }

  /**
   * Returns the condition for evaluating the neutral elements: if one is an array, the nest must
   * have a segment.
   */
  SubExp needed(HostBuilder h, Nest n, List<SubExp> neutral) {
    boolean arrays = neutral.stream().anyMatch(e -> h.type(e).rank() > 0);
    return !arrays || n.dims().isEmpty()
        ? SubExp.TRUE
        : h.cmp("some", CmpOp.Kind.SLT, SubExp.i64(0), h.count(n));
  }

  /**
   * Returns a neutral element as a value of the host. An element that varies has equal values in
   * all segments, since the operator does not vary. This method reads the element of the first
   * segment, if the nest has one.
   */
  SubExp neutral(HostBuilder h, Nest n, LiftedEnv env, SubExp e) {
    if (!env.varies(e)) {
      return e;
    }
    Type t = env.of(((SubExp.Var) e).name()).type();
    SubExp some = h.cmp("some", CmpOp.Kind.SLT, SubExp.i64(0), h.count(n));
    Name all = Regularisation.regular(h, n, env, e, t);
    SubExp[] zeros = n.dims().stream().map(d -> SubExp.i64(0)).toArray(SubExp[]::new);
    List<Name> first =
        h.either(
            "ne",
            List.of(t),
            some,
            a -> List.of(a.element("ne", all, zeros)),
            a -> List.of(a.nothing(t)));
    return SubExp.of(first.get(0));
  }

  /** Flattens a reduction or scan to a segmented scan over all elements. */
  private List<LiftedName> flatFold(HostBuilder h, Nest n, LiftedEnv env, Soac.Screma x) {
    boolean scans = !x.scans().isEmpty();
    Lambda l = scans ? x.map() : Scremas.mapThenPost(x);
    Nest.Flat inner = flat(h, n, env, x.width(), x.inputs());
    LiftedEnv within = inputs(h, n, env, inner, x.inputs(), l.params());
    SegBodyBuilder k = h.kernel(inner, within);
    List<SubExp> neutral = new ArrayList<>();
    List<Lambda> ops = new ArrayList<>();
    for (SubExp e : neutral(x)) {
      neutral.add(neutral(h, n, env, e));
    }
    for (Lambda op : operators(x)) {
      ops.add(k.operator(op));
    }
    k.run(l.body().stms());
    SubExp begins = begins(h, inner, k);
    List<SubExp> values = new ArrayList<>(List.of(begins));
    values.addAll(scans ? ownedByPost(k, l.body(), x.post()) : k.results(l.body().results()));
    List<SubExp> start = new ArrayList<>(List.of(SubExp.FALSE));
    start.addAll(neutral);
    SegOp.SegBinOp op = new SegOp.SegBinOp(false, segmented(ops), start, List.of());
    Param flag = new Param(in.cx.names.fresh("begins"), Type.BOOL);
    Lambda post =
        scans ? post(k, List.of(flag), x.post()) : post(k, List.of(flag), identity(l.results()));
    List<Name> all = h.segScan("scan", k, List.of(op), values, post);
    List<LiftedName> results = new ArrayList<>();
    List<Type> rows = scans ? x.post().results() : l.results();
    int reduced = scans ? 0 : neutral.size();
    if (reduced > 0) {
      results.addAll(lastElements(h, n, env, x.width(), inner, all.subList(0, reduced), neutral));
    }
    for (int i = reduced; i < all.size(); i++) {
      Type row = rows.get(i);
      ValueRep rep =
          row instanceof Type.Acc
              ? new ValueRep.Accumulator(all.get(i))
              : inRow(h, n, env, inner, all.get(i), x.width(), row);
      results.add(new LiftedName(Type.array(row, x.width()), rep, n));
    }
    return results;
  }

  /**
   * Returns the nest of all elements of a map. If an input is a dense flat array, the nest reuses
   * its layout and numbers its segments on demand.
   */
  private Nest.Flat flat(HostBuilder h, Nest n, LiftedEnv env, SubExp width, List<Name> inputs) {
    Name sizes = Regularisation.sizes(h, n, env, List.of(width));
    for (Name a : inputs) {
      if (h.known(sizes) != null) {
        break;
      }
      LiftedName v = env.get(a);
      if (v != null
          && v.nest().equals(n)
          && v.rep() instanceof ValueRep.Irregular r
          && r.dense()
          && v.type().rank() == 1) {
        SubExp count = h.type(r.data()).outerSize();
        SegmentDescriptor known = h.known(r.sizes());
        Name ids = known != null ? known.ids() : in.cx.unnumbered(r.sizes());
        return new Nest.Flat(n, count, ids, r.offsets());
      }
    }
    SegmentDescriptor all = h.numbering(sizes);
    return new Nest.Flat(n, all.total(), all.ids(), all.offsets());
  }

  /** Returns whether the current element is the first of its segment. */
  private SubExp begins(HostBuilder h, Nest.Flat inner, SegBodyBuilder k) {
    Name sizes = in.cx.sizes(inner.ids());
    if (sizes == null || h.known(sizes) != null) {
      return k.compare(CmpOp.Kind.EQ, k.position(inner), SubExp.i64(0));
    }
    Name offsets = Objects.requireNonNull(inner.offsets());
    return h.begins(k, k.at(inner).get(0), inner.count(), sizes, offsets);
  }

  private Lambda identity(List<Type> types) {
    return Scremas.identity(types, in.cx.names);
  }

  /**
   * Returns the segmented operator: several operators on values with a flag for the first element
   * of a segment.
   */
  private Lambda segmented(List<Lambda> ops) {
    Param a = new Param(in.cx.names.fresh("begins"), Type.BOOL);
    Param b = new Param(in.cx.names.fresh("begins"), Type.BOOL);
    List<Param> left = new ArrayList<>(List.of(a));
    List<Param> right = new ArrayList<>(List.of(b));
    List<Type> types = new ArrayList<>();
    Builder combined = new Builder(in.cx.names);
    List<SubExp> values = new ArrayList<>();
    for (Lambda op : ops) {
      int m = op.results().size();
      left.addAll(op.params().subList(0, m));
      right.addAll(op.params().subList(m, 2 * m));
      types.addAll(op.results());
      combined.addAll(op.body().stms());
      values.addAll(op.body().results());
    }
    List<SubExp> news = right.stream().skip(1).map(p -> SubExp.of(p.name())).toList();
    Builder body = new Builder(in.cx.names);
    SubExp either =
        body.binOp(
            "begins", BinOp.Kind.LOG_OR, PrimType.BOOL, SubExp.of(a.name()), SubExp.of(b.name()));
    List<PatElem> pat = new ArrayList<>();
    for (Type t : types) {
      pat.add(new PatElem(in.cx.names.fresh("v"), t));
    }
    body.let(
        pat,
        Exp.Match.conditional(
            SubExp.of(b.name()), new Body(List.of(), news), combined.body(values)));
    List<SubExp> results = new ArrayList<>(List.of(either));
    pat.forEach(p -> results.add(SubExp.of(p.name())));
    List<Param> params = new ArrayList<>(left);
    params.addAll(right);
    List<Type> all = new ArrayList<>(List.of(Type.BOOL));
    all.addAll(types);
    Lambda l = new Lambda(params, body.body(results), all);
    in.cx.learn(l);
    return l;
  }

  /**
   * Returns the last scanned value of each segment, or the neutral element if the segment is empty.
   */
  private List<LiftedName> lastElements(
      HostBuilder h,
      Nest n,
      LiftedEnv env,
      SubExp width,
      Nest.Flat inner,
      List<Name> scanned,
      List<SubExp> neutral) {
    Name offsets = Objects.requireNonNull(inner.offsets());
    SegBodyBuilder k = h.kernel(n, env);
    SubExp w = k.operand(width);
    SubExp some = k.compare(CmpOp.Kind.SLT, SubExp.i64(0), w);
    List<Type> types = scanned.stream().map(v -> h.type(v).row()).toList();
    SubExp last =
        k.either(
            some,
            Type.I64,
            a -> a.minus(a.plus(a.element(offsets, a.number(n)), w), SubExp.i64(1)),
            a -> SubExp.i64(0));
    List<SubExp> values = new ArrayList<>();
    List<String> bases = new ArrayList<>();
    for (int i = 0; i < scanned.size(); i++) {
      Name v = scanned.get(i);
      SubExp ne = neutral.get(i);
      values.add(k.either(some, types.get(i), a -> a.element(v, last), a -> ne));
      bases.add("red");
    }
    List<Name> all = h.segMap(bases, k, values);
    List<LiftedName> results = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      results.add(new LiftedName(types.get(i), new ValueRep.Regular(all.get(i)), n));
    }
    return results;
  }

  // Remaining cases

  private void other(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x, boolean regular) {
    List<Stm> instead = factored(s, x);
    if (instead == null && !in.preparation.isOnScalars(x)) {
      instead = in.inRounds(h, s, x);
    }
    if (instead == null && regular) {
      in.scalars(h, n, env, List.of(s), new HashSet<>(s.names()));
      return;
    }
    if (instead == null) {
      instead = in.preparation.asLoop(s, x);
    }
    in.cx.learn(instead);
    in.body(h, n, env, instead, FlatteningContext.operands(s.names()));
  }

  /**
   * Returns the map, before or after, as a separate statement if it has profitable parallelism;
   * else null.
   */
  @Nullable List<Stm> factored(Stm s, Soac.Screma x) {
    boolean map = in.parallelism.isMeaningful(x.map());
    boolean post = in.parallelism.isMeaningful(x.post());
    List<Stm> parts;
    if (x.scans().isEmpty()) {
      if (!in.parallelism.isMeaningful(Scremas.mapThenPost(x))) {
        return null;
      }
      parts = Scremas.outputsFirst(s, x, in.cx.names);
    } else if (post) {
      parts = Scremas.scanThenPost(s, x, in.cx.names);
    } else if (map) {
      parts = Scremas.mapFirst(s, x, in.cx.names);
    } else {
      return null;
    }
    in.cx.learn(parts);
    return Versions.propagate(s.aux(), parts);
  }
}
