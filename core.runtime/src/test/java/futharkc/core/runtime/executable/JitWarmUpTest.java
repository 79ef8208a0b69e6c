package futharkc.core.runtime.executable;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Calls that are made before there is a device. */
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
