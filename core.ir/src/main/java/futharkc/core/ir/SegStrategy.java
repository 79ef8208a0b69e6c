package futharkc.core.ir;

/**
 * The division of a GPU's segmented reduction or scan among threads, and the thresholds between its
 * versions. The program chooses a version at run time, by sizes. A strategy affects results only by
 * the order in which it combines elements.
 *
 * <p>Without a strategy, a thread block reduces a segment in the order of its elements, and scans
 * have two passes. If the operators combine arrays, a thread computes a segment.
 */
public sealed interface SegStrategy {
  /** A thread for each segment. */
  record Threads() implements SegStrategy {}

  /**
   * A reduction by columns of threads: a thread block reduces adjacent segments, and its adjacent
   * threads read elements of adjacent segments.
   *
   * @param width the maximum number of columns per thread block
   * @param elements the minimum number of elements per thread in each part of a segment
   * @param bytes the bytes of shared memory per thread for which thread blocks have their usual
   *     size
   */
  record Columns(int width, int elements, int bytes) implements SegStrategy {}

  /**
   * A reduction by thread blocks, several of which may reduce parts of one segment.
   *
   * @param severalSegments true if a thread block reduces several short segments at a time
   * @param order the order of the elements of a part
   * @param rounds the maximum number of thread blocks, as a multiple of the grid
   * @param partsOfThread the maximum number of parts of a segment that one thread combines
   * @param resident the desired number of resident threads per multiprocessor; 0 for any number
   * @param bytes the bytes of shared memory per thread for which thread blocks have their usual
   *     size
   */
  record Blocks(
      boolean severalSegments, Order order, int rounds, int partsOfThread, int resident, int bytes)
      implements SegStrategy {
    /** A thread block for each segment, and elements in order. */
    public static final Blocks PLAIN = new Blocks(false, new Windows(1, 0), 1, 1, 0, 0);
  }

  /** The order in which a thread block reduces the elements of a part of a segment. */
  sealed interface Order {}

  /**
   * Any order: all thread blocks walk through a segment together.
   *
   * @param piece the maximum number of consecutive elements per thread, before the thread block
   *     continues after the pieces of all others
   * @param part the minimum number of elements per thread in a part if there are more parts than
   *     thread blocks; 0 if no segment has more parts
   */
  record AnyOrder(int piece, int part) implements Order {}

  /**
   * Windows: a thread block reads consecutive elements into shared memory, and each thread reduces
   * adjacent ones.
   *
   * @param items the maximum number of elements of a thread in a window
   * @param repeated the maximum number of statements of a body that is emitted twice, for whole and
   *     for partial windows
   */
  record Windows(int items, int repeated) implements Order {}

  /**
   * A scan in one pass, whose thread blocks wait for the prefixes of earlier ones.
   *
   * @param windows the windows that thread blocks scan
   * @param resident the desired number of resident threads per multiprocessor; 0 for any number
   * @param bytes the bytes of shared memory per thread for which thread blocks have their usual
   *     size
   */
  record OnePass(Windows windows, int resident, int bytes) implements SegStrategy {}

  /**
   * A scan in two passes: thread blocks reduce chunks, then scan them from their prefixes.
   *
   * @param windows the windows that thread blocks scan
   * @param bytes the bytes of shared memory per thread for which thread blocks have their usual
   *     size
   */
  record TwoPasses(Windows windows, int bytes) implements SegStrategy {
    /** Windows of one element per thread. */
    public static final TwoPasses PLAIN = new TwoPasses(new Windows(1, 0), 0);
  }
}
