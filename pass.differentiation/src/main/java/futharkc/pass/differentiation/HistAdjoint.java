package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.compare;
import static futharkc.core.ir.build.Arithmetic.times;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Weight;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.build.Sorting;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reverse mode of histograms, of values a with indices b, into old values h.
 *
 * <pre>
 * y = hist + h b a         h_ += y_;  a_[i] += y_[b[i]]
 * y = hist max h b a       y[j] is h[j] or a[k[j]]:  h_[j] += y_[j] or a_[k[j]] += y_[j]
 * y = hist * h b a         with p and z of each bucket as for a reduction, p = 0 there if z is not:
 *                          h_[j] += p[j] y_[j];  a_[i] as for a reduction, with h[j] y_[j]
 * y = hist op h b a        y = h op g, with g = hist op ne b a; for g, values are sorted by
 *                          bucket, and each bucket is a reduction:
 *                          a_[i] += g_[b[i]] times the derivative of l[i] op a[i] op r[i] by a[i]
 * </pre>
 *
 * <p>Schenck et al., AD for an Array Language with Nested Parallelism, SC 2022, section 5.1.2, and
 * Bruun, Larsen, Henriksen and Oancea, Reverse-Mode AD of Multi-Reduce and Scan in Futhark, IFL
 * 2023. With w buckets, the general rule takes n log w work.
 */
final class HistAdjoint {
  /** The maximal number of operations that are computed again instead of saved. */
  private static final int FEW = 4;

  private final Sweep sweep;
  private final Adjoints adjoints;
  private final Emitter e;

  HistAdjoint(Sweep sweep, Emitter e) {
    this.sweep = sweep;
    this.adjoints = sweep.adjoints();
    this.e = e;
  }

  void reverse(Stm s, Soac.Hist x) {
    Soac.HistOp o = x.ops().get(0);
    BinOp extremum = OperatorForms.extremum(o.op());
    PatElem y = s.pat().get(0);
    if (OperatorForms.isSum(o.op())) {
      sum(x, o, adjoints.value(e, y.name()));
    } else if (extremum != null) {
      extremum(s, x, o, extremum);
    } else if (OperatorForms.isProduct(o.op()) && y.type().elemPrim().isFloat()) {
      product(x, o, adjoints.value(e, y.name()));
    } else {
      general(s, x, o);
    }
  }

  private static SubExp index(Soac.Hist x) {
    return SubExp.of(x.inputs().get(0));
  }

  private static SubExp value(Soac.Hist x, int k) {
    return SubExp.of(x.inputs().get(1 + k));
  }

  /**
   * Returns, for each value, its bucket's element of an array; zero if the index is out of range.
   */
  private SubExp gather(Soac.Hist x, SubExp array) {
    Soac.Screma again = buckets(x.inputs().get(0));
    if (again == null) {
      return atKeys(array, index(x), x.width());
    }
    SubExp zeros = Arithmetic.zeros(e, e.type(array).row());
    return e.map(
            "adj",
            x.width(),
            Emitter.operands(again.inputs()),
            (in, v) -> {
              SubExp bucket = Folds.apply(in, again.map(), v).get(0);
              return List.of(Extrema.element(in, array, bucket, zeros));
            })
        .get(0);
  }

  /**
   * Returns a map that computes the buckets again, or null. The map must consist of a few
   * operations on the elements of one array: to read that array costs no more than to read saved
   * buckets.
   */
  private Soac.@Nullable Screma buckets(Name buckets) {
    Stm def = sweep.states().definition(buckets);
    if (def == null || !(def.exp() instanceof Soac.Screma map) || !map.isMap()) {
      return null;
    }
    if (!map.post().body().stms().isEmpty()) {
      return null;
    }
    SubExp result = map.post().body().results().get(def.names().indexOf(buckets));
    List<SubExp> passed = map.post().params().stream().map(p -> SubExp.of(p.name())).toList();
    if (!passed.contains(result)) {
      return null;
    }
    SubExp bucket = map.map().body().results().get(passed.indexOf(result));
    Body body = new DeadCode().body(new Body(map.map().body().stms(), List.of(bucket)));
    if (body.stms().size() > FEW) {
      return null;
    }
    for (Stm s : body.stms()) {
      if (Weight.of(s.exp()) != Weight.OPERATION || !s.aux().certs().isEmpty()) {
        return null;
      }
    }
    Set<Name> free = FreeNames.of(body);
    List<Param> params = map.map().params().stream().filter(p -> free.contains(p.name())).toList();
    if (params.size() != 1) {
      return null;
    }
    Name input = map.inputs().get(map.map().params().indexOf(params.get(0)));
    if (sweep.states().isStale(input)) {
      return null;
    }
    return e.mapping(map.width(), List.of(input), new Lambda(params, body, List.of(Type.I64)));
  }

