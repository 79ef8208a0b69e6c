package futharkc.core.runtime.executable;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A test of calls before a device is open. */
final class JitWarmUpTest {
  @Test
  void noneOfTheCallsFails() {
    assertTrue(JitWarmUp.run());
  }

  @Test
  void theServerStartsAndEnds() {
    assertTrue(JitWarmUp.serve());
  }
}
