package futharkc.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the encoding of settings for workers. */
final class TestSettingsTest {
  @Test
  void fieldsTellAll() {
    TestSettings settings =
        new TestSettings(
            "opencl",
            TestSettings.Mode.NO_STRUCTURE,
            "-contraction",
            null,
            3,
            "tuned",
            "#1 H100",
            List.of("a", "b"),
            new TestSettings.BenchSettings(7, false, 20, true),
            new TestSettings.PropertySettings(3, 4, -5, 6),
            List.of("--num-threads", "2"),
            "spec.fut");
    assertEquals(settings, TestSettings.ofFields(settings.toFields()));
  }
}
