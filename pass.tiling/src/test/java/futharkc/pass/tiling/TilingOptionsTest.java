package futharkc.pass.tiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.spi.Option;
import futharkc.tests.kit.RecordingContext;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TilingOptionsTest {
  private static BlockTiles limits(Map<String, String> options) {
    return BlockTiles.of(new RecordingContext(new BlockTilingPass(), options));
  }

  private static BlockTiles limits(String option, String value) {
    return limits(Map.of(option, value));
  }

  @ParameterizedTest
  @CsvSource({
    "threads, 1024, 0",
    "side, 16, 0",
    "depth, 64, 1",
    "row, 1024, 1",
    "unrolled, 64, 1",
    "elements, 1000000000000, 0"
  })
  void optionsTakeUpTo(String name, long most, long least) {
    Option option =
        new BlockTilingPass()
            .info().options().stream().filter(o -> o.name().equals(name)).findFirst().orElseThrow();
    assertTrue(option.takes(Long.toString(least)) && option.takes(Long.toString(most)));
    assertFalse(option.takes(Long.toString(least - 1)));
    assertEquals(name.equals("elements"), option.takes(Long.toString(2 * most)));
    assertEquals(name.equals("elements"), option.takes("3"));
  }

  @Test
  void zeroSelectsTwoSizes() {
    assertEquals(limits(Map.of()), limits("threads", "0"));
    assertEquals(2, limits(Map.of()).sizes().size());
    assertEquals(64, limits("threads", "64").sizes().getFirst().threads());
    assertEquals(1, limits("threads", "64").sizes().size());
    assertEquals(64, limits("row", "64").row().size().threads());
    assertEquals(4, limits("unrolled", "4").row().unrolled());
  }

  @Test
  void anElementIsEnoughWhereThatIsSaid() {
    TileRow row = limits("elements", "1").row();
    assertEquals(1, row.size().elements());
    assertEquals(0, row.size().steps());
    assertEquals(Integer.MAX_VALUE, row.statements());
  }
}
