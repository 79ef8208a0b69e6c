package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/**
 * The versions of a histogram's updates that a program has, and their thresholds. The program
 * chooses a version at run time, by sizes and by the device. A strategy does not affect results.
 *
 * <p>Without a strategy, all threads update the destinations, by atomic operations on a GPU and
 * under locks on a CPU.
 */
public sealed interface HistStrategy {
  /**
   * Private bins for each chunk of a CPU's region. The version with locks remains for many bins.
   *
   * @param own the maximum number of bins that a chunk holds in a scratch block; 0 for none
   * @param apart the distance in elements between the copies of chunks in one block
   * @param perUpdate the maximum number of elements of all copies per update
   * @param perBin the minimum number of a thread's operations per bin of a further copy
   * @param inAnyOrder true if chunks add scratch bins to the destinations in any order, instead of
   *     copying them for a later merge
   */
  record Cores(int own, int apart, int perUpdate, int perBin, boolean inAnyOrder)
      implements HistStrategy {}

  /**
   * Versions for a GPU.
   *
   * @param shared the version with bins in shared memory; null for none
   * @param global the version with atomic updates in device memory
   */
  record Device(@Nullable Shared shared, Global global) implements HistStrategy {}

  /**
   * Bins of thread blocks in shared memory, which are combined with the destinations at the end.
   *
   * @param passes the maximum number of passes over the inputs, each for a range of bins
   * @param copies the maximum number of copies of the bins per thread block
   * @param threads the minimum number of threads per thread block if bins take much shared memory
   * @param resident the number of thread blocks that share a multiprocessor's shared memory
   * @param partials the maximum number of bins of all thread blocks that a separate kernel combines
   *     instead of updates under locks; 0 for none
   */
  record Shared(int passes, int copies, int threads, int resident, long partials) {}

  /**
   * Bins in device memory.
   *
   * @param blocks the factor by which more thread blocks run
   * @param passes the maximum number of passes over the inputs, each for a range of bins
   * @param bins the number of bins per pass; 0 if there is one pass
   */
  record Global(int blocks, int passes, long bins) {
    /** One pass by the usual number of thread blocks. */
    public static final Global PLAIN = new Global(1, 1, 0);
  }
}
