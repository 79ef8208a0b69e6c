package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The code that one GPU thread runs between two barriers.
 *
 * @param launch the position of the kernel launch; launches are ordered
 * @param block the number of the thread block
 * @param thread the number of the thread in its block
 * @param phase the number of barriers that the thread block has passed
 */
record BarrierEpoch(long launch, long block, long thread, int phase) {
  /**
   * Tests whether the earlier epoch has ended on every GPU before the later one begins.
   *
   * @param earlier the epoch of the earlier access; null for the host
   * @param later the epoch of the later access; null for the host
   */
  static boolean areOrdered(@Nullable BarrierEpoch earlier, @Nullable BarrierEpoch later) {
    if (earlier == null || later == null || earlier.launch != later.launch) {
      return true;
    }
    return earlier.block == later.block
        && (earlier.phase < later.phase || earlier.thread == later.thread);
  }
}
