package futharkc.pass.tiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Target;
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
  @CsvSource({
    "threads, 3",
    "threads, -4",
    "threads, 2048",
    "threads, 99999999999",
    "side, 3",
    "side, 32",
    "depth, 5",
    "depth, 128",
    "row, 3",
    "row, 2048",
    "unrolled, 3",
    "unrolled, 128",
    "elements, -1"
  })
  void whatIsNotPossibleIsAnError(String option, String value) {
    PassException e = assertThrows(PassException.class, () -> limits(option, value));
    assertTrue(String.valueOf(e.getMessage()).contains("{" + option + "=" + value + "}"));
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
