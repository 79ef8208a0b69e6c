package futharkc.core.runtime;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets the threads that call programs do so one at a time, in the order in which they came. A
 * context has one of its own, or that of the device that it shares with others.
 */
public final class CallQueue {
  /** Held by the thread whose call runs. */
  private final ReentrantLock turn = new ReentrantLock(true);

  /** The thread that holds the turn, for threads that work for its call. */
  private volatile @Nullable Thread caller;

  /** One with nobody in it. */
  public CallQueue() {}

  /** The thread whose turn it is. */
  @Nullable Thread caller() {
    return caller;
  }

  /**
   * Waits for the turn of the current thread.
   *
   * @throws FutharkError if the thread is interrupted, which it still is then
   * @throws IllegalStateException in a call
   */
  void take() {
    if (worksForCaller()) {
      throw new IllegalStateException("a call cannot call its own context");
    }
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FutharkError("Interrupted.");
    }
    caller = Thread.currentThread();
  }

  /** Ends the turn of the current thread. */
  void pass() {
    caller = null;
    turn.unlock();
  }

  /** Whether whom the current thread works for, or whom that one does, and so on, has the turn. */
  public boolean worksForCaller() {
    for (Thread t = Thread.currentThread();
        t != null;
        t = t instanceof Worker w ? w.caller() : null) {
      if (t == caller) {
        return true;
      }
    }
    return false;
  }

  /** Does something between two calls, or as part of that of the current thread. */
  public void exclusively(Runnable work) {
    turn.lock();
    try {
      work.run();
    } finally {
      turn.unlock();
    }
  }
}
