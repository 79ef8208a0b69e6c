package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The tasks of a region, shared out among threads in advance: a thread gets the same part of a
 * range each time, which it may find in its cache, and who has none left takes from others' shares.
 */
final class WorkStealingRanges {
  /** Counters are so far apart that no two are in one pair of cache lines. */
  private static final int APART = 32;

  private final int tasks;
  private final int shares;

  /** The next task of each share. */
  private final AtomicIntegerArray next;

  /** A number of tasks for at most that many threads. */
  WorkStealingRanges(int tasks, int threads) {
    this.tasks = tasks;
    shares = Math.min(tasks, threads);
    next = new AtomicIntegerArray(shares * APART);
    for (int s = 1; s < shares; s++) {
      next.setPlain(s * APART, (int) Parallel.chunkStart(tasks, shares, s));
    }
  }

  private int end(int share) {
    return (int) Parallel.chunkStart(tasks, shares, share + 1);
  }

  /** Whether there are tasks that nobody has taken. */
  boolean hasTasks() {
    for (int s = 0; s < shares; s++) {
      if (next.get(s * APART) < end(s)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs tasks of a region until all are taken.
   *
   * @param place of the current thread
   * @param done what to do after each
   */
  void work(Region region, int place, Runnable done) {
    for (int i = 0; i < shares; i++) {
      int share = (place + i) % shares;
      int end = end(share);
      while (next.get(share * APART) < end) {
        int task = next.getAndIncrement(share * APART);
        if (task < end) {
          region.run(task);
          done.run();
        }
      }
    }
  }
}
