package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Stm;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of histograms on a GPU, in which all threads update the destinations concurrently. By
 * the histogram's {@link HistStrategy}, each thread block has private bins in shared memory if
 * there are fewer bins than inputs and the bins fit, possibly in several passes.
 */
final class GpuHistograms {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final LoopNest nest;
  private final Operators operators;
  private final HistogramUpdates updates;
  private final HistogramPasses passes;

  GpuHistograms(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.nest = nest;
    this.operators = operators;
    this.updates = new HistogramUpdates(scope, kernels, arrays, statements, operators);
    this.passes = new HistogramPasses(scope, kernels, updates);
  }

  void lower(Stm s, SegOp.SegHist h, List<Code> all) {
    List<Code> out = new ArrayList<>();
    Name locks = HistogramUpdates.needsLocks(h) ? kernels.locks(out) : null;
    Kernels.Grid grid = kernels.grid(h.level(), "seghist", true, out);
    HistStrategy.Device strategy =
        h.strategy() instanceof HistStrategy.Device d
            ? d
            : new HistStrategy.Device(null, HistStrategy.Global.PLAIN);
    List<Code> global = new ArrayList<>();
    global(h, strategy.global(), grid.times(strategy.global().blocks()), locks, global);
    HistStrategy.Shared inShared = strategy.shared();
    if (inShared == null) {
      out.addAll(global);
    } else {
      Name most = scope.names.fresh("most");
      out.add(new Code.GetSizeMax(most, SizeClass.Plain.SHARED_MEMORY));
      HistogramPasses.Plan plan = passes.plan(h, inShared, grid, most, out);
      List<Code> shared = new ArrayList<>();
      new SharedMemoryHistogram(scope, kernels, nest, operators, updates, h, plan, locks)
          .lower(grid, inShared.partials(), shared);
      out.add(new Code.If(plan.isChosen(), shared, global));
    }
    if (locks != null) {
      out.add(new Code.Free(locks, PrimType.I8, List.of()));
    }
    all.add(new Code.Scope(out));
  }

  /** Lowers a histogram that the threads of one thread block compute. */
  void inBlock(SegOp.SegHist h, List<Code> out) {
    KernelFrame k = KernelFrame.of(scope);
    List<SegSpace.Dim> dims = h.space().dims();
    Name locks = HistogramUpdates.needsLocks(h) ? kernels.locksInBlock(k, out) : null;
    kernels.together(
        code -> {
          ExecutionUnit block = scope.enter(ExecutionUnit.THREAD, k);
          kernels.strided(
              k.acrossBlock(),
              nest.size(dims),
              (i, one) -> {
                nest.decompose(dims, i, one);
                updates.element(h, null, null, locks, one);
              },
              code);
          scope.leave(block);
        },
        out);
  }

  /**
   * Lowers updates of the destinations in global memory, in one or several passes over the inputs.
   */
  private void global(
      SegOp.SegHist h,
      HistStrategy.Global strategy,
      Kernels.Grid grid,
      @Nullable Name locks,
      List<Code> out) {
    if (strategy.passes() == 1) {
      update(h, grid, null, locks, out);
      return;
    }
    HistogramPasses.Parts parts = passes.parts(h, strategy, out);
    Name from = kernels.let("from", Expr.i64(0), out);
    Name more = scope.names.fresh("more");
    out.add(new Code.Declare(more, PrimType.BOOL, Expr.bool(true)));
    List<Code> pass = new ArrayList<>();
    Poly left = Poly.of(parts.bins()).minus(Poly.of(from));
    Expr count = Expr.binary(BinOp.Kind.SMIN, new Expr.Index(left), Expr.i64(parts.part()));
    Name number = kernels.let("count", count, pass);
    HistogramUpdates.Pass now = new HistogramUpdates.Pass(Poly.of(from), Poly.of(number));
    update(h, grid, now, locks, pass);
    pass.add(new Code.Assign(from, new Expr.Index(Poly.of(from).plus(Poly.of(parts.part())))));
    pass.add(new Code.Assign(more, Expr.less(Expr.i64(from), Expr.i64(parts.bins()))));
    out.add(new Code.While(more, pass));
  }

  private void update(
      SegOp.SegHist h,
      Kernels.Grid grid,
      HistogramUpdates.@Nullable Pass pass,
      @Nullable Name locks,
      List<Code> out) {
    List<SegSpace.Dim> dims = h.space().dims();
    kernels.forEach(
        "seghist_global",
        grid,
        nest.size(dims),
        (i, one) -> {
          nest.decompose(dims, i, one);
          updates.element(h, null, pass, locks, one);
        },
        out);
  }
}
