package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call of an entry point, or of none just to initialise, which can be made to end early. */
final class Call implements Callable<Value[]> {
  /**
   * How many calls of all contexts run that have been cancelled, or that their own callers run,
   * whom nobody watches: generated code asks this before it looks at its own call, as the JVM keeps
   * nothing in registers for it.
   */
  private static final AtomicInteger WATCHED = new AtomicInteger();

  private final Supplier<Value[]> work;

  /** Whether the caller's own thread runs it, so that nobody waits who could be interrupted. */
  private final boolean byCaller;

  private volatile boolean cancelled;
  private @Nullable Thread leader;

  /**
   * A call that does some work.
   *
   * @param byCaller whether the thread that asks for it does it
   */
  Call(Supplier<Value[]> work, boolean byCaller) {
    this.work = work;
    this.byCaller = byCaller;
  }

  /** Whether there is a call that has to look whether it should end. */
  static boolean anyWatched() {
    return WATCHED.get() != 0;
  }

  @Override
  public Value[] call() {
    begin();
    try {
      return work.get();
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    check();
    leader = Thread.currentThread();
    if (byCaller) {
      WATCHED.getAndIncrement();
    }
  }

  private synchronized void end() {
    leader = null;
    if (byCaller || cancelled) {
      WATCHED.getAndDecrement();
    }
    if (!byCaller) {
      var unused = Thread.interrupted();
    }
  }

  /** Makes it fail soon. Programs that are not compiled may wait for something. */
  synchronized void cancel() {
    if (leader != null && !byCaller) {
      if (!cancelled) {
        WATCHED.getAndIncrement();
      }
      leader.interrupt();
    }
    cancelled = true;
  }

  /**
   * Looks whether it should end.
   *
   * @throws FutharkError if so
   */
  void check() {
    if (cancelled) {
      throw new FutharkError("Cancelled.");
    }
    if (byCaller && Thread.currentThread().isInterrupted()) {
      throw new FutharkError("Interrupted.");
    }
  }
}
