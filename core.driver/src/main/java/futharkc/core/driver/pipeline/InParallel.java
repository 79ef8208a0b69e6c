package futharkc.core.driver.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A parallel map of a function over a range, on threads with large stacks. */
final class InParallel {
  private InParallel() {}

  /**
   * Returns the results of the function for 0 to {@code n - 1}, in that order.
   *
   * @throws RuntimeException the exception of the function for the smallest failing index; a
   *     checked exception is the cause of an {@link IllegalStateException}
   */
  static <T> List<T> map(int threads, int n, IntFunction<T> function) {
    int helpers = Math.min(threads, n) - 1;
    if (helpers <= 0) {
      List<T> results = new ArrayList<>(n);
      for (int i = 0; i < n; i++) {
        results.add(function.apply(i));
      }
      return results;
    }
    Task<T> task = new Task<>(n, function);
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < helpers; i++) {
      Thread thread = DeepStack.thread("passes-" + i, task);
      thread.start();
      others.add(thread);
    }
    task.run();
    boolean interrupted = false;
    for (Thread thread : others) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return task.results();
  }

  private static final class Task<T> implements Runnable {
    private final AtomicInteger next = new AtomicInteger();
    private final List<@Nullable T> results;
    private final List<@Nullable Throwable> failures;
    private final IntFunction<T> function;
    private volatile boolean failed;

    Task(int n, IntFunction<T> function) {
      this.function = function;
      results = new ArrayList<>(Collections.nCopies(n, null));
      failures = new ArrayList<>(Collections.nCopies(n, null));
    }

    /**
     * Evaluates the function for indices until none is left. Each position of the result lists is
     * written by one thread only.
     */
    @Override
    public void run() {
      for (int i = next.getAndIncrement(); i < results.size(); i = next.getAndIncrement()) {
        try {
          results.set(i, function.apply(i));
        } catch (Throwable e) {
          failures.set(i, e);
          failed = true;
        }
      }
    }

    List<T> results() {
      if (failed) {
        for (Throwable failure : failures) {
          switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
          }
        }
      }
      List<T> all = new ArrayList<>();
      for (T result : results) {
        if (result == null) {
          throw new IllegalStateException("a pass returned null");
        }
        all.add(result);
      }
      return all;
    }
  }
}
