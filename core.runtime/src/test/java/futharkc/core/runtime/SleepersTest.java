package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Threads that look for work before they sleep. */
class SleepersTest {
  /** Work may have come after the thread has looked, from who could not see that it sleeps. */
  @Test
  void nobodySleepsWhileThereIsWork() {
    Sleepers sleepers = new Sleepers(1);
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> sleepers.sleep(0, () -> true));
  }

  @Test
  void whoSleepsIsWoken() {
    Sleepers sleepers = new Sleepers(1);
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
}
