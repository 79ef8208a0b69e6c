package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts reductions and scans to rounds, each of which maps the operator over pairs of elements.
 * The conversion applies to operators that are parallel or beyond the limits of a thread. The
 * number of rounds is about the binary logarithm of the width, twice that for a scan (Brent and
 * Kung, A Regular Layout for Parallel Adders, 1982). The number of applications of the operator is
 * at most the width, twice that for a scan.
 *
 * <pre>{@code
 * reduce op ne xss
 *   =>  let vss = loop vss = copy xss for r < rounds do
 *                   let d = 1 << r
 *                   let rows = map (\j -> op(vss[2 * d * j], vss[2 * d * j + d])) (iota ..)
 *                   in vss with [0 : : 2 * d] = rows
 *       in if 0 < n then vss[0] else ne
 * }</pre>
 */
final class TreeFold {
  private final FlatteningContext cx;
  private final Stm s;
  private final Soac.Screma x;
  private final CombinedOperators ops;
  private final SubExp width;
  private final Emitter e;

  private TreeFold(FlatteningContext cx, Stm s, Soac.Screma x) {
    this.cx = cx;
    this.s = s;
    this.x = x;
    this.ops = CombinedOperators.of(x);
    this.width = x.width();
    Aux aux = new Aux(s.aux().certs(), List.of(), s.aux().loc());
    this.e = new Emitter(cx.names, cx.scope).at(aux);
  }

  /** Returns statements equivalent to a reduction or scan without a map. */
  static List<Stm> of(FlatteningContext cx, Stm s, Soac.Screma x) {
    TreeFold t = new TreeFold(cx, s, x);
    return x.scans().isEmpty() ? t.reduce() : t.scan();
  }

  private List<Stm> reduce() {
    SubExp last = Arithmetic.sub(e, width, SubExp.i64(1));
    SubExp upTo = binary(e, BinOp.Kind.SMAX, last, SubExp.i64(0));
    SubExp rounds = Arithmetic.sub(e, SubExp.i64(64), zeros(upTo));
    List<SubExp> values =
        loop(
            copies(),
            rounds,
            (in, round, now) -> {
              SubExp d = binary(in, BinOp.Kind.SHL, SubExp.i64(1), round);
              SubExp step = binary(in, BinOp.Kind.SHL, d, SubExp.i64(1));
              SubExp pairs = binary(in, BinOp.Kind.SDIV_UP, Arithmetic.sub(in, width, d), step);
              return combined(in, now, new Pairs(pairs, SubExp.i64(0), step, d), false);
            });
    SubExp some = Arithmetic.compare(e, CmpOp.Kind.SLT, PrimType.I64, SubExp.i64(0), width);
    List<SubExp> results =
        e.conditional(
            "red",
            ops.types(),
            some,
            in -> values.stream().map(v -> in.index(v, List.of(SubExp.i64(0)))).toList(),
            in -> ops.neutral());
    return named(results);
  }

  private List<Stm> scan() {
    SubExp bits = Arithmetic.sub(e, SubExp.i64(63), zeros(width));
    SubExp rounds = binary(e, BinOp.Kind.SMAX, bits, SubExp.i64(0));
    List<SubExp> up =
        loop(
            copies(),
            rounds,
            (in, round, now) -> {
              SubExp d = binary(in, BinOp.Kind.SHL, SubExp.i64(1), round);
              SubExp step = binary(in, BinOp.Kind.SHL, d, SubExp.i64(1));
              SubExp pairs = binary(in, BinOp.Kind.SDIV, width, step);
              SubExp first = Arithmetic.sub(in, d, SubExp.i64(1));
              return combined(in, now, new Pairs(pairs, first, step, d), true);
            });
    List<SubExp> down =
        loop(
            up,
            rounds,
            (in, round, now) -> {
              SubExp left = Arithmetic.sub(in, Arithmetic.sub(in, rounds, round), SubExp.i64(1));
              SubExp d = binary(in, BinOp.Kind.SHL, SubExp.i64(1), left);
              SubExp step = binary(in, BinOp.Kind.SHL, d, SubExp.i64(1));
              SubExp pairs = binary(in, BinOp.Kind.SDIV, Arithmetic.sub(in, width, d), step);
              SubExp first = Arithmetic.sub(in, step, SubExp.i64(1));
              return combined(in, now, new Pairs(pairs, first, step, d), true);
            });
    return named(down);
  }

