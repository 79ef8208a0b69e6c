package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A lowering of segmented reductions on a CPU: a segment in parallel, or several segments in
 * parallel.
 */
final class SegReductions {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final RegionUpdates updates;
  private final LoopNest nest;
  private final Operators operators;
  private final Segments segments;

  SegReductions(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      RegionUpdates updates,
      LoopNest nest,
      Operators operators,
      Segments segments) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.updates = updates;
    this.nest = nest;
    this.operators = operators;
    this.segments = segments;
  }

  void lower(Stm s, SegOp.SegRed r, SegExp.ParOp p, List<Code> out) {
    LoopNest.Split body = LoopNest.Split.of(r.body().stms(), p.invariant());
    List<SegSpace.Dim> dims = r.space().dims();
    SegSpace.Dim last = dims.get(dims.size() - 1);
    if (dims.size() == 1) {
      whole(s, r, body, last, List.of(), out);
      return;
    }
    List<SubExp> index =
        dims.subList(0, dims.size() - 1).stream().map(d -> SubExp.of(d.index())).toList();
    segments.lower(
        "segred",
        s.aux().loc(),
        dims,
        p.choice(),
        (from, to, outer, code) -> several(s, r, body, last, index, from, to, outer, code),
        code -> whole(s, r, body, last, index, code),
        out);
  }

  /**
   * Reduces several segments on one thread.
   *
   * @return the cost of one element
   */
  private Poly several(
      Stm s,
      SegOp.SegRed r,
      LoopNest.Split split,
      SegSpace.Dim dim,
      List<SubExp> index,
      Name from,
      Name to,
      List<SegSpace.Dim> outer,
      List<Code> out) {
    Expr first = Expr.i64(0);
    Expr n = scope.expr(dim.size());
    List<Poly> cost = new ArrayList<>();
    Reduction reduction =
        (accs, code) ->
            cost.add(
                operators.range(
                    dim.index(),
                    first,
                    n,
                    split,
                    r.body().values(),
                    accs,
                    isOnlyReduced(s, r),
                    mapped(s, r),
                    code));
    Reduction nothing = (accs, code) -> {};
    List<Code> some = new ArrayList<>();
    nest.independent().range(outer, from, to, segment(s, r, index, reduction), some);
    if (split.invariant().isEmpty()) {
      out.addAll(some);
    } else {
      List<Code> none = new ArrayList<>();
      nest.range(outer, from, to, segment(s, r, index, nothing), none);
      out.add(new Code.If(Expr.less(first, n), some, none));
    }
    return cost.get(0);
  }

  /** Code that accumulates the elements of a segment. */
  private interface Reduction {
    void lower(List<Operators.Acc> accs, List<Code> out);
  }

  /**
   * Returns code for one segment, which initialises accumulators, reduces, and stores the results.
   */
  private Consumer<List<Code>> segment(
      Stm s, SegOp.SegRed r, List<SubExp> index, Reduction reduction) {
    return code -> {
      List<Operators.Acc> accs = operators.start(r.ops(), code);
      reduction.lower(accs, code);
      store(s, accs, index, code);
    };
  }

  private static int operands(SegOp.SegRed r) {
    return r.ops().stream().mapToInt(o -> o.neutral().size()).sum();
  }

  private static boolean isOnlyReduced(Stm s, SegOp.SegRed r) {
    return s.pat().size() == operands(r);
  }

  /** Returns code that stores the mapped results of a reduction's body. */
  private Consumer<List<Code>> mapped(Stm s, SegOp.SegRed r) {
    List<SubExp> results = r.body().values();
    List<PatElem> pat = s.pat().subList(operands(r), s.pat().size());
    List<SubExp> values = results.subList(operands(r), results.size());
    return code -> arrays.storeAt(pat, r.space().dims(), values, code);
  }

  private void store(Stm s, List<Operators.Acc> accs, List<SubExp> index, List<Code> out) {
    int p = 0;
    for (Operators.Acc a : accs) {
      for (int j = 0; j < a.count(); j++) {
        a.storeTo(j, s.pat().get(p++), index, out);
      }
    }
  }

  /** Reduces one segment in parallel. */
  private void whole(
      Stm s,
      SegOp.SegRed r,
      LoopNest.Split split,
      SegSpace.Dim dim,
      List<SubExp> index,
      List<Code> out) {
    RegionBuilder region = new RegionBuilder(scope, "segred", s.aux().loc());
    List<Operators.Partials> partials = new ArrayList<>();
    for (SegOp.SegBinOp op : r.ops()) {
      partials.add(operators.new Partials(op));
    }
    List<Poly> cost = new ArrayList<>();
    RegionUpdates.UpdatingRegion body =
        updates
        .new UpdatingRegion(
            region,
            FreeNames.of(r),
            () ->
                blocks.kernel(
                    k -> {
                      List<Operators.Acc> accs = operators.start(r.ops(), k);
                      cost.add(
                          operators.range(
                              dim.index(),
                              Expr.i64(region.from),
                              Expr.i64(region.to),
                              split,
                              r.body().values(),
                              accs,
                              isOnlyReduced(s, r),
                              mapped(s, r),
                              k));
                      for (int i = 0; i < accs.size(); i++) {
                        partials.get(i).save(accs.get(i), Poly.of(region.chunk), k);
                      }
                    }));
    Poly total = scope.poly(dim.size());
    region.count(total, scope.costs.outside(cost.get(0), body.code()), body.perThread(), out);
    for (Operators.Partials p : partials) {
      p.alloc(Poly.of(region.chunks), out);
    }
    body.run(total, out);
    List<Code> end = new ArrayList<>();
    List<Operators.Acc> accs = operators.startAnywhere(r.ops(), end);
    for (int i = 0; i < accs.size(); i++) {
      Operators.Acc acc = accs.get(i);
      Operators.Partials p = partials.get(i);
      Name c = scope.names.fresh("c");
      scope.add(c, Type.I64);
      List<Code> step = new ArrayList<>();
      p.combineInto(acc, Poly.of(c), step);
      end.add(new Code.For(c, PrimType.I64, Expr.i64(0), Expr.i64(region.chunks), step));
      p.free(end);
    }
    store(s, accs, index, end);
    for (Operators.Acc a : accs) {
      a.free(end);
    }
    out.add(new Code.Scope(end));
  }
}
