package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.harness.Outcome;
import futharkc.harness.TestSettings;
import futharkc.harness.TestSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports about properties that do not hold, or that are declared wrongly. */
final class PropertiesTest {
  private static final String PROGRAM =
      """
      -- ==
      -- property: small short shrunk fails undeclared wrong opaque unknown_argument
      -- property: crashing_generator crashing_shrinker

      #[prop]
      entry small (x: u8) = x < 10

      #[prop(size(9))]
      entry short (xs: []i32) = length xs < 4

      entry up (size: i64) (_: u64) = (size, 3i32)
      entry down (p: (i64, i32)) (random: u64) =
        if random % 2 == 0 then (p.0 - 1, p.1) else (p.0, p.1 - 1)

      #[prop(gen(up),shrink(down))]
      entry shrunk (p: (i64, i32)) = p.0 < 20

      #[prop]
      entry fails (x: i32) = 1 / (x - x) == 0

      entry undeclared (x: i32) = x == x

      #[prop]
      entry wrong (x: i32) (_y: i32) = x

      type~ shape = #circle | #square
      #[prop]
      entry opaque (s: shape) = match s case #circle -> true case #square -> true

      #[prop(gne(up))]
      entry unknown_argument (x: i32) = x == x

      entry bad_up (size: i64) (_: u64) = 1 / (size - size)
      #[prop(gen(bad_up),size(2))]
      entry crashing_generator (x: i64) = x == x

      entry bad_down (p: i64) (_: u64) = p / (p - p)
      entry itself (size: i64) (_: u64) = size
      #[prop(gen(itself),shrink(bad_down),size(8))]
      entry crashing_shrinker (x: i64) = x < 3
      """;

  @Test
  void reportsShowASmallCounterexample(@TempDir Path folder) throws Exception {
    Path program = Files.writeString(folder.resolve("p.fut"), PROGRAM);
    TestSettings settings =
        new TestSettings(
                "interpreter",
                TestSettings.Mode.ALL,
                null,
                null,
                1,
                "",
                "",
                List.of(),
                TestSettings.BenchSettings.DEFAULT)
            .withProperties(new TestSettings.PropertySettings(100, 50, 1, 5));
    Map<String, String> details =
        ProgramsTest.finished(program, settings).stream()
            .map(TestSuite.Finished::outcome)
            .filter(o -> o.status() == Outcome.Status.FAILED)
            .collect(Collectors.toMap(Outcome::key, Outcome::detail));
    assertEquals(10, details.size(), details::toString);
    String small = details.get("property small");
    assertTrue(
        small.matches(
            "Property small \\(size=50, seed=1\\) failed after \\d+ tests:\\n"
                + "Counterexample: \\d{2,3}u8"),
        small);
    assertTrue(
        details
            .get("property short")
            .matches("(?s).*Counterexample: \\[-?\\d+i32(, -?\\d+i32){3}\\]"),
        details.get("property short"));
    assertTrue(details.get("property shrunk").contains("Counterexample: (20i64, "));
    assertTrue(
        details.get("property fails").matches("(?s)Property fails failed with candidate=.*zero.*"));
    assertTrue(details.get("property undeclared").contains("no attribute #[prop]"));
    assertTrue(details.get("property wrong").contains("Actual:   i32 -> i32 -> i32"));
    assertTrue(details.get("property opaque").contains("must name a generator"));
    assertTrue(details.get("property unknown_argument").contains("unknown argument gne(up)"));
    assertTrue(
        details.get("property crashing_generator").startsWith("Generator bad_up failed"),
        details.get("property crashing_generator"));
    assertTrue(
        details.get("property crashing_shrinker").contains("Shrinking note: Shrinker bad_down"),
        details.get("property crashing_shrinker"));
    assertTrue(details.get("property crashing_shrinker").contains("Counterexample: 3i64"));
  }
}
