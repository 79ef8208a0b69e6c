package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that look for work for a while before they sleep, since regions often follow each other
 * within microseconds, and waking a thread takes tens of them.
 */
final class SpinThenPark {
  /** How long to look before sleeping, in nanoseconds: about what sleeping and waking cost. */
  private static final long PATIENCE = 100_000;

  /** How often to look before looking at the clock. */
  private static final int LOOKS = 64;

  /** How many threads one that has been woken wakes in turn. */
  private static final int EACH_WAKES = 2;

  /** Whether looking makes sense: not if it keeps others from the processors. */
  private final boolean patient;

  private final AtomicReferenceArray<@Nullable Thread> asleep;
  private final AtomicInteger count = new AtomicInteger();

  /** How many are still to be woken, by those that have been. */
  private final AtomicInteger wanted = new AtomicInteger();

  /**
   * Nobody.
   *
   * @param places how many threads there may be
   */
  SpinThenPark(int places) {
    asleep = new AtomicReferenceArray<>(places);
    patient = places <= Runtime.getRuntime().availableProcessors();
  }

  /** Looks for a while whether something comes to be. */
  boolean comes(BooleanSupplier what) {
    if (patient) {
      long start = System.nanoTime();
      do {
        for (int i = 0; i < LOOKS; i++) {
          if (what.getAsBoolean()) {
            return true;
          }
          Thread.onSpinWait();
        }
      } while (System.nanoTime() - start < PATIENCE);
    }
    return what.getAsBoolean();
  }

  /**
   * Wakes some of those who sleep. Who makes work first makes it known, then calls this.
   *
   * @param most how many at most
   */
  void wake(int most) {
    if (most > 0 && count.get() > 0) {
      wanted.accumulateAndGet(Math.min(most, count.get()), Math::max);
      wakeWanted();
    }
  }

  private void wakeWanted() {
    for (int i = 0; i < EACH_WAKES && wanted.get() > 0 && wanted.getAndDecrement() > 0; i++) {
      wakeOne();
    }
  }

  private void wakeOne() {
    for (int place = 0; place < asleep.length() && count.get() > 0; place++) {
      Thread thread = asleep.get(place);
      if (thread != null && asleep.compareAndSet(place, thread, null)) {
        count.getAndDecrement();
        LockSupport.unpark(thread);
        return;
      }
    }
  }

  /**
   * Sleeps until somebody wakes.
   *
   * @param place the thread's own
   * @param stay whether there is work after all: asked when all who make some can see that this
   *     thread sleeps
   */
  void sleep(int place, BooleanSupplier stay) {
    Thread self = Thread.currentThread();
    count.getAndIncrement();
    asleep.set(place, self);
    if (stay.getAsBoolean() && asleep.compareAndSet(place, self, null)) {
      count.getAndDecrement();
      return;
    }
    parkUntil(() -> asleep.get(place) == null);
    wakeWanted();
  }

  /** Sleeps until something has come to be, after which the thread is unparked. */
  static void parkUntil(BooleanSupplier done) {
    boolean interrupted = false;
    while (!done.getAsBoolean()) {
      LockSupport.park(done);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
