package futharkc.core.driver.pipeline;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Verifies programs on a thread of its own, one after the other, while passes go on: programs do
 * not change, so that nobody has to wait for the verifier but at the end.
 */
final class Verifications {
  private final @Nullable ExecutorService thread;
  private volatile @Nullable Throwable failure;

  /**
   * @param beside whether there is to be such a thread; or else programs are verified at once
   */
  Verifications(boolean beside) {
    thread =
        beside ? Executors.newSingleThreadExecutor(r -> DeepStack.thread("verifier", r)) : null;
  }

  /** Runs a check, at once or when those before have ended well. */
  void add(Runnable check) {
    if (thread == null) check.run();
    else thread.execute(() -> run(check));
  }

  private void run(Runnable check) {
    if (failure != null) return;
    try {
      check.run();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  /** Whether a check has failed so far. */
  boolean haveFailed() {
    return failure != null;
  }

  /**
   * Waits for what is left to be checked; nothing is added after that.
   *
   * @throws RuntimeException what the first check that failed has thrown
   */
  void finish() {
    if (thread == null) return;
    thread.shutdown();
    boolean interrupted = false;
    while (!thread.isTerminated()) {
      try {
        thread.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  /** Drops what is left to be checked. */
  void drop() {
    if (thread != null) thread.shutdownNow();
  }
}
