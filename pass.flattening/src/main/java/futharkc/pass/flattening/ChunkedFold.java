package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
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
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Splits reductions and scans of host code into chunks. The pass does so for sequential operators
 * on arrays, and for operators on scalars that need arrays inside. The number of chunks is about
 * the number of elements in a chunk. A thread combines each chunk, then one thread combines the
 * results of the chunks. A scan traverses each chunk a second time, from the combined result of the
 * chunks before it.
 *
 * <pre>{@code
 * reduce op ne xss
 *   =>  let parts = map (\c -> loop acc = ne for i < size c do op(acc, xss[c * chunk + i])) (iota chunks)
 *       in loop acc = ne for c < chunks do op(acc, parts[c])
 * }</pre>
 *
 * <p>On the host, each element that such an operator reads or writes would be a transfer.
 */
final class ChunkedFold {
  private final FlatteningContext cx;
  private final Parallelism parallelism;

  ChunkedFold(FlatteningContext cx, Parallelism parallelism) {
    this.cx = cx;
    this.parallelism = parallelism;
  }

  /**
   * Returns equivalent statements; null if {@code x} is neither a reduction nor a scan. If {@code
   * x} maps as well, the result separates the map. If an operator is parallel, or beyond the limits
   * of a thread, the result is a {@link TreeFold}.
   */
  @Nullable List<Stm> of(Stm s, Soac.Screma x) {
    boolean scans = x.reduces().isEmpty();
    if (!scans && !x.scans().isEmpty()) {
      return null;
    }
    boolean alone =
        Scremas.isIdentity(x.map())
            && (!scans || Scremas.isIdentity(x.post()))
            && x.map().results().size() == x.scanResults() + x.reduceResults();
    if (!alone) {
      return scans ? Scremas.scanThenPost(s, x, cx.names) : Scremas.outputsFirst(s, x, cx.names);
    }
    if (inRounds(CombinedOperators.of(x))) {
      return TreeFold.of(cx, s, x);
    }
    Folding f = new Folding(s, x);
    return scans ? f.scan() : f.reduce();
  }

  /** Tests whether an operator is parallel or beyond the limits of a thread. */
  boolean inRounds(CombinedOperators ops) {
    return ops.ops().stream()
        .anyMatch(
            op ->
                ops.onArrays() && parallelism.isMeaningful(op) || !cx.functions.limits().allow(op));
  }

  /** The translation of one reduction or scan. */
  private final class Folding {
    private final Stm s;
    private final Soac.Screma x;
    private final Builder b;
    private final CombinedOperators ops;
    private final List<SubExp> neutral;
    private final List<Type> types;

    Folding(Stm s, Soac.Screma x) {
      this.s = s;
      this.x = x;
      this.ops = CombinedOperators.of(x);
      this.neutral = ops.neutral();
      this.types = ops.types();
      // For operators on scalars, the parallelism is across chunks, not within the operator.
      List<String> attrs = ops.onArrays() ? List.of() : List.of("sequential_inner");
      this.b = new Builder(cx.names).with(new Aux(s.aux().certs(), attrs, s.aux().loc()));
    }

    List<Stm> reduce() {
      SubExp chunk = chunk();
      SubExp chunks = chunks(chunk);
      List<Name> parts = parts(chunk, chunks);
      List<Name> one =
          map(
              SubExp.i64(1),
              types,
              (k, c) -> loop(k, chunks, neutral, (l, i) -> rows(l, parts, i), List.of()));
      for (int i = 0; i < types.size(); i++) {
        b.let(List.of(s.pat().get(i)), element(one.get(i), array(types.get(i), 1), SubExp.i64(0)));
      }
      return b.stms();
    }

