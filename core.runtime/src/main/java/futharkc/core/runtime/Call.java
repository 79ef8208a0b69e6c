package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call of an entry point, or the initialisation of a program, that can be cancelled. */
final class Call implements Callable<Value[]> {
  private final Supplier<Value[]> work;

  /**
   * True if the calling thread runs the call itself, so that no waiting thread can be interrupted.
   */
  private final boolean byCaller;

  private volatile boolean cancelled;
  private @Nullable Thread leader;

  /**
   * Creates a call.
   *
   * @param work the work of the call
   * @param byCaller true if the calling thread runs the call itself
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

  /**
   * Makes the call fail soon. The worker is interrupted, since programs that are not compiled may
   * block.
   */
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
   * Checks for cancellation.
   *
   * @throws FutharkError if the call has been cancelled
   */
  void check() {
    if (cancelled) {
      throw new FutharkError("Cancelled.", "", FutharkError.Kind.STOPPED);
    }
    if (byCaller && Thread.currentThread().isInterrupted()) {
      throw new FutharkError("Interrupted.", "", FutharkError.Kind.STOPPED);
    }
  }
}