  private void sum(Soac.Hist x, Soac.HistOp o, SubExp y) {
    if (adjoints.isActive(value(x, 0))) {
      adjoints.add(e, value(x, 0), gather(x, y), true);
    }
    adjoints.add(e, SubExp.of(o.dests().get(0)), y);
  }

  private void extremum(Stm s, Soac.Hist x, Soac.HistOp o, BinOp extremum) {
    PatElem p = s.pat().get(0);
    SubExp y = adjoints.value(e, p.name());
    SubExp size = o.shape().get(0);
    Emitter before = e.inner().at(s.aux());
    PatElem ks = new PatElem(e.names().fresh("ks"), Type.array(Type.I64, size));
    SubExp old = before.let("old", ks.type(), new BasicOp.Replicate(List.of(size), Extrema.OLD));
    List<Name> inputs =
        List.of(x.inputs().get(0), x.inputs().get(1), Emitter.array(before.iota(x.width())));
    var op =
        new Soac.HistOp(
            o.shape(),
            o.raceFactor(),
            List.of(o.dests().get(0), Emitter.array(old)),
            List.of(o.neutral().get(0), Extrema.NOWHERE),
            Extrema.operator(before, extremum));
    List<Type> rows = inputs.stream().map(n -> before.type(n).row()).toList();
    before.add(
        List.of(p, ks), new Soac.Hist(x.width(), inputs, List.of(op), before.identity(rows)));
    sweep.replaceAt(sweep.position(), s, before.stms());
    SubExp winners = SubExp.of(ks.name());
    SubExp dest = SubExp.of(o.dests().get(0));
    if (adjoints.isActive(dest)) {
      PrimType t = p.type().elemPrim();
      SubExp kept =
          e.map(
                  "kept",
                  size,
                  List.of(winners, y),
                  (in, v) -> {
                    SubExp isOld = compare(in, CmpOp.Kind.EQ, PrimType.I64, v.get(0), Extrema.OLD);
                    return List.of(in.select(isOld, v.get(1), Arithmetic.zero(t)));
                  })
              .get(0);
      adjoints.add(e, dest, kept, true);
    }
    if (adjoints.isActive(value(x, 0))) {
      Name a = x.inputs().get(1);
      AccumulatedAdjoint.add(
          adjoints,
          e,
          a,
          (in, acc) ->
              Adjoints.over(
                  in,
                  size,
                  acc,
                  List.of(winners, y),
                  (each, inner, v, i) ->
                      each.name(
                          "acc",
                          each.type(inner),
                          new BasicOp.UpdateAcc(inner, List.of(v.get(0)), List.of(v.get(1))))));
    }
  }

  private void product(Soac.Hist x, Soac.HistOp o, SubExp y) {
    SubExp size = o.shape().get(0);
    SubExp a = value(x, 0);
    PrimType t = e.type(y).elemPrim();
    Type scalar = Type.prim(t);
    SubExp zero = Arithmetic.zero(t);
    SubExp one = Arithmetic.one(t);
    List<SubExp> parts = Folds.factors(e, x.width(), a);
    Lambda times = Folds.product(e, t);
    SubExp ps = buckets(x, o, size, parts.get(0), one, times);
    SubExp zs =
        buckets(x, o, size, parts.get(1), SubExp.i64(0), Arithmetic.summing(e, Type.I64).op());
    SubExp dest = SubExp.of(o.dests().get(0));
    if (adjoints.isActive(dest)) {
      SubExp adj =
          e.map(
                  "adj",
                  size,
                  List.of(ps, zs, y),
                  (in, v) -> {
                    SubExp none = compare(in, CmpOp.Kind.EQ, PrimType.I64, v.get(1), SubExp.i64(0));
                    SubExp full = times(in, t, v.get(0), v.get(2));
                    return List.of(in.select(none, full, zero));
                  })
              .get(0);
      adjoints.add(e, dest, adj, true);
    }
    if (!adjoints.isActive(a)) {
      return;
    }
    SubExp scaled =
        e.map(
                "scaled",
                size,
                List.of(dest, y, ps),
                (in, v) -> List.of(times(in, t, times(in, t, v.get(0), v.get(1)), v.get(2))))
            .get(0);
    SubExp adj =
        e.map(
                "adj",
                x.width(),
                List.of(index(x), a),
                (in, v) -> {
                  SubExp inside = Arithmetic.inRange(in, v.get(0), size);
                  return in.conditional(
                      "adj",
                      List.of(scalar),
                      inside,
                      yes -> List.of(factor(yes, t, scaled, zs, v.get(0), v.get(1))),
                      no -> List.of(zero));
                })
            .get(0);
    adjoints.add(e, a, adj, true);
  }

