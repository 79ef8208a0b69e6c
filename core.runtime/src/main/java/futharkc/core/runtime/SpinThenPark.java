package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A waiting policy: a thread without work spins for some time, then parks. Regions often follow
 * each other within microseconds, and waking a thread takes tens of microseconds.
 */
final class SpinThenPark {
  /**
   * The spinning time before a thread parks, in nanoseconds; about the cost of parking and waking.
   */
  private static final long SPIN_NANOS = 100_000;

  /** The number of checks between two reads of the clock. */
  private static final int CHECKS_PER_CLOCK_READ = 64;

  /** The number of threads that a woken thread wakes in turn. */
  private static final int EACH_WAKES = 2;

  /** True if threads spin; false if spinning threads would take processors from others. */
  private final boolean spins;

  private final AtomicReferenceArray<@Nullable Thread> asleep;
  private final AtomicInteger count = new AtomicInteger();

  /** The number of threads that woken threads still have to wake. */
  private final AtomicInteger wanted = new AtomicInteger();

  /**
   * Creates the policy for a number of threads.
   *
   * @param places the largest number of threads
   */
  SpinThenPark(int places) {
    asleep = new AtomicReferenceArray<>(places);
    spins = places <= Runtime.getRuntime().availableProcessors();
  }

  /**
   * Spins until a condition holds or the spinning time is over; returns the last result of the
   * condition.
   */
  boolean spinUntil(BooleanSupplier what) {
    if (spins) {
      long start = System.nanoTime();
      do {
        for (int i = 0; i < CHECKS_PER_CLOCK_READ; i++) {
          if (what.getAsBoolean()) {
            return true;
          }
          Thread.onSpinWait();
        }
      } while (System.nanoTime() - start < SPIN_NANOS);
    }
    return what.getAsBoolean();
  }

  /**
   * Wakes some parked threads. The caller must publish its work first.
   *
   * @param most the largest number of threads to wake
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
   * Parks the current thread until another thread wakes it.
   *
   * @param place the index of the thread
   * @param stay the test for work that was published before other threads could see that this
   *     thread parks
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

  /**
   * Parks the current thread until a condition holds. The thread that makes the condition true must
   * unpark this one.
   */
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
