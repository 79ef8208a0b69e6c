package futharkc.core.runtime.executable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Calls that are made before there is a device. */
final class RehearsalTest {
  @Test
  void noneOfTheCallsFails() {
    assertEquals(Rehearsal.TIMES, Rehearsal.run());
  }
}