  /** Returns the contribution of one factor of a bucket. */
  private static SubExp factor(
      Emitter e, PrimType t, SubExp scaled, SubExp zs, SubExp b, SubExp a) {
    SubExp zero = Arithmetic.zero(t);
    SubExp full = e.index(scaled, List.of(b));
    SubExp z = e.index(zs, List.of(b));
    SubExp isZero = compare(e, CmpOp.Kind.EQ, t, a, zero);
    SubExp none = compare(e, CmpOp.Kind.EQ, PrimType.I64, z, SubExp.i64(0));
    SubExp single = compare(e, CmpOp.Kind.EQ, PrimType.I64, z, SubExp.i64(1));
    return e.conditional(
            "adj",
            List.of(Type.prim(t)),
            isZero,
            yes -> List.of(yes.select(single, full, zero)),
            no -> List.of(no.select(none, Arithmetic.over(no, t, full, a), zero)))
        .get(0);
  }

  /** Returns a histogram of other values into arrays of the neutral element. */
  private SubExp buckets(
      Soac.Hist x, Soac.HistOp o, SubExp size, SubExp values, SubExp neutral, Lambda op) {
    Type row = e.type(values).row();
    SubExp dest =
        e.let("dest", Type.array(row, size), new BasicOp.Replicate(List.of(size), neutral));
    var single =
        new Soac.HistOp(
            o.shape(), o.raceFactor(), List.of(Emitter.array(dest)), List.of(neutral), op);
    List<Name> inputs = List.of(x.inputs().get(0), Emitter.array(values));
    var hist =
        new Soac.Hist(x.width(), inputs, List.of(single), e.identity(List.of(Type.I64, row)));
    return e.let("bucket", Type.array(row, size), hist);
  }

  // Any operator

  private void general(Stm s, Soac.Hist x, Soac.HistOp o) {
    int d = o.dests().size();
    SubExp n = x.width();
    SubExp size = o.shape().get(0);
    List<SubExp> as = new ArrayList<>();
    for (int k = 0; k < d; k++) {
      as.add(value(x, k));
    }
    List<SubExp> gs = fromNeutral(x, o, as);
    List<@Nullable SubExp> ys = new ArrayList<>();
    for (PatElem p : s.pat()) {
      ys.add(adjoints.dense(e, p.name()));
    }
    List<Name> inputs = new ArrayList<>(o.dests());
    inputs.addAll(Folds.names(gs));
    List<Boolean> wanted = new ArrayList<>();
    for (Name h : o.dests()) {
      wanted.add(adjoints.isActive(SubExp.of(h)));
    }
    boolean values = as.stream().anyMatch(adjoints::isActive);
    for (int k = 0; k < d; k++) {
      wanted.add(values);
    }
    List<@Nullable SubExp> back =
        MapAdjoint.adjoints(sweep, e, size, inputs, Folds.copy(e, o.op()), ys, wanted, true);
    for (int k = 0; k < d; k++) {
      SubExp adj = back.get(k);
      if (adj != null) {
        adjoints.add(e, SubExp.of(o.dests().get(k)), adj, true);
      }
    }
    if (values) {
      inBuckets(x, o, as, back.subList(d, 2 * d), n, size);
    }
  }

  private List<SubExp> fromNeutral(Soac.Hist x, Soac.HistOp o, List<SubExp> as) {
    SubExp size = o.shape().get(0);
    List<Name> dests = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (SubExp ne : o.neutral()) {
      Type t = Type.array(e.type(ne), size);
      types.add(t);
      dests.add(e.name("dest", t, new BasicOp.Replicate(List.of(size), ne)));
    }
    var op = new Soac.HistOp(o.shape(), o.raceFactor(), dests, o.neutral(), Folds.copy(e, o.op()));
    List<Type> rows = new ArrayList<>(List.of(Type.I64));
    for (SubExp a : as) {
      rows.add(e.type(a).row());
    }
    return e.letAll(
        "bucket", types, new Soac.Hist(x.width(), x.inputs(), List.of(op), e.identity(rows)));
  }

