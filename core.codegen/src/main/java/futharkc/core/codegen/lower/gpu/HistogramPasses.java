package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sizes at run time of a histogram's versions, by its {@link HistStrategy}. */
final class HistogramPasses {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final HistogramUpdates updates;

  HistogramPasses(FunctionSymbols scope, Kernels kernels, HistogramUpdates updates) {
    this.scope = scope;
    this.kernels = kernels;
    this.updates = updates;
  }

  /**
   * A plan for a histogram in shared memory.
   *
   * @param isChosen an expression for whether the plan is used
   * @param per the number of bins of an operator that a thread block holds at a time; null if it
   *     holds all
   * @param copies the number of copies of the bins
   * @param threads the number of threads per thread block
   * @param inSeveralPasses true if there may be more bins than a thread block holds
   */
  record Plan(
      Expr isChosen, @Nullable Poly per, Poly copies, Expr threads, boolean inSeveralPasses) {}

  /**
   * Plans a histogram in shared memory.
   *
   * @param memory the bytes of shared memory per thread block
   */
  Plan plan(
      SegOp.SegHist h,
      HistStrategy.Shared strategy,
      Kernels.Grid grid,
      Name memory,
      List<Code> out) {
    Poly bytes = Poly.ZERO;
    Poly bins = Poly.ZERO;
    for (SegOp.SegHistOp o : h.ops()) {
      bins = bins.plus(updates.bins(o));
      bytes = bytes.plus(updates.bins(o).times(binBytes(o)));
    }
    // The bins take half of the shared memory, so that two thread blocks fit on a multiprocessor.
    Expr half = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(memory), Expr.i64(2));
    boolean severalPasses = strategy.passes() > 1;
    Poly per = null;
    Expr fits = Expr.atMost(new Expr.Index(bytes.times(2)), Expr.i64(memory));
    if (severalPasses) {
      int each = binBytes(h.ops().get(0));
      Expr room = Expr.binary(BinOp.Kind.SQUOT, half, Expr.i64(each));
      Expr some = Expr.binary(BinOp.Kind.SMIN, new Expr.Index(bins), room);
      per = Poly.of(kernels.let("per", Expr.binary(BinOp.Kind.SMAX, some, Expr.i64(1)), out));
      bytes = per.times(each);
      fits = Expr.atMost(new Expr.Index(bins), new Expr.Index(per.times(strategy.passes())));
    }
    List<SegSpace.Dim> dims = h.space().dims();
    Poly inputs = scope.poly(dims.get(dims.size() - 1).size());
    Expr worthIt = Expr.atMost(new Expr.Index(bins), new Expr.Index(inputs));
    if (dims.size() > 1) {
      Expr enough = Expr.atMost(grid.threads(), new Expr.Index(inputs));
      worthIt = Expr.and(worthIt, enough);
    }
    // Half of the shared memory is divided among the resident thread blocks; the other half is a
    // reserve.
    Expr few = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(memory), Expr.i64(2L * strategy.resident()));
    Expr used = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(bytes), Expr.i64(1));
    Expr copies = Expr.binary(BinOp.Kind.SQUOT, few, used);
    Expr limited = Expr.binary(BinOp.Kind.SMIN, copies, Expr.i64(strategy.copies()));
    Name own = kernels.let("copies", Expr.binary(BinOp.Kind.SMAX, limited, Expr.i64(1)), out);
    Name maximum = scope.names.fresh("maximum");
    out.add(new Code.GetSizeMax(maximum, SizeClass.Plain.THREAD_BLOCK_SIZE));
    Name threads = kernels.let("threads", grid.threads(), out);
    Expr many = Expr.binary(BinOp.Kind.SMIN, Expr.i64(maximum), Expr.i64(strategy.threads()));
    Expr more = Expr.binary(BinOp.Kind.SMAX, many, grid.threads());
    Expr isMuch = Expr.less(Expr.i64(memory), new Expr.Index(bytes.times(strategy.resident())));
    out.add(new Code.If(isMuch, List.of(new Code.Assign(threads, more)), List.of()));
    return new Plan(Expr.and(fits, worthIt), per, Poly.of(own), Expr.i64(threads), severalPasses);
  }

  /**
   * The number of bins of the destinations, and the number of bins that a pass updates.
   *
   * @param bins the number of bins
   * @param part the number of bins that a pass updates
   */
  record Parts(Name bins, Name part) {}

  /**
   * Divides the bins of destinations into parts, one for each pass, if bins are many but fewer than
   * inputs.
   */
  Parts parts(SegOp.SegHist h, HistStrategy.Global strategy, List<Code> out) {
    SegOp.SegHistOp op = h.ops().get(0);
    long part = strategy.bins();
    Poly inputs = scope.poly(h.space().dims().get(0).size());
    Name bins = kernels.let("bins", new Expr.Index(updates.bins(op)), out);
    Expr fit = Expr.atMost(Expr.i64(bins), Expr.i64(part * strategy.passes()));
    Expr isWorthIt = Expr.and(fit, Expr.atMost(Expr.i64(bins), new Expr.Index(inputs)));
    Name some = kernels.let("part", Expr.i64(bins), out);
    out.add(
        new Code.If(
            isWorthIt,
            List.of(
                new Code.Assign(
                    some, Expr.binary(BinOp.Kind.SMIN, Expr.i64(some), Expr.i64(part)))),
            List.of()));
    return new Parts(bins, some);
  }

  private int binBytes(SegOp.SegHistOp op) {
    return op.dests().stream().mapToInt(d -> scope.type(d).elemPrim().bytes()).sum();
  }
}
