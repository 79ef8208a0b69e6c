package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Splits a reduction of arrays on the host, marked {@code sequential_inner}, among the threads of a
 * grid. Each thread reduces the arrays that the map computes for several indices. A second
 * reduction combines the results of the threads. No memory ever holds all arrays of the map.
 *
 * <pre>{@code
 * #[sequential_inner] reduce op ne (map f xs)
 *   =>  let parts = map (\t -> reduce op ne (map f xs[t :+ count t * threads])) (iota threads)
 *       in #[sequential_inner] reduce op ne parts
 * }</pre>
 *
 * <p>If the operator commutes, the indices of a thread have a stride equal to the number of
 * threads, so that neighbouring threads read neighbouring elements. Otherwise a thread's indices
 * are consecutive.
 */
final class PartialReduction {
  private final FlatteningContext cx;
  private final Stm s;
  private final Soac.Screma x;
  private final Scremas.Elementwise operator;
  private final List<Type> types;
  private final Builder b;

  /**
   * Creates the transformation of one reduction.
   *
   * @param x a reduction of the map's results, without other results
   * @param operator the operator of the reduction
   */
  PartialReduction(FlatteningContext cx, Stm s, Soac.Screma x, Scremas.Elementwise operator) {
    this.cx = cx;
    this.s = s;
    this.x = x;
    this.operator = operator;
    types = x.map().results();
    b = new Builder(cx.names).with(s.aux());
  }

  /** Returns equivalent statements. */
  List<Stm> stms() {
    String grid = cx.grid("partial_reduction");
    SubExp blocks = size(grid + "_num_tblocks", SizeClass.Plain.GRID_SIZE);
    SubExp block = size(grid + "_tblock_size", SizeClass.Plain.THREAD_BLOCK_SIZE);
    SubExp all = b.binOp("all", BinOp.Kind.MUL, PrimType.I64, blocks, block);
    SubExp threads = b.binOp("threads", BinOp.Kind.SMIN, PrimType.I64, x.width(), all);
    Name numbers =
        b.let(
            "numbers",
            Type.array(Type.I64, threads),
            new BasicOp.Iota(threads, SubExp.i64(0), SubExp.i64(1), PrimType.I64));
    List<PatElem> parts = new ArrayList<>();
    for (Type t : types) {
      parts.add(new PatElem(cx.names.fresh("parts"), Type.array(t, threads)));
    }
    b.let(
        parts,
        new Soac.Screma(
            threads,
            List.of(numbers),
            ofThread(threads),
            List.of(),
            List.of(),
            Scremas.identity(types, cx.names)));
    Soac.Screma reduction =
        new Soac.Screma(
            threads,
            parts.stream().map(PatElem::name).toList(),
            Scremas.identity(types, cx.names),
            List.of(),
            x.reduces(),
            x.post());
    b.add(s.withExp(reduction));
    return b.stms();
  }

  private SubExp size(String parameter, SizeClass sizeClass) {
    return b.letExp(
        "size", Type.I64, new HostOp.GetSize(new TuningParameter(parameter, sizeClass)));
  }

  /** Returns the lambda that reduces the indices of one thread. */
  private Lambda ofThread(SubExp threads) {
    Param thread = new Param(cx.names.fresh("thread"), Type.I64);
    SubExp t = SubExp.of(thread.name());
    Builder k = new Builder(cx.names).with(s.aux());
    Slice.Range own;
    if (x.reduces().get(0).commutative() || UpdateStrategy.commutes(operator.op(), types.size())) {
      SubExp rest = k.binOp("rest", BinOp.Kind.SUB, PrimType.I64, x.width(), t);
      SubExp count = k.binOp("count", BinOp.Kind.SDIV_UP, PrimType.I64, rest, threads);
      own = new Slice.Range(t, count, threads);
    } else {
      SubExp most = k.binOp("most", BinOp.Kind.SDIV_UP, PrimType.I64, x.width(), threads);
      SubExp all = k.binOp("first", BinOp.Kind.MUL, PrimType.I64, t, most);
      SubExp first = k.binOp("first", BinOp.Kind.SMIN, PrimType.I64, x.width(), all);
      SubExp rest = k.binOp("rest", BinOp.Kind.SUB, PrimType.I64, x.width(), first);
      SubExp count = k.binOp("count", BinOp.Kind.SMIN, PrimType.I64, rest, most);
      own = new Slice.Range(first, count, SubExp.i64(1));
    }
    List<Name> inputs = new ArrayList<>();
    for (int j = 0; j < x.inputs().size(); j++) {
      Type row = x.map().params().get(j).type();
      List<Slice.Dim> dims = new ArrayList<>(List.of(own));
      for (SubExp d : row.dims()) {
        dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
      }
      Exp slice = new BasicOp.Index(x.inputs().get(j), new Slice(dims));
      inputs.add(k.let("own", Type.array(row, own.count()), slice));
    }
    List<PatElem> pat = new ArrayList<>();
    for (Type r : types) {
      pat.add(new PatElem(cx.names.fresh("part"), r));
    }
    Soac.Screma part =
        new Soac.Screma(own.count(), inputs, sharing(x.map()), List.of(), x.reduces(), x.post());
    k.let(pat, new Renamer(cx.names).exp(part));
    List<SubExp> results = pat.stream().map(p -> SubExp.of(p.name())).toList();
    return new Lambda(List.of(thread), k.body(results), types);
  }

  /** Returns an equivalent lambda that consumes copies of its rows instead of the rows. */
  private Lambda sharing(Lambda map) {
    Set<Name> consumed = Consumption.of(map);
    List<Param> params = new ArrayList<>();
    List<Stm> stms = new ArrayList<>();
    for (Param p : map.params()) {
      if (p.type() instanceof Type.Array && consumed.contains(p.name())) {
        Name row = cx.names.fresh(p.name());
        params.add(new Param(row, p.type()));
        stms.add(Stm.of(p.name(), p.type(), new BasicOp.Replicate(List.of(), SubExp.of(row))));
      } else {
        params.add(p);
      }
    }
    stms.addAll(map.body().stms());
    return new Lambda(params, new Body(stms, map.body().results()), map.results());
  }
}
