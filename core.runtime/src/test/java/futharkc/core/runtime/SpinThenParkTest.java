package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A test of threads that spin before they park. */
class SpinThenParkTest {
  /**
   * Tests that a thread does not park if work arrives after its last check, from a thread that
   * could not yet see it park.
   */
  @Test
  void nobodySleepsWhileThereIsWork() {
    SpinThenPark waiters = new SpinThenPark(1);
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> waiters.sleep(0, () -> true));
  }

  @Test
  void whoSleepsIsWoken() {
    SpinThenPark waiters = new SpinThenPark(1);
    Thread thread = new Thread(() -> waiters.sleep(0, () -> false));
    thread.setDaemon(true);
    thread.start();
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          while (thread.isAlive()) {
            waiters.wake(1);
            Thread.sleep(1);
          }
        });
  }

  /**
   * Tests that an interrupt neither ends the wait nor causes busy waiting, and that the interrupt
   * status is set afterwards.
   */
  @Test
  void anInterruptIsKeptUntilTheWaitIsOver() {
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean seen = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              SpinThenPark.parkUntil(over::get);
              seen.set(over.get() && Thread.currentThread().isInterrupted());
            });
    thread.setDaemon(true);
    thread.start();
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          thread.interrupt();
          while (thread.isInterrupted() || thread.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
          }
          over.set(true);
          LockSupport.unpark(thread);
          thread.join();
        });
    assertTrue(seen.get());
  }
}
