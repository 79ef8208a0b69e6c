package futharkc.core.runtime.executable;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Calls that are made before there is a device. */
final class RehearsalTest {
  @Test
  void noneOfTheCallsFails() {
    assertTrue(Rehearsal.run());
  }

  @Test
  void theServerStartsAndEnds() {
    assertTrue(Rehearsal.serve());
  }
}
