package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A thread of a context's pool. */
final class Worker extends ForkJoinWorkerThread {
  private static final long KEEP_SECONDS = 60;

  /** The index of the thread in the scheduler; 0 for a thread that runs calls. */
  int place;

  /** The thread's own count of blocks, which only this thread uses; null if it has none. */
  MemoryAccount.@Nullable Batch batch;

  private final Supplier<@Nullable Thread> caller;

  private Worker(ForkJoinPool pool, Supplier<@Nullable Thread> caller) {
    super(pool);
    this.caller = caller;
    setDaemon(true);
  }

  @Override
  protected void onStart() {
    super.onStart();
    setName("futhark-worker-" + getPoolIndex());
  }

  /**
   * Creates a pool with a fixed number of threads. The pool starts no additional thread for one
   * that waits.
   *
   * @param threads the number of threads
   * @param caller the thread that waits for the call for which the pool works; null if there is
   *     none
   */
  static ForkJoinPool pool(int threads, Supplier<@Nullable Thread> caller) {
    return new ForkJoinPool(
        threads,
        pool -> new Worker(pool, caller),
        null,
        false,
        threads,
        threads,
        0,
        p -> true,
        KEEP_SECONDS,
        TimeUnit.SECONDS);
  }

  /**
   * Starts work on a thread of a pool. The result is not a fork-join task: a pool thread that waits
   * for such a task would run other tasks of its own pool meanwhile. Those may last long, or need a
   * lock that the thread holds.
   */
  static <T> Future<T> start(ForkJoinPool pool, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    pool.execute(task);
    return task;
  }

  /**
   * Returns the thread that waits for the call for which this thread works; null if no call runs.
   */
  @Nullable Thread caller() {
    return caller.get();
  }

  /** Tests whether the current thread belongs to a pool. */
  static boolean isOf(ForkJoinPool pool) {
    return Thread.currentThread() instanceof Worker w && w.getPool() == pool;
  }

  /** Returns the current thread. */
  static Worker current() {
    return (Worker) Thread.currentThread();
  }
}