  /**
   * Emits the adjoint of each bucket's values, which are sorted by bucket, as a segmented
   * reduction.
   */
  private void inBuckets(
      Soac.Hist x,
      Soac.HistOp o,
      List<SubExp> as,
      List<@Nullable SubExp> gs,
      SubExp n,
      SubExp size) {
    SubExp keys =
        e.map(
                "key",
                n,
                List.of(index(x)),
                (in, b) -> {
                  SubExp inside = Arithmetic.inRange(in, b.get(0), size);
                  return List.of(in.select(inside, b.get(0), size));
                })
            .get(0);
    List<SubExp> sorted = Sorting.byKey(e, n, keys, size);
    SubExp ks = sorted.get(0);
    SubExp from = sorted.get(1);
    List<SubExp> own = permuted(as, from, n);
    SubExp first = changes(ks, n, -1);
    SubExp last = changes(ks, n, 1);
    List<SubExp> us = segmented(own, first, Folds.copy(e, o.op()), o.neutral(), n);
    List<SubExp> backwards =
        Folds.reversed(
            e,
            segmented(
                Folds.reversed(e, own),
                Folds.reversed(e, last),
                Folds.flipped(e, o.op()),
                o.neutral(),
                n));
    List<SubExp> left = Folds.before(e, n, us, o.neutral());
    List<SubExp> right = Folds.after(e, n, backwards, o.neutral());
    List<@Nullable SubExp> ys = new ArrayList<>();
    for (SubExp g : gs) {
      ys.add(g == null ? null : atKeys(g, ks, n));
    }
    var all = new ReduceAdjoint.Neighbours(left, own, us, right, first, last);
    List<@Nullable SubExp> adj = ReduceAdjoint.elements(sweep, e, n, o.op(), all, ys, as);
    List<Integer> given = new ArrayList<>();
    List<SubExp> parts = new ArrayList<>();
    for (int k = 0; k < as.size(); k++) {
      SubExp a = adj.get(k);
      if (a == null) {
        continue;
      }
      given.add(k);
      parts.add(a);
    }
    if (parts.isEmpty()) {
      return;
    }
    List<SubExp> placed = Sorting.scatter(e, n, parts, from, n);
    for (int k = 0; k < given.size(); k++) {
      adjoints.add(e, as.get(given.get(k)), placed.get(k), true);
    }
  }

  private List<SubExp> permuted(List<SubExp> arrays, SubExp from, SubExp n) {
    return e.map(
        "own",
        n,
        List.of(from),
        (in, i) -> arrays.stream().map(a -> in.index(a, List.of(i.get(0)))).toList());
  }

  /** Returns, for each key, its bucket's element of an array; zero for a key out of range. */
  private SubExp atKeys(SubExp array, SubExp ks, SubExp n) {
    Type row = e.type(array).row();
    SubExp zeros = Arithmetic.zeros(e, row);
    return e.map(
            "adj", n, List.of(ks), (in, k) -> List.of(Extrema.element(in, array, k.get(0), zeros)))
        .get(0);
  }

  /** Returns flags: true if the key at a distance differs or does not exist. */
  private SubExp changes(SubExp ks, SubExp n, long distance) {
    return e.map(
            "change",
            n,
            List.of(ks, e.iota(n)),
            (in, v) -> {
              SubExp at = Arithmetic.add(in, v.get(1), SubExp.i64(distance));
              SubExp other = Extrema.element(in, ks, at, SubExp.i64(-1));
              SubExp same = compare(in, CmpOp.Kind.EQ, PrimType.I64, v.get(0), other);
              return List.of(in.select(same, SubExp.FALSE, SubExp.TRUE));
            })
        .get(0);
  }

  /** Returns a segmented scan, whose segments begin at the flags. */
  private List<SubExp> segmented(
      List<SubExp> arrays, SubExp flags, Lambda op, List<SubExp> neutral, SubExp n) {
    int d = arrays.size();
    List<Type> types = new ArrayList<>();
    for (int side = 0; side < 2; side++) {
      types.add(Type.BOOL);
      for (SubExp a : arrays) {
        types.add(e.type(a).row());
      }
    }
    Lambda f =
        e.lambda(
            "seg",
            types,
            (in, v) -> {
              SubExp flag = v.get(1 + d);
              List<SubExp> right = v.subList(2 + d, 2 + 2 * d);
              List<SubExp> out = new ArrayList<>();
              out.add(Arithmetic.plus(in, PrimType.BOOL, v.get(0), flag));
              out.addAll(
                  in.conditional(
                      "seg",
                      types.subList(1, 1 + d),
                      flag,
                      anew -> right,
                      on -> Folds.apply(on, op, v.subList(1, 1 + d), right)));
              return out;
            });
    List<SubExp> zero = new ArrayList<>(List.of(SubExp.FALSE));
    zero.addAll(neutral);
    List<SubExp> inputs = new ArrayList<>(List.of(flags));
    inputs.addAll(arrays);
    return e.scan("seg", n, Folds.names(inputs), new Soac.Scan(f, zero)).subList(1, 1 + d);
  }
}