    List<Stm> scan() {
      SubExp chunk = chunk();
      SubExp chunks = chunks(chunk);
      List<Name> parts = parts(chunk, chunks);
      List<Type> ofChunks = arrays(types, chunks);
      List<Name> one =
          map(
              SubExp.i64(1),
              ofChunks,
              (k, c) -> before(k, chunks, ofChunks, (l, i) -> rows(l, parts, i)));
      List<Name> starts = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        Type t = ofChunks.get(i);
        starts.add(b.let("starts", t, element(one.get(i), array(t, 1), SubExp.i64(0))));
      }
      List<Type> ofChunk = arrays(types, chunk);
      List<Name> all =
          map(
              chunks,
              ofChunk,
              (k, c) -> {
                SubExp start = times(k, c, chunk);
                return loop(k, count(k, start, chunk), rows(k, starts, c), inputs(start), ofChunk);
              });
      SubExp total = b.binOp("total", BinOp.Kind.MUL, PrimType.I64, chunks, chunk);
      for (int i = 0; i < types.size(); i++) {
        Type t = Type.array(types.get(i), total);
        Name flat = b.let("scanned", t, new BasicOp.Reshape(false, all.get(i), t.dims()));
        List<Slice.Dim> dims = new ArrayList<>();
        dims.add(new Slice.Range(SubExp.i64(0), x.width(), SubExp.i64(1)));
        for (SubExp d : types.get(i).dims()) {
          dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
        }
        b.let(List.of(s.pat().get(i)), new BasicOp.Index(flat, new Slice(dims)));
      }
      return b.stms();
    }

    // Sizes

    /**
     * Returns the number of elements in a chunk: about the square root of the width, at least one.
     */
    private SubExp chunk() {
      SubExp w = b.conv("width", ConvOp.Kind.SITOFP, PrimType.I64, PrimType.F64, x.width());
      PrimFun sqrt = new PrimFun(PrimFun.Kind.SQRT, PrimType.F64);
      SubExp root =
          b.letExp("root", Type.prim(PrimType.F64), new BasicOp.PrimFunExp(sqrt, List.of(w)));
      SubExp whole = b.conv("chunk", ConvOp.Kind.FPTOSI, PrimType.F64, PrimType.I64, root);
      return b.binOp("chunk", BinOp.Kind.ADD, PrimType.I64, whole, SubExp.i64(1));
    }

    private SubExp chunks(SubExp chunk) {
      return b.binOp("chunks", BinOp.Kind.SDIV_UP, PrimType.I64, x.width(), chunk);
    }

    /** Returns the number of elements of the chunk that begins at {@code start}. */
    private SubExp count(Builder k, SubExp start, SubExp chunk) {
      SubExp rest = k.binOp("rest", BinOp.Kind.SUB, PrimType.I64, x.width(), start);
      return k.binOp("count", BinOp.Kind.SMIN, PrimType.I64, rest, chunk);
    }

    private static SubExp times(Builder k, SubExp a, SubExp b) {
      return k.binOp("start", BinOp.Kind.MUL, PrimType.I64, a, b);
    }

    // Values

    private Type array(Type row, long n) {
      return Type.array(row, SubExp.i64(n));
    }

    private List<Type> arrays(List<Type> rows, SubExp n) {
      List<Type> all = new ArrayList<>();
      for (Type t : rows) {
        all.add(Type.array(t, n));
      }
      return all;
    }

    private static BasicOp element(Name array, Type t, SubExp at) {
      return new BasicOp.Index(array, Slice.fix(List.of(at), t.dims()));
    }

    private List<SubExp> rows(Builder k, List<Name> arrays, SubExp at) {
      List<SubExp> rows = new ArrayList<>();
      for (int i = 0; i < arrays.size(); i++) {
        Slice row = Slice.fix(List.of(at), Type.array(types.get(i), at).dims());
        rows.add(k.letExp("row", types.get(i), new BasicOp.Index(arrays.get(i), row)));
      }
      return rows;
    }

    private BiFunction<Builder, SubExp, List<SubExp>> inputs(SubExp start) {
      return (k, i) -> rows(k, x.inputs(), k.binOp("at", BinOp.Kind.ADD, PrimType.I64, start, i));
    }

    /** Returns the results of the operators on two lists of values. */
    private List<SubExp> applied(Builder k, List<SubExp> left, List<SubExp> right) {
      Body b = ops.applied(cx.names, k.aux(), left, right);
      k.addAll(b.stms());
      return b.results();
    }

    // Loops and maps

