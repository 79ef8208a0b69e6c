package futharkc.pass.tiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import futharkc.core.ir.PrimType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the growth of a thread's code. */
final class TileShapeTest {
  private static final List<PrimType> ONE = List.of(PrimType.F32);

  private static final TileSize SIZE = new TileSize(128, 512, 8, 1, 1, 1);

  private static final BlockTiles LIMITS =
      new BlockTiles(8, 16, 104, 2048, List.of(SIZE), new TileRow(SIZE, 8, 16, 1 << 14));

  private static TileShape of(int step, int after) {
    TileShape s = TileShape.of(LIMITS, SIZE, ONE, ONE, ONE, step, after);
    assertNotNull(s);
    return s;
  }

  @Test
  void stepsAreUnrolledByTheirOwnStatements() {
    assertEquals(8, of(1, 10).unrolled());
    assertEquals(8, of(4, 1).unrolled());
    assertEquals(4, of(5, 1).unrolled());
  }

  @Test
  void thereAreFewerResultsWhereMuchIsDoneForEach() {
    assertEquals(64, of(1, 32).rows() * of(1, 32).columns());
    assertEquals(32, of(1, 33).rows() * of(1, 33).columns());
    assertEquals(32, of(33, 1).rows() * of(33, 1).columns());
  }

  @Test
  void aThreadHasOneColumnAndOneStepOfARow() {
    TileShape row = TileShape.ofRow(LIMITS, 4);
    assertEquals(1, row.extent(Side.ROW));
    assertEquals(128, row.extent(Side.COLUMN));
    assertEquals(128, row.depth());
    assertEquals(1, row.fetches(Side.ROW));
  }

  @Test
  void longStepsOfARowAreUnrolledLess() {
    assertEquals(8, TileShape.ofRow(LIMITS, 256).unrolled());
    assertEquals(4, TileShape.ofRow(LIMITS, 257).unrolled());
    assertEquals(1, TileShape.ofRow(LIMITS, 5000).unrolled());
  }
}
