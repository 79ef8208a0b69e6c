package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
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
import futharkc.core.ir.build.Sorting;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts histograms to sorting and rounds of pairwise combination. The conversion applies to
 * operators that are parallel, or for which no thread has memory. The values are sorted by bin.
 * Then each round maps the operator over pairs of neighbours within all bins at once:
 *
 * <pre>{@code
 * hist op dest is xss
 *   =>  let (ks, from) = sort is
 *       let vss = map (\i -> xss[i]) from
 *       let (_, vss) = loop (left, vss) = (iota n, vss) while length left > 0 do
 *         let (pairs, rest) = neighbours of the same bin in left, left elements of the pairs
 *         let rows = map (\(l, r) -> op(vss[l], vss[r])) pairs
 *         in (rest, scatter vss (lefts of pairs) rows)
 *       let firsts = first index of each bin in ks
 *       in scatter dest (bins of firsts) (map (\f -> op(dest[ks[f]], vss[f])) firsts)
 * }</pre>
 *
 * <p>For n values in k bins, sorting takes n log k steps, and the rounds apply the operator less
 * than n times. The number of rounds is about the binary logarithm of the size of the fullest bin.
 */
final class SortedHistogram {
  private final FlatteningContext cx;
  private final Stm s;
  private final Soac.Hist x;
  private final Emitter e;
  private final SubExp n;

  private SortedHistogram(FlatteningContext cx, Stm s, Soac.Hist x) {
    this.cx = cx;
    this.s = s;
    this.x = x;
    this.n = x.width();
    Aux aux = new Aux(s.aux().certs(), List.of(), s.aux().loc());
    this.e = new Emitter(cx.names, cx.scope).at(aux);
  }

  /** Returns statements equivalent to a histogram of arrays. */
  static List<Stm> of(FlatteningContext cx, Stm s, Soac.Hist x) {
    return new SortedHistogram(cx, s, x).stms();
  }

  private List<Stm> stms() {
    List<SubExp> buckets = FlatteningContext.operands(x.inputs());
    if (!Scremas.isIdentity(x.bucket())) {
      Lambda bucket = cx.renamed(x.bucket());
      buckets = e.map("bucket", n, x.inputs(), bucket);
    }
    int index = 0;
    int value = x.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int result = 0;
    for (Soac.HistOp o : x.ops()) {
      int rank = o.shape().size();
      int values = o.dests().size();
      List<SubExp> at = buckets.subList(index, index + rank);
      List<SubExp> given = buckets.subList(value, value + values);
      List<SubExp> made =
          Preparation.isOnScalars(cx.functions.limits(), o.op())
              ? plain(o, at, given)
              : histogram(o, at, given);
      for (SubExp m : made) {
        PatElem p = s.pat().get(result++);
        e.add(List.of(p), new BasicOp.SubExpOp(m));
      }
      index += rank;
      value += values;
    }
    return e.stms();
  }

  /** Emits a histogram with an operator that threads can apply. */
  private List<SubExp> plain(Soac.HistOp o, List<SubExp> indices, List<SubExp> given) {
    List<Name> inputs = new ArrayList<>();
    List<Type> rows = new ArrayList<>();
    for (List<SubExp> arrays : List.of(indices, given)) {
      for (SubExp a : arrays) {
        inputs.add(Emitter.array(a));
        rows.add(e.type(a).row());
      }
    }
    List<Type> types = o.dests().stream().map(d -> e.type(d)).toList();
    return e.letAll("hist", types, new Soac.Hist(n, inputs, List.of(o), e.identity(rows)));
  }

