package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The tasks of a region, divided into one share for each thread. A thread gets the same part of a
 * range in each region, since it may be in the thread's cache. A thread without own tasks takes
 * tasks from other shares.
 */
final class WorkStealingRanges {
  /**
   * The distance of two counters in elements, so that no two counters are in adjacent cache lines.
   */
  private static final int APART = 32;

  private final int tasks;
  private final int shares;

  /** The next task of each share. */
  private final AtomicIntegerArray next;

  /** Divides tasks into shares for at most the given number of threads. */
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

  /** Tests whether there are tasks that no thread has taken. */
  boolean hasTasks() {
    for (int s = 0; s < shares; s++) {
      if (next.get(s * APART) < end(s)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs tasks of a region until all tasks are taken.
   *
   * @param region the region
   * @param place the index of the current thread
   * @param done the action after each task
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
