package futharkc.core.runtime;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock that admits the calling threads one at a time, in order of arrival. A context has its own
 * queue, or that of the device that it shares with other contexts.
 */
public final class CallQueue {
  /** The lock of the running call. */
  private final ReentrantLock turn = new ReentrantLock(true);

  /** The thread that holds the lock; read by threads that work for its call. */
  private volatile @Nullable Thread caller;

  /** Creates an empty queue. */
  public CallQueue() {}

  /** Returns the thread that holds the lock; null if there is none. */
  @Nullable Thread caller() {
    return caller;
  }

  /**
   * Waits until the current thread holds the lock.
   *
   * @throws FutharkError if the thread is interrupted; its interrupt status stays set
   * @throws IllegalStateException if the current thread works for the running call
   */
  void take() {
    if (worksForCaller()) {
      throw new IllegalStateException("a call cannot start another call of its own context");
    }
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FutharkError("Interrupted.", "", FutharkError.Kind.STOPPED);
    }
    caller = Thread.currentThread();
  }

  /** Ends the turn of the current thread. */
  void pass() {
    caller = null;
    turn.unlock();
  }

  /**
   * Tests whether the current thread works for the call that holds the lock, directly or through
   * calls of other contexts.
   */
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

  /** Runs an action between two calls, or as part of the call of the current thread. */
  public void exclusively(Runnable work) {
    turn.lock();
    try {
      work.run();
    } finally {
      turn.unlock();
    }
  }
}
