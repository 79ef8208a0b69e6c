package futharkc.core.driver.pipeline;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs code with a stack that is large enough for recursion over the nesting of a program, which
 * the parser bounds. Only what is used of a stack costs memory.
 */
public final class DeepStack {
  /** In bytes. */
  static final long SIZE = 512L << 20;

  private DeepStack() {}

  /** A thread with a large stack. */
  static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, SIZE);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs a task on a thread of its own and waits for it. An interrupt is passed on to it.
   *
   * @throws RuntimeException what the task throws; checked exceptions become an {@link
   *     IllegalStateException}
   */
  public static <T> T call(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = thread("compiler", future);
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
          thread.interrupt();
        } catch (ExecutionException e) {
          switch (e.getCause()) {
            case RuntimeException r -> throw r;
            case Error r -> throw r;
            case null, default -> throw new IllegalStateException(e.getCause());
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
