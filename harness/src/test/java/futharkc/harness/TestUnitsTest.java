package futharkc.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.harness.testing.TestSpecParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the units of programs with properties. */
final class TestUnitsTest {
  private static Map<String, TestUnits.Unit> units(String text, TestSettings.Mode mode)
      throws Exception {
    TestSettings settings =
        new TestSettings(
            "c", mode, null, null, 1, "", "", List.of(), TestSettings.BenchSettings.DEFAULT);
    return TestUnits.of(TestSpecParser.parse(text), text, settings);
  }

  @Test
  void propertiesThatNoBlockNamesAreReported() throws Exception {
    String text =
        """
        -- ==
        -- property: named
        #[prop]
        entry named (x: i32) = x == x
        #[prop(size(3))]
        entry lost (x: i32) = x == x
        entry other (x: i32) = x
        """;
    Map<String, TestUnits.Unit> all = units(text, TestSettings.Mode.ALL);
    assertEquals(List.of("property named", "property lost"), List.copyOf(all.keySet()));
    assertEquals("", all.get("property named").skip());
    assertEquals(
        "no test block names it; '-- property: lost' tests it", all.get("property lost").skip());
    assertEquals(Map.of(), units(text, TestSettings.Mode.BENCH));
  }

  @Test
  void aProgramWithoutBlocksIsCompiledToo() throws Exception {
    Map<String, TestUnits.Unit> all =
        units("#[prop] entry lost (x: i32) = x == x", TestSettings.Mode.ALL);
    assertEquals(List.of("compiles", "property lost"), List.copyOf(all.keySet()));
  }
}
