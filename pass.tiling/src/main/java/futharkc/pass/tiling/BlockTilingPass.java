package futharkc.pass.tiling;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Block tiling of kernels like matrix products. Each thread of such a kernel traverses a row of one
 * array and a column of another one. All threads of a row of results read the same elements, and so
 * do all threads of a column. With tiling, a thread block computes a tile of results. Each thread
 * holds several rows and columns of results in registers. For a few steps at a time, the threads
 * together copy the elements that they need to shared memory.
 *
 * <pre>{@code
 * launch (block, thread) {             launch (block, thread) shared (tile: ..) {
 *   for i from block * T + thread        row = 64 * (block / tiles) + own; column = ..
 *       < n * p by blocks * T {          s_0_0 = 0; s_0_1 = 0; ..
 *     j = i % p; i = i / p               x = xss[m * r + t]; y = yss[p * t + c]
 *     s = 0                              tile[..] = x; tile[..] = y
 *     for k < m {                 =>     barrier
 *       x = xss[m * i + k]               for round < m / 8 {
 *       y = yss[p * k + j]                 if round + 1 < m / 8 { x = xss[..]; y = yss[..] }
 *       s = s + x * y                      { x_0 = tile[..]; x_1 = ..; y_0 = tile[..]; ..
 *     }                                      s_0_0 = s_0_0 + x_0 * y_0; .. } ..
 *     zss[p * i + j] = s                   if round + 1 < m / 8 { tile[..] = x; tile[..] = y }
 *   }                                      barrier
 * }                                      }
 *                                        .. the remaining steps ..
 *                                        if row < n { if column < p { zss[..] = s_0_0 } .. } ..
 *                                      }
 * }</pre>
 *
 * <p>The pass tiles a loop if each step reads some elements by row and step, and others by column
 * and step. The pass copies the computation for each row, column or result of a thread, depending
 * on the dimensions with which it varies. Each result is accumulated in the original order, so that
 * it is bitwise equal. Indices beyond the last row or column are clamped, and their results are not
 * stored. While a thread computes the steps of a round, it loads the elements of the next round;
 * two tiles in shared memory alternate. {@link TileShape} and {@link Tile} describe which
 * neighbouring threads access neighbouring memory, and a layout of shared memory without bank
 * conflicts.
 *
 * <p>A tile has one row if a step reads only elements that are the same for all threads of a thread
 * block. Simulations of n bodies are an example. Each thread then has one result and copies the
 * elements of one step. This applies to kernels whose loop reads by the step only. It also applies
 * if the elements depend on outer dimensions whose index is constant in a thread block.
 *
 * <pre>{@code
 * launch (block, thread) {             launch (block, thread) shared (tile: ..) {
 *   for i from block * T + thread        i = min(256 * block + thread, n - 1)
 *       < n by blocks * T {              x = xs[i]
 *     x = xs[i]                          s = 0
 *     s = 0                              tile[..] = xs[thread]; tile[..] = ws[thread]
 *     for k < m {                        barrier
 *       y = xs[k]                =>      for round < m / 256 {
 *       w = ws[k]                          if round + 1 < m / 256 { y = xs[..]; w = ws[..] }
 *       s = s + w / (y - x)                for k < 32 { { y_0 = tile[..]; w_0 = tile[..]
 *     }                                      s = s + w_0 / (y_0 - x) } .. }
 *     zs[i] = s                            if round + 1 < m / 256 { tile[..] = y; tile[..] = w }
 *   }                                      barrier
 * }                                      }
 *                                        .. the remaining steps ..
 *                                        if 256 * block + thread < n { zs[..] = s }
 *                                      }
 * }</pre>
 *
 * <p>Threads beyond the last result compute the last result, so that all threads of a thread block
 * copy elements and reach the same barriers. The tiled loop may be inside other loops that all
 * threads of a thread block repeat alike. No iteration writes a copied element before its read:
 * other iterations read the element too, and iterations are independent.
 *
 * <p>The host chooses among tiles of two sizes or of one row, and the original kernel. The choice
 * depends on the thresholds in {@link BlockTiles}. The tuning parameter {@code reg_tile_size} must
 * be greater than one, as it is on GPUs: on a CPU, shared memory is no faster than other memory.
 * {@code docs/results/gpu.md} has measurements.
 *
 * <p>Known gaps: loops inside conditions; kernels that may fail, that store before the loop, or
 * that have private arrays; loops with an index of less than 64 bits, or with a start other than 0.
 * Tiles of rows and columns: no loops inside loops, no vector loads of elements copied by rows, and
 * each thread reads elements that depend on the step only. Tiles of one row: no steps that read
 * other elements, even under a condition; no trip counts that are unknown to the host, such as
 * those that depend on an enclosing loop. No rows of fewer than 1024 results if elements depend on
 * the row; no loops of fewer than 256 steps.
 */
public final class BlockTilingPass implements Pass.OnImperative {
  /** Creates the pass, for {@code ServiceLoader}. */
  public BlockTilingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "block-tiling",
            "tiles matrix products and similar loops in shared memory and registers",
            Rep.GPU_IMP)
        .after("div-rem-pairs")
        .before("row-staging")
        .options(BlockTiles.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return BlockTiling.rewrite(
        function,
        BlockTiles.of(context),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
