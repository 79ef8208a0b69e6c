package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the calls of a context run, and how the tasks of their parallel regions come to its
 * threads.
 */
sealed interface Scheduler extends AutoCloseable
    permits CallerThread, OneThread, Streams, ChunkScheduler {
  /**
   * The scheduler for a number of threads.
   *
   * @param caller the thread that waits for the call that runs, if one does
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

  /** Starts a call, on a worker; the caller has made sure that no other runs. */
  <T> Future<T> start(Callable<T> call);

  /** Whether the current thread is one of these workers. */
  boolean isHere();

  /** Opens a region; returns how many elements its stream is to have. */
  int begin(Region region);

  /** Runs an element of a region's stream. */
  void run(Region region, int element);

  /** Ends the workers; no call runs. */
  @Override
  void close();
}
