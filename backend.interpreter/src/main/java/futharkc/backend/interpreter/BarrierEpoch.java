package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * What one thread of a GPU runs between two barriers.
 *
 * @param launch of which launch of a kernel; they are in order
 * @param phase how many barriers the block has gone through before
 */
record BarrierEpoch(long launch, long block, long thread, int phase) {
  /**
   * Whether what was run earlier has ended before something else begins, on every machine.
   *
   * @param earlier null for the host
   */
  static boolean areOrdered(@Nullable BarrierEpoch earlier, @Nullable BarrierEpoch later) {
    if (earlier == null || later == null || earlier.launch != later.launch) return true;
    return earlier.block == later.block
        && (earlier.phase < later.phase || earlier.thread == later.thread);
  }
}
