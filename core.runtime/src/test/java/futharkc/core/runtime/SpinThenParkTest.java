package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Threads that look for work before they sleep. */
class SpinThenParkTest {
  /** Work may have come after the thread has looked, from who could not see that it sleeps. */
  @Test
  void nobodySleepsWhileThereIsWork() {
    SpinThenPark sleepers = new SpinThenPark(1);
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> sleepers.sleep(0, () -> true));
  }

  @Test
  void whoSleepsIsWoken() {
    SpinThenPark sleepers = new SpinThenPark(1);
    Thread thread = new Thread(() -> sleepers.sleep(0, () -> false));
    thread.setDaemon(true);
    thread.start();
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          while (thread.isAlive()) {
            sleepers.wake(1);
            Thread.sleep(1);
          }
        });
  }

  /**
   * It neither ends the wait nor makes the thread look again and again, and is there afterwards.
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
