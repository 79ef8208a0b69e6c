package futharkc.pass.tiling;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Cache tiling of parallel regions like matrix products. Each result of such a region is a sum over
 * a row of one array and a column of another one. The tiled region computes one tile of results
 * after the other. For a few steps of the sums at a time, it copies the elements of the tile's
 * columns to short arrays, the panels, and adds these steps to all results of the tile. The
 * innermost loop goes over the columns: its iterations are independent and read the panels at the
 * loop index, so that the JVM vectorises the loop.
 *
 * <pre>{@code
 * parallel over n * p {                 if n >= 32 && p >= 64 && m >= 64 {
 *   for i, j {                            rows = ..
 *     s = 0                               parallel over tiles of rows x 256 results {
 *     for k < m {                           tile[..] = 0
 *       x = xss[m * i + k]                  for group < m / 8 {
 *       y = yss[p * k + j]         =>         panel_0 = yss[..]; ..; panel_7 = yss[..]
 *       s = s + x * y                         for r < height {
 *     }                                         x_0 = xss[..]; ..; x_7 = xss[..]
 *     zss[p * i + j] = s                        partial = tile[256 * r ..]
 *   }                                           for c < length {
 * }                                               s = partial[c]
 *                                                 s = s + x_0 * panel_0[c]; ..
 *                                                 s = s + x_7 * panel_7[c]
 *                                                 partial[c] = s
 *                                               }
 *                                               tile[256 * r ..] = partial
 *                                             } }
 *                                           .. the remaining steps ..
 *                                           for r < height { for c < length { zss[..] = tile[..] } }
 *                                         }
 *                                       } else { parallel over n * p { .. } }
 * }</pre>
 *
 * <p>The pass finds these regions with the analysis of {@link BlockTilingPass}. The values of a
 * step must be the same for all columns, or the same for all rows, or results of a few vector
 * operations on such values and accumulators. Values of columns are computed once per tile, values
 * of rows once per row of a tile. Each result is accumulated in the original order, so that it is
 * bitwise equal to the result of sequential code. The code before and after the sums runs once more
 * for each result.
 *
 * <p>The JVM does not vectorise a loop that reads and writes arrays of one type at different
 * offsets. Therefore each step has a panel of its own, and a row of the tile is copied to an array
 * that the loop reads and writes at its index.
 *
 * <p>The program chooses at run time, by the sizes. {@link CacheTiles} has the limits; {@code
 * docs/results/cpu.md} has measurements.
 *
 * <p>Known gaps: regions with several products, with loops inside of loops, or with conditionals in
 * steps; accumulators of different types; integers of 8 and 16 bits, and minima and maxima of
 * floats; results with few columns and many rows; sequential code.
 */
public final class CacheTilingPass implements Pass.OnImperative {
  /** Creates the pass, for {@code ServiceLoader}. */
  public CacheTilingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "cache-tiling",
            "tiles matrix products and similar regions for caches and vectors",
            Rep.MC_IMP)
        .before(
            "div-rem-pairs",
            "loop-invariant-motion",
            "invariant-expansion",
            "induction-variable-narrowing",
            "reassociate-reductions",
            "strip-mine",
            "loop-distribution",
            "unroll-and-jam",
            "dead-code")
        .options(CacheTiles.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return CacheTiling.rewrite(function, context, CacheTiles.of(context));
  }
}
