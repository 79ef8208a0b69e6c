package futharkc.core.driver.pipeline;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs code on a large stack, for recursion over the nesting of a program. The parser bounds the
 * nesting. The operating system commits only the used pages of the stack.
 */
public final class DeepStack {
  /**
   * The stack size in bytes. The launcher sets a smaller size, in MiB, under a limit of virtual
   * memory.
   */
  static final long SIZE = (long) Integer.getInteger("futharkc.stack", 512) << 20;

  private DeepStack() {}

  /** Returns a new thread with a large stack. */
  static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, SIZE);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs a task on a new thread with a large stack and waits for its end. An interrupt of the
   * caller interrupts the task.
   *
   * @throws RuntimeException the exception of the task; a checked exception becomes an {@link
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
