package futharkc.pass.strategies;

import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import org.jspecify.annotations.Nullable;

/** A choice of the private bins of a CPU's chunks. */
final class CoreHistograms {
  /** The maximum number of bins that a CPU's chunk holds in a block of its own. */
  static final Option OWN_BINS =
      Option.integer(
          "own-bins",
          1024,
          "maximum number of bins that a CPU's chunk holds in a block of its own; more do not"
              + " stay in the first-level cache");

  /**
   * The distance in elements between the copies of a histogram of different chunks, so that threads
   * write to different cache lines.
   */
  static final Option APART =
      Option.integer(
          "apart",
          machine -> machine.processor().fetched(),
          "distance in elements between the copies of a histogram of different chunks, so"
              + " that threads write to different cache lines");

  /**
   * The minimum number of operations per histogram bin of all chunks, so that combining the bins
   * costs little.
   */
  static final Option OPERATIONS =
      Option.integer(
          "operations-for-bin",
          2560,
          "minimum number of operations per histogram bin of all chunks, so that combining"
              + " the bins costs little");

  private final PassContext context;

  CoreHistograms(PassContext context) {
    this.context = context;
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
        mayBeOwn ? context.number(OWN_BINS) : 0,
        context.number(APART),
        UpdateStrategy.ELEMENTS_PER_UPDATE,
        context.number(OPERATIONS),
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
    return o.shape().get(0) instanceof SubExp.Const(PrimValue n)
        && n.asLong() > context.number(OWN_BINS);
  }
}
