package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;

/**
 * A lowering of reductions whose segments are adjacent in memory, as columns are. The threads of a
 * thread block form columns, one column for each of several adjacent segments, so that adjacent
 * threads access adjacent elements.
 */
final class ColumnReductions {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final LoopNest nest;

  ColumnReductions(FunctionSymbols scope, Kernels kernels, LoopNest nest) {
    this.scope = scope;
    this.kernels = kernels;
    this.nest = nest;
  }

  /** The arrangement of the threads of a thread block: adjacent columns are adjacent segments. */
  private record Columns(Poly columns, Poly rows, Poly groups) {}

  /** Lowers a reduction as two kernels: parts of segments, then the results of the parts. */
  void lower(
      Reduction red,
      SegStrategy.Columns strategy,
      Poly segments,
      Poly size,
      Kernels.Grid grid,
      List<Code> out) {
    Expr width = Expr.binary(BinOp.Kind.SMIN, grid.threads(), Expr.i64(strategy.width()));
    Name columns = kernels.let("columns", width, out);
    Expr height = Expr.binary(BinOp.Kind.SQUOT, grid.threads(), Expr.i64(columns));
    Name rows = kernels.let("rows", height, out);
    Expr count = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(segments), Expr.i64(columns));
    Name groups = kernels.let("groups", count, out);
    Columns c = new Columns(Poly.of(columns), Poly.of(rows), Poly.of(groups));
    Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
    Expr some = Expr.binary(BinOp.Kind.SMAX, Expr.i64(groups), Expr.i64(1));
    Expr shares = Expr.binary(BinOp.Kind.SQUOT, most, some);
    Expr useful =
        Expr.binary(
            BinOp.Kind.SDIV_UP,
            new Expr.Index(size),
            new Expr.Index(c.rows.times(strategy.elements())));
    Expr several =
        Expr.binary(BinOp.Kind.SMAX, Expr.binary(BinOp.Kind.SMIN, shares, useful), Expr.i64(1));
    Poly parts = Poly.of(kernels.let("parts", several, out));
    Expr each = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), new Expr.Index(parts));
    Poly part = Poly.of(kernels.let("part", each, out));
    List<PrimType> types = red.types();
    List<Name> partials = red.partials(types, segments.times(parts), out);
    List<SegSpace.Dim> outer = red.outer();
    columns(
        "segred_across",
        red,
        c,
        segments,
        parts,
        grid,
        (k, accs, t, code) -> {
          Poly first = Poly.of(kernels.let("first", new Expr.Index(t.number.times(part)), code));
          Poly end = Poly.of(kernels.let("end", Reduction.smaller(first.plus(part), size), code));
          nest.decompose(outer, t.segment, code);
          Reduction.Piece own = red.piece(first, end, c.rows, t.row, code);
          red.elements(accs, own.from(), Poly.ONE, own.to(), code);
        },
        (k, accs, t, code) -> {
          Poly at = t.number.times(segments).plus(Poly.of(t.segment));
          Reduction.store(partials, types, at, accs.values(), code);
        },
        out);
    columns(
        "segred_across_parts",
        red,
        c,
        segments,
        Poly.ONE,
        grid,
        (k, accs, t, code) -> {
          Reduction.Piece own = red.piece(Poly.ZERO, parts, c.rows, t.row, code);
          red.combine(
              partials, types, own, i -> i.times(segments).plus(Poly.of(t.segment)), accs, code);
        },
        (k, accs, t, code) -> {
          nest.decompose(outer, t.segment, code);
          red.result(accs, code);
        },
        out);
    for (Name p : partials) {
      out.add(new Code.Free(p, PrimType.I8, List.of()));
    }
  }

  /** The position of a thread: its segment, its row, and the number of the segment's part. */
  private record InColumn(Name segment, Poly row, Poly number) {}

  private interface ColumnCode {
    void add(KernelFrame k, ThreadAccumulators accs, InColumn t, List<Code> out);
  }

  /**
   * Launches a kernel for parts of adjacent segments.
   *
   * @param own code by which each thread of a column accumulates
   * @param end code that the first thread of a column runs with the column's result
   */
  private void columns(
      String kind,
      Reduction red,
      Columns c,
      Poly segments,
      Poly parts,
      Kernels.Grid grid,
      ColumnCode own,
      ColumnCode end,
      List<Code> out) {
    Poly all = c.groups.times(parts);
    kernels.launch(
        kind,
        ExecutionUnit.THREAD,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          Expr quotient =
              Expr.binary(BinOp.Kind.SQUOT, Expr.i64(k.thread), new Expr.Index(c.columns));
          Poly row = Poly.of(kernels.let("row", quotient, code));
          Poly inRow = Poly.of(k.thread).minus(row.times(c.columns));
          Poly column = Poly.of(kernels.let("column", new Expr.Index(inRow), code));
          ThreadAccumulators accs = red.accumulators(k, code);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                Expr which =
                    Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(c.groups));
                Poly part = Poly.of(kernels.let("number", which, one));
                Poly group = Poly.of(number).minus(part.times(c.groups));
                Poly place = group.times(c.columns).plus(column);
                Name segment = kernels.let("segment", new Expr.Index(place), one);
                InColumn t = new InColumn(segment, row, part);
                Name valid = scope.names.fresh("valid");
                Expr isOne =
                    Expr.and(
                        Expr.less(Expr.i64(segment), new Expr.Index(segments)),
                        Expr.less(new Expr.Index(row), new Expr.Index(c.rows)));
                scope.declare(valid, Type.prim(PrimType.BOOL), isOne, one);
                Expr isValid = new Expr.Var(valid, PrimType.BOOL);
                accs.reset(one);
                List<Code> mine = new ArrayList<>();
                kernels.attempt(x -> own.add(k, accs, t, x), mine);
                one.add(new Code.If(isValid, mine, List.of()));
                accs.reduce(new Expr.Index(row), new Expr.Index(c.rows), c.rows, c.columns, one);
                List<Code> last = new ArrayList<>();
                kernels.attempt(x -> end.add(k, accs, t, x), last);
                Expr isFirst =
                    new Expr.Compare(
                        new CmpOp(CmpOp.Kind.EQ, PrimType.I64), new Expr.Index(row), Expr.i64(0));
                one.add(new Code.If(Expr.and(isValid, isFirst), last, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
  }
}