  private List<SubExp> histogram(Soac.HistOp o, List<SubExp> indices, List<SubExp> given) {
    CombinedOperators ops = CombinedOperators.of(List.of(o.op()), o.neutral());
    SubExp bins = SubExp.i64(1);
    for (SubExp d : o.shape()) {
      bins = Arithmetic.mul(e, bins, d);
    }
    List<SubExp> sorted = Sorting.byKey(e, n, keys(o, indices, bins), bins);
    SubExp ks = sorted.get(0);
    List<SubExp> values =
        e.map(
            "vs",
            n,
            List.of(sorted.get(1)),
            (in, i) -> given.stream().map(v -> in.index(v, List.of(i.get(0)))).toList());
    List<SubExp> combined = combined(ops, ks, values, bins);
    List<SubExp> dests = new ArrayList<>();
    for (Name d : o.dests()) {
      Type row = e.type(d).peel(o.shape().size());
      dests.add(reshaped(SubExp.of(d), Type.array(row, bins)));
    }
    List<SubExp> written = written(ops, ks, combined, dests, bins);
    List<SubExp> results = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      results.add(reshaped(written.get(i), e.type(o.dests().get(i))));
    }
    return results;
  }

  private SubExp reshaped(SubExp array, Type t) {
    return e.type(array).equals(t)
        ? array
        : e.let("bins", t, new BasicOp.Reshape(false, Emitter.array(array), t.dims()));
  }

  /** Returns the bin numbers of the values. An index out of range becomes the number of bins. */
  private SubExp keys(Soac.HistOp o, List<SubExp> indices, SubExp bins) {
    return e.map(
            "keys",
            n,
            indices,
            (in, index) -> {
              SubExp inside = SubExp.TRUE;
              SubExp number = SubExp.i64(0);
              for (int d = 0; d < index.size(); d++) {
                SubExp size = o.shape().get(d);
                SubExp here = Arithmetic.inRange(in, index.get(d), size);
                inside = Arithmetic.binary(in, BinOp.Kind.LOG_AND, PrimType.BOOL, inside, here);
                number = Arithmetic.add(in, Arithmetic.mul(in, number, size), index.get(d));
              }
              return List.of(in.select(inside, number, bins));
            })
        .get(0);
  }

  // Combining

  /**
   * Returns the values in order of bins. The first element of each bin is the combination of all
   * its values.
   */
  private List<SubExp> combined(
      CombinedOperators ops, SubExp ks, List<SubExp> values, SubExp bins) {
    List<Name> keys = List.of(Emitter.array(ks));
    Lambda isBin =
        e.lambda("k", List.of(Type.I64), (in, k) -> List.of(number(in, less(in, k.get(0), bins))));
    SubExp inBins = sum(e.map("in_bin", n, keys, isBin).get(0), n);
    Type numbers = Type.array(Type.I64, inBins);
    Param some = e.param("some", Type.BOOL);
    Param count = e.param("count", Type.I64);
    Param left = e.param("left", Type.array(Type.I64, SubExp.of(count.name())));
    List<Exp.LoopParam> params = new ArrayList<>();
    params.add(new Exp.LoopParam(some, less(e, SubExp.i64(0), inBins)));
    params.add(new Exp.LoopParam(count, inBins));
    params.add(new Exp.LoopParam(left, e.iota(inBins)));
    List<PatElem> pat = new ArrayList<>();
    Name after = cx.names.fresh("count");
    pat.add(new PatElem(cx.names.fresh("some"), Type.BOOL));
    pat.add(new PatElem(after, Type.I64));
    pat.add(new PatElem(cx.names.fresh("left"), Type.array(numbers.row(), SubExp.of(after))));
    List<SubExp> now = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    for (SubExp v : values) {
      Param p = e.param("vs", e.type(v), true);
      params.add(new Exp.LoopParam(p, v));
      now.add(SubExp.of(p.name()));
      PatElem r = new PatElem(cx.names.fresh("vs"), e.type(v));
      pat.add(r);
      results.add(SubExp.of(r.name()));
    }
    Emitter in = e.inner();
    List<SubExp> next = round(in, ops, ks, SubExp.of(count.name()), SubExp.of(left.name()), now);
    e.add(pat, new Exp.Loop(params, new Exp.Form.While(some.name()), in.body(next)));
    return results;
  }

  /**
   * Emits one round. Returns whether another round follows, the number of remaining elements, these
   * elements, and the values.
   */
  private List<SubExp> round(
      Emitter in, CombinedOperators ops, SubExp ks, SubExp count, SubExp left, List<SubExp> now) {
    SubExp key = gathered(in, count, left, ks);
    SubExp iota = in.iota(count);
    SubExp starts =
        in.map(
                "starts",
                count,
                List.of(iota, key),
                (k, v) -> {
                  SubExp before = Arithmetic.sub(k, v.get(0), SubExp.i64(1));
                  SubExp other = not(k, isKey(k, key, count, before, v.get(1)));
                  return List.of(k.select(other, v.get(0), SubExp.i64(0)));
                })
            .get(0);
    SubExp start = in.scan("start", count, List.of(Emitter.array(starts)), latest(in)).get(0);
    List<SubExp> flags =
        in.map(
            "flags",
            count,
            List.of(iota, key, start),
            (k, v) -> {
              SubExp i = v.get(0);
              SubExp place = Arithmetic.sub(k, i, v.get(2));
              SubExp low = Arithmetic.binary(k, BinOp.Kind.AND, PrimType.I64, place, SubExp.i64(1));
              SubExp even = Arithmetic.compare(k, CmpOp.Kind.EQ, PrimType.I64, low, SubExp.i64(0));
              SubExp next = isKey(k, key, count, Arithmetic.add(k, i, SubExp.i64(1)), v.get(1));
              SubExp more = isKey(k, key, count, Arithmetic.add(k, i, SubExp.i64(2)), v.get(1));
              SubExp later = less(k, SubExp.i64(0), place);
              SubExp others = Arithmetic.binary(k, BinOp.Kind.LOG_OR, PrimType.BOOL, later, more);
              SubExp pair = Arithmetic.binary(k, BinOp.Kind.LOG_AND, PrimType.BOOL, even, next);
              SubExp stays = Arithmetic.binary(k, BinOp.Kind.LOG_AND, PrimType.BOOL, even, others);
              return List.of(number(k, pair), number(k, stays));
            });
    Selection pairs = selected(in, count, flags.get(0));
    SubExp lefts = pairs.of(in, count, left);
    SubExp at = pairs.of(in, count, iota);
    List<SubExp> rows =
        in.map(
            "rows",
            pairs.count,
            List.of(lefts, at),
            (k, v) -> {
              SubExp right = k.index(left, List.of(Arithmetic.add(k, v.get(1), SubExp.i64(1))));
              return applied(
                  k,
                  ops,
                  now.stream().map(a -> k.index(a, List.of(v.get(0)))).toList(),
                  now.stream().map(a -> k.index(a, List.of(right))).toList());
            });
    List<SubExp> all = Sorting.scatter(in, now, rows, lefts, pairs.count);
    Selection rest = selected(in, count, flags.get(1));
    List<SubExp> next = new ArrayList<>();
    next.add(less(in, SubExp.i64(0), rest.count));
    next.add(rest.count);
    next.add(rest.of(in, count, left));
    next.addAll(all);
    return next;
  }

  private List<SubExp> applied(
      Emitter k, CombinedOperators ops, List<SubExp> left, List<SubExp> right) {
    Body b = ops.applied(cx.names, k.aux(), left, right);
    cx.learn(b.stms());
    k.addAll(b.stms());
    return b.results();
  }

  /** Returns the destinations, with the old contents of each bin combined with its new value. */
  private List<SubExp> written(
      CombinedOperators ops, SubExp ks, List<SubExp> values, List<SubExp> dests, SubExp bins) {
    SubExp iota = e.iota(n);
    SubExp begins =
        e.map(
                "begins",
                n,
                List.of(iota, ks),
                (in, v) -> {
                  SubExp before = Arithmetic.sub(in, v.get(0), SubExp.i64(1));
                  SubExp other = not(in, isKey(in, ks, n, before, v.get(1)));
                  SubExp bin = less(in, v.get(1), bins);
                  return List.of(
                      number(
                          in,
                          Arithmetic.binary(in, BinOp.Kind.LOG_AND, PrimType.BOOL, other, bin)));
                })
            .get(0);
    Selection first = selected(e, n, begins);
    SubExp firsts = first.of(e, n, iota);
    SubExp to = gathered(e, first.count, firsts, ks);
    List<SubExp> rows =
        e.map(
            "rows",
            first.count,
            List.of(firsts, to),
            (k, v) ->
                applied(
                    k,
                    ops,
                    dests.stream().map(d -> k.index(d, List.of(v.get(1)))).toList(),
                    values.stream().map(a -> k.index(a, List.of(v.get(0)))).toList()));
    return Sorting.scatter(e, dests, rows, to, first.count);
  }

  // Elements and keys

  private static SubExp less(Emitter e, SubExp a, SubExp b) {
    return Arithmetic.compare(e, CmpOp.Kind.SLT, PrimType.I64, a, b);
  }

  private static SubExp not(Emitter e, SubExp b) {
    return e.select(b, SubExp.FALSE, SubExp.TRUE);
  }

  private static SubExp number(Emitter e, SubExp b) {
    return e.select(b, SubExp.i64(1), SubExp.i64(0));
  }

  /** Returns whether the element at index {@code i} exists and equals the key. */
  private static SubExp isKey(Emitter e, SubExp keys, SubExp count, SubExp i, SubExp key) {
    return e.conditional(
            "same",
            List.of(Type.BOOL),
            Arithmetic.inRange(e, i, count),
            in ->
                List.of(
                    Arithmetic.compare(
                        in, CmpOp.Kind.EQ, PrimType.I64, in.index(keys, List.of(i)), key)),
            in -> List.of(SubExp.FALSE))
        .get(0);
  }

  private static SubExp gathered(Emitter e, SubExp count, SubExp from, SubExp array) {
    return e.map("gathered", count, List.of(from), (in, i) -> List.of(in.index(array, i))).get(0);
  }

  private SubExp sum(SubExp array, SubExp count) {
    List<Name> one = List.of(Emitter.array(array));
    return e.reduce("sum", count, one, List.of(Arithmetic.summing(e, Type.I64))).get(0);
  }

  private static Soac.Scan latest(Emitter e) {
    Lambda max =
        e.lambda(
            "i",
            List.of(Type.I64, Type.I64),
            (in, v) ->
                List.of(Arithmetic.binary(in, BinOp.Kind.SMAX, PrimType.I64, v.get(0), v.get(1))));
    return new Soac.Scan(max, List.of(SubExp.i64(0)));
  }

  /**
   * A selection of the elements of arrays.
   *
   * @param count the number of selected elements
   * @param to the new index of each element, -1 if not selected
   */
  private record Selection(SubExp count, SubExp to) {
    SubExp of(Emitter e, SubExp n, SubExp array) {
      return Sorting.scatter(e, count, List.of(array), to, n).get(0);
    }
  }

  /** Returns the selection of elements whose flag is 1. */
  private static Selection selected(Emitter e, SubExp n, SubExp flags) {
    Sorting.Counts counts = Sorting.count(e, n, flags);
    SubExp to =
        e.map(
                "to",
                n,
                List.of(flags, counts.upTo()),
                (in, v) -> {
                  SubExp is =
                      Arithmetic.compare(in, CmpOp.Kind.EQ, PrimType.I64, v.get(0), SubExp.i64(1));
                  SubExp at = Arithmetic.sub(in, v.get(1), SubExp.i64(1));
                  return List.of(in.select(is, at, SubExp.i64(-1)));
                })
            .get(0);
    return new Selection(counts.total(), to);
  }
}
