package futharkc.core.driver.pipeline;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A queue of verifications. One thread runs them in order while later passes run. Programs are
 * immutable, so passes wait for the verifier only at the end.
 */
final class Verifications {
  private final @Nullable ExecutorService thread;
  private volatile @Nullable Throwable failure;

  /**
   * Creates a queue.
   *
   * @param beside whether a thread runs the checks; false: {@link #add} runs each check at once
   */
  Verifications(boolean beside) {
    thread =
        beside ? Executors.newSingleThreadExecutor(r -> DeepStack.thread("verifier", r)) : null;
  }

  /**
   * Runs a check at once, or queues the check. A queued check runs only if all earlier checks have
   * passed.
   */
  void add(Runnable check) {
    if (thread == null) {
      check.run();
    } else {
      thread.execute(() -> run(check));
    }
  }

  private void run(Runnable check) {
    if (failure != null) {
      return;
    }
    try {
      check.run();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  /** Tests whether a check has failed so far. */
  boolean haveFailed() {
    return failure != null;
  }

  /**
   * Waits for all queued checks. No check may be added afterwards.
   *
   * @throws RuntimeException the exception of the first failed check
   */
  void finish() {
    if (thread == null) {
      return;
    }
    thread.shutdown();
    boolean interrupted = false;
    while (!thread.isTerminated()) {
      try {
        thread.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  /** Discards the queued checks. */
  void drop() {
    if (thread != null) {
      thread.shutdownNow();
    }
  }
}
