package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler: it runs the calls of a context, and distributes the tasks of parallel regions among
 * the context's threads.
 */
sealed interface Scheduler extends AutoCloseable
    permits CallerThread, OneThread, Streams, ChunkScheduler {
  /**
   * Creates a scheduler.
   *
   * @param kind the method of distribution
   * @param threads the number of threads
   * @param caller the thread that waits for the running call; null if there is none
   */
  static Scheduler of(Scheduling kind, int threads, Supplier<@Nullable Thread> caller) {
    if (threads == 1) {
      return new OneThread(caller);
    }
    return switch (kind) {
      case STREAMS -> new Streams(threads, caller);
      case TEAM -> new ChunkScheduler(threads, caller);
    };
  }

  /** Starts a call on a worker; no other call may be running. */
  <T> Future<T> start(Callable<T> call);

  /** Tests whether the current thread is one of the workers. */
  boolean isHere();

  /** Opens a region; returns the length of its stream. */
  int begin(Region region);

  /** Runs an element of a region's stream. */
  void run(Region region, int element);

  /** Ends the workers; no call may be running. */
  @Override
  void close();
}
