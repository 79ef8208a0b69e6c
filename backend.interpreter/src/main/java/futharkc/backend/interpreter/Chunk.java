package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * One run of the body of a parallel region. The interpreter runs chunks one after the other, and
 * determines which of them a real machine may run at the same time.
 *
 * @param outer the chunk of the enclosing region; null if there is none
 * @param region the identity of this execution of the region, shared by all its chunks
 * @param number the number of the chunk, from 0
 * @param phase the body that the chunk runs
 * @param depth the number of enclosing regions
 */
record Chunk(@Nullable Chunk outer, Object region, int number, Phase phase, int depth) {
  /** The bodies of parallel regions and chained scans. */
  enum Phase {
    /** The body of a parallel region. */
    WHOLE,
    /** The body of a chained scan that reduces the chunk. */
    REDUCE,
    /**
     * The body of a chained scan that combines the reduction of the chunk with the prefix of all
     * chunks before it.
     */
    COMBINE,
    /**
     * The body of a chained scan that scans the chunk, starting from the prefix of the chunks
     * before it.
     */
    SCAN
  }

  /** Returns a chunk of a region inside another chunk, or outside all regions. */
  static Chunk inside(@Nullable Chunk outer, Object region, int number, Phase phase) {
    return new Chunk(outer, region, number, phase, outer == null ? 0 : outer.depth + 1);
  }

  /**
   * Tests whether the earlier chunk has ended on every machine before the later one begins.
   *
   * @param earlier the chunk of the earlier access; null outside regions
   * @param later the chunk of the later access; null outside regions
   */
  static boolean areOrdered(@Nullable Chunk earlier, @Nullable Chunk later) {
    if (earlier == later || earlier == null || later == null) {
      return true;
    }
    Chunk a = earlier;
    Chunk b = later;
    while (a.depth > b.depth) {
      a = outerOf(a);
    }
    while (b.depth > a.depth) {
      b = outerOf(b);
    }
    if (a == b) {
      return true;
    }
    while (a.outer != b.outer) {
      a = outerOf(a);
      b = outerOf(b);
    }
    if (a.region != b.region || a.number == b.number) {
      return true;
    }
    return a.number < b.number && a.isBeforeNext() && b.isAfterPrevious();
  }

  private static Chunk outerOf(Chunk c) {
    Chunk outer = c.outer;
    if (outer == null) {
      throw new IllegalStateException("no region around " + c);
    }
    return outer;
  }

  /** Tests whether the next chunk waits for this phase. */
  private boolean isBeforeNext() {
    return phase == Phase.REDUCE || phase == Phase.COMBINE;
  }

  /** Tests whether this phase waits for the previous chunk. */
  private boolean isAfterPrevious() {
    return phase == Phase.COMBINE || phase == Phase.SCAN;
  }

  // Chunks are compared by identity: an execution creates each chunk once.

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