  /** Binds the results to the names of the original statement. */
  private List<Stm> named(List<SubExp> results) {
    for (int i = 0; i < results.size(); i++) {
      PatElem p = s.pat().get(i);
      e.add(List.of(p), new BasicOp.SubExpOp(results.get(i)));
    }
    return e.stms();
  }

  private List<SubExp> copies() {
    List<SubExp> all = new ArrayList<>();
    for (Name n : x.inputs()) {
      all.add(e.copy(SubExp.of(n)));
    }
    return all;
  }

  private static SubExp binary(Emitter e, BinOp.Kind kind, SubExp a, SubExp b) {
    return Arithmetic.binary(e, kind, PrimType.I64, a, b);
  }

  /** Returns the number of leading zero bits of a number. */
  private SubExp zeros(SubExp number) {
    SubExp z = Arithmetic.call(e, PrimFun.Kind.CLZ, PrimType.I64, number);
    return Arithmetic.convert(e, new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, PrimType.I64), z);
  }

  /** A round, as a function of its number and of the current values. */
  private interface Round {
    List<SubExp> of(Emitter in, SubExp round, List<SubExp> now);
  }

  private List<SubExp> loop(List<SubExp> init, SubExp rounds, Round each) {
    List<Exp.LoopParam> params = new ArrayList<>();
    List<SubExp> now = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (SubExp v : init) {
      Type t = e.type(v);
      Param p = e.param("vs", t, true);
      params.add(new Exp.LoopParam(p, v));
      now.add(SubExp.of(p.name()));
      types.add(t);
    }
    Name round = cx.names.fresh("round");
    cx.scope.add(round, Type.I64);
    Emitter in = e.inner();
    List<SubExp> next = each.of(in, SubExp.of(round), now);
    Exp.Form form = new Exp.Form.For(round, PrimType.I64, rounds);
    return e.letAll("vs", types, new Exp.Loop(params, form, in.body(next)));
  }

  /**
   * Pairs of elements at regular distances.
   *
   * @param count the number of pairs
   * @param first the index of the first pair's left element
   * @param step the stride between the left elements of consecutive pairs
   * @param distance the distance from a pair's left element to its right element
   */
  private record Pairs(SubExp count, SubExp first, SubExp step, SubExp distance) {}

  /** Returns the arrays with each pair's combination at its right or left element. */
  private List<SubExp> combined(Emitter in, List<SubExp> now, Pairs p, boolean atRight) {
    List<SubExp> rows =
        in.map(
            "rows",
            p.count,
            List.of(in.iota(p.count)),
            (k, j) -> {
              SubExp left = Arithmetic.add(k, p.first, Arithmetic.mul(k, p.step, j.get(0)));
              SubExp right = Arithmetic.add(k, left, p.distance);
              Body b =
                  ops.applied(
                      cx.names,
                      k.aux(),
                      now.stream().map(v -> k.index(v, List.of(left))).toList(),
                      now.stream().map(v -> k.index(v, List.of(right))).toList());
              cx.learn(b.stms());
              k.addAll(b.stms());
              return b.results();
            });
    SubExp start = atRight ? Arithmetic.add(in, p.first, p.distance) : p.first;
    List<SubExp> next = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      Type t = in.type(now.get(i));
      List<Slice.Dim> dims = new ArrayList<>(List.of(new Slice.Range(start, p.count, p.step)));
      for (SubExp d : t.row().dims()) {
        dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
      }
      Name array = Emitter.array(now.get(i));
      next.add(in.let("vs", t, new BasicOp.Update(false, array, new Slice(dims), rows.get(i))));
    }
    return next;
  }
}
