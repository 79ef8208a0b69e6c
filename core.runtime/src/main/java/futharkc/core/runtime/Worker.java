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

  /** Its place among the threads that a scheduler knows; 0 for one that runs calls. */
  int place;

  /** What the thread has counted of blocks and not handed on; only it uses this. */
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
   * A pool of that many threads. None stands in for one that waits: a region's tasks are for those
   * that there are.
   *
   * @param caller the thread that waits for the call that the threads work for, if there is one
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
   * Starts something on a worker of a pool. Whoever waits for the result only waits: with a task of
   * fork and join, a thread of another pool would begin tasks of its own pool meanwhile, which may
   * last until it is back, or need what it holds.
   */
  static <T> Future<T> start(ForkJoinPool pool, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    pool.execute(task);
    return task;
  }

  /** The thread that waits for the call that this one works for; null if no call runs. */
  @Nullable Thread caller() {
    return caller.get();
  }

  /** Whether the current thread is one of a pool. */
  static boolean isOf(ForkJoinPool pool) {
    return Thread.currentThread() instanceof Worker w && w.getPool() == pool;
  }

  /** The current thread. */
  static Worker current() {
    return (Worker) Thread.currentThread();
  }
}
