package futharkc.core.runtime;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;

/** A thread of a context's pool. */
final class Worker extends ForkJoinWorkerThread {
  private static final long KEEP_SECONDS = 60;

  /** Its place among the threads that a scheduler knows; 0 for one that runs calls. */
  int place;

  private Worker(ForkJoinPool pool) {
    super(pool);
    setDaemon(true);
  }

  @Override
  protected void onStart() {
    super.onStart();
    setName("futhark-worker-" + getPoolIndex());
  }

  /**
   * A pool of that many threads. None stands in for one that waits: a region's tasks are for those
   * that there are.
   */
  static ForkJoinPool pool(int threads) {
    return new ForkJoinPool(
        threads,
        Worker::new,
        null,
        false,
        threads,
        threads,
        0,
        p -> true,
        KEEP_SECONDS,
        TimeUnit.SECONDS);
  }

  /** The current thread. */
  static Worker current() {
    return (Worker) Thread.currentThread();
  }
}
