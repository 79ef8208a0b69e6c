package futharkc.pass.strategies;

import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Target;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.UpdateStrategy;
import org.jspecify.annotations.Nullable;

/** A choice of the private bins of a CPU's chunks. */
final class CoreHistograms {
  private final Target.Regions limits;

  CoreHistograms(Target.Regions limits) {
    this.limits = limits;
  }

  /**
   * Chooses the versions of a histogram.
   *
   * @return null if chunks are segments, whose bins no other chunk updates
   */
  @Nullable HistStrategy choose(SegOp.SegHist h) {
    if (h.space().dims().size() > 1) {
      return null;
    }
    boolean inAnyOrder =
        h.ops().stream().allMatch(o -> UpdateStrategy.isExactInAnyOrder(o.op(), o.dests().size()));
    boolean mayBeOwn = h.ops().stream().allMatch(o -> isOfScalars(o) && !isLarge(o));
    return new HistStrategy.Cores(
        mayBeOwn ? limits.ownBins() : 0,
        limits.apart(),
        UpdateStrategy.ELEMENTS_PER_UPDATE,
        limits.operationsForBin(),
        inAnyOrder);
  }

  /**
   * Tests whether bins may be in a scratch block, whose capacity exceeds the number of bins: the
   * operator also runs for indices outside the bins, and must not fail.
   */
  private static boolean isOfScalars(SegOp.SegHistOp o) {
    return o.shape().size() == 1
        && o.opShape().isEmpty()
        && o.dests().size() == 1
        && o.op().body().stms().stream().noneMatch(s -> Effects.of(s.exp()).fails());
  }

  /** Tests whether there are certainly more bins than a scratch block holds. */
  private boolean isLarge(SegOp.SegHistOp o) {
    return o.shape().get(0) instanceof SubExp.Const(PrimValue n) && n.asLong() > limits.ownBins();
  }
}