    /** Returns the arrays of the chunks' combined values. */
    private List<Name> parts(SubExp chunk, SubExp chunks) {
      return map(
          chunks,
          types,
          (k, c) -> {
            SubExp start = times(k, c, chunk);
            return loop(k, count(k, start, chunk), neutral, inputs(start), List.of());
          });
    }

    /** Returns, for each of {@code count} values, the combination of the values before it. */
    private List<SubExp> before(
        Builder k, SubExp count, List<Type> outs, BiFunction<Builder, SubExp, List<SubExp>> row) {
      return loop(k, count, neutral, row, outs, false);
    }

    private List<SubExp> loop(
        Builder k,
        SubExp count,
        List<SubExp> init,
        BiFunction<Builder, SubExp, List<SubExp>> row,
        List<Type> outs) {
      return loop(k, count, init, row, outs, true);
    }

    /**
     * Emits a loop that applies the operators to consecutive values.
     *
     * @param outs the types of the arrays of all intermediate values, which are then the results;
     *     empty to return the final values only
     * @param after true to store the value after each step, false to store the value before each
     *     step
     */
    private List<SubExp> loop(
        Builder k,
        SubExp count,
        List<SubExp> init,
        BiFunction<Builder, SubExp, List<SubExp>> row,
        List<Type> outs,
        boolean after) {
      List<Exp.LoopParam> params = new ArrayList<>();
      List<SubExp> accs = new ArrayList<>();
      List<PatElem> pat = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        Param p = new Param(cx.names.fresh("acc"), types.get(i));
        params.add(new Exp.LoopParam(p, init.get(i)));
        accs.add(SubExp.of(p.name()));
        pat.add(new PatElem(cx.names.fresh("acc"), types.get(i)));
      }
      List<Name> written = new ArrayList<>();
      for (Type t : outs) {
        SubExp blank = k.letExp("blank", t, new BasicOp.Scratch(t.elemPrim(), t.dims()));
        Param p = new Param(cx.names.fresh("out"), t, true);
        params.add(new Exp.LoopParam(p, blank));
        written.add(p.name());
        pat.add(new PatElem(cx.names.fresh("out"), t));
      }
      Name i = cx.names.fresh("i");
      Builder body = new Builder(cx.names).with(k.aux());
      List<SubExp> next = applied(body, accs, row.apply(body, SubExp.of(i)));
      List<SubExp> results = new ArrayList<>(next);
      for (int o = 0; o < outs.size(); o++) {
        Slice at = Slice.fix(List.of(SubExp.of(i)), outs.get(o).dims());
        SubExp value = after ? next.get(o) : accs.get(o);
        results.add(
            body.letExp("out", outs.get(o), new BasicOp.Update(false, written.get(o), at, value)));
      }
      k.let(
          pat, new Exp.Loop(params, new Exp.Form.For(i, PrimType.I64, count), body.body(results)));
      return pat.subList(outs.isEmpty() ? 0 : types.size(), pat.size()).stream()
          .map(p -> SubExp.of(p.name()))
          .toList();
    }

    /** Emits a map over {@code 0..n-1}, and returns the arrays of its results. */
    private List<Name> map(
        SubExp n, List<Type> results, BiFunction<Builder, SubExp, List<SubExp>> each) {
      Name numbers =
          b.let(
              "numbers",
              Type.array(Type.I64, n),
              new BasicOp.Iota(n, SubExp.i64(0), SubExp.i64(1), PrimType.I64));
      Param number = new Param(cx.names.fresh("c"), Type.I64);
      Builder body = new Builder(cx.names).with(Aux.at(s.aux().loc()));
      List<SubExp> values = each.apply(body, SubExp.of(number.name()));
      Lambda l = new Lambda(List.of(number), body.body(values), results);
      List<PatElem> pat = new ArrayList<>();
      for (Type t : results) {
        pat.add(new PatElem(cx.names.fresh("parts"), Type.array(t, n)));
      }
      b.let(
          pat,
          new Soac.Screma(
              n, List.of(numbers), l, List.of(), List.of(), Scremas.identity(results, cx.names)));
      return pat.stream().map(PatElem::name).toList();
    }
  }
}
