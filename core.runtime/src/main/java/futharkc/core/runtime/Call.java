package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call of an entry point, or of none just to initialise, which can be made to end early. */
final class Call implements Callable<Value[]> {
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
      Context.CANCELLING.count(1);
    }
  }

  private synchronized void end() {
    leader = null;
    if (byCaller || cancelled) {
      Context.CANCELLING.count(-1);
    }
    if (!byCaller) {
      var unused = Thread.interrupted();
    }
  }

  /** Makes it fail soon. Programs that are not compiled may wait for something. */
  synchronized void cancel() {
    if (leader != null && !byCaller) {
      if (!cancelled) {
        Context.CANCELLING.count(1);
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
