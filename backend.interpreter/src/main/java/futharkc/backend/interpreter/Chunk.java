package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * One run of the body of a parallel region. Chunks are run one after the other; which of them a
 * real machine could run at the same time is known all the same.
 *
 * @param outer the chunk of the region around; null if there is none
 * @param region this execution of a region: the same object for all its chunks
 * @param number from 0
 * @param depth how many regions there are around this one
 */
record Chunk(@Nullable Chunk outer, Object region, int number, Phase phase, int depth) {
  /** Which body is run. */
  enum Phase {
    /** That of a parallel region. */
    WHOLE,
    /** Of a scan: reduces the chunk. */
    REDUCE,
    /** Of a scan: after the one of the chunk before. */
    COMBINE,
    /** Of a scan: after combining the chunk before. */
    SCAN
  }

  /** A body that is run inside another chunk, or outside any. */
  static Chunk inside(@Nullable Chunk outer, Object region, int number, Phase phase) {
    return new Chunk(outer, region, number, phase, outer == null ? 0 : outer.depth + 1);
  }

  /**
   * Whether what was run earlier has ended before something else begins, on every machine.
   *
   * @param earlier null for what is outside regions
   */
  static boolean areOrdered(@Nullable Chunk earlier, @Nullable Chunk later) {
    if (earlier == later || earlier == null || later == null) return true;
    Chunk a = earlier;
    Chunk b = later;
    while (a.depth > b.depth) a = outerOf(a);
    while (b.depth > a.depth) b = outerOf(b);
    if (a == b) return true;
    while (a.outer != b.outer) {
      a = outerOf(a);
      b = outerOf(b);
    }
    if (a.region != b.region || a.number == b.number) return true;
    return a.number < b.number && a.isBeforeNext() && b.isAfterPrevious();
  }

  private static Chunk outerOf(Chunk c) {
    Chunk outer = c.outer;
    if (outer == null) throw new IllegalStateException("no region around " + c);
    return outer;
  }

  /** Whether the chunks after this one wait for it. */
  private boolean isBeforeNext() {
    return phase == Phase.REDUCE || phase == Phase.COMBINE;
  }

  /** Whether it waits for the chunks before. */
  private boolean isAfterPrevious() {
    return phase == Phase.COMBINE || phase == Phase.SCAN;
  }

  // By identity: there are many, and each is only itself.

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
