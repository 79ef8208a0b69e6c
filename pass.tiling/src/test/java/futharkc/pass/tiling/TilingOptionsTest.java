package futharkc.pass.tiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Target;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassException;
import futharkc.tests.kit.RecordingContext;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TilingOptionsTest {
  private static Target.BlockTiles limits(String option, String value) {
    return BlockTilingPass.limits(
        new RecordingContext(new BlockTilingPass(), Map.of(option, value)));
  }

  @ParameterizedTest
  @CsvSource({"threads, 3", "side, 3", "depth, 5", "row, 3", "unrolled, 3"})
  void whatIsNoPowerOfTwoIsAnError(String option, String value) {
    PassException e = assertThrows(PassException.class, () -> limits(option, value));
    assertTrue(String.valueOf(e.getMessage()).contains("{" + option + "=" + value + "}"));
  }

  @ParameterizedTest
  @CsvSource({
    "threads, 1024",
    "side, 16",
    "depth, 64",
    "row, 1024",
    "unrolled, 64",
    "elements, 1000000000000"
  })
  void optionsTakeUpTo(String name, long most) {
    Option option =
        new BlockTilingPass()
            .info().options().stream().filter(o -> o.name().equals(name)).findFirst().orElseThrow();
    assertTrue(option.takes("0") && option.takes(Long.toString(most)));
    assertFalse(option.takes("-1"));
    assertEquals(name.equals("elements"), option.takes(Long.toString(2 * most)));
  }

  @Test
  void zeroIsWhatTheTargetSays() {
    assertEquals(Target.CPU.kernels().blockTiles(), limits("threads", "0"));
    assertEquals(64, limits("threads", "64").sizes().getFirst().threads());
    assertEquals(1, limits("threads", "64").sizes().size());
    assertEquals(Target.CPU.kernels().blockTiles(), limits("row", "0"));
    assertEquals(Target.CPU.kernels().blockTiles(), limits("unrolled", "0"));
    assertEquals(64, limits("row", "64").row().size().threads());
    assertEquals(4, limits("unrolled", "4").row().unrolled());
  }

  @Test
  void anElementIsEnoughWhereThatIsSaid() {
    Target.TileRow row = limits("elements", "1").row();
    assertEquals(1, row.size().elements());
    assertEquals(0, row.size().steps());
    assertEquals(Integer.MAX_VALUE, row.statements());
  }
}
