package futharkc.pass.tiling;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.util.List;

/**
 * Block tiling: where each thread of a kernel goes through a row of one array and a column of
 * another, as in a product of matrices, all threads of a row read the same elements, and so do
 * those of a column. So the threads of a block compute a tile of results, each several rows and
 * columns of it in registers, and fetch what all of them need for a few steps into shared memory
 * together.
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
 *                                        .. the rest of the steps ..
 *                                        if row < n { if column < p { zss[..] = s_0_0 } .. } ..
 *                                      }
 * }</pre>
 *
 * <p>Any loop will do each of whose steps reads elements by row and step, and others by column and
 * step; what it computes of them is copied for each row, column or result of a thread that it is
 * different for, and each result is accumulated in the order that it was, so that it stays the same
 * to the last bit. Rows and columns behind the last one are read as if they were that, and nothing
 * is stored for them. While a thread computes the steps of a round, it loads what it fetches for
 * the next one; two tiles in shared memory take turns. Where the elements of neighbouring threads
 * are neighbours in memory, and how shared memory is laid out so that its banks do not wait for
 * each other, {@link TileShape} and {@link Tile} say.
 *
 * <p>Where a step reads nothing but what is the same for all threads of a block, as in simulations
 * of n bodies, a tile is one row: a thread has one result, and fetches the elements of one step.
 * That are kernels of any dimensions whose loop reads by the step only, and others where elements
 * depend on outer dimensions, too, which a block has one index of.
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
 *                                        .. the rest of the steps ..
 *                                        if 256 * block + thread < n { zs[..] = s }
 *                                      }
 * }</pre>
 *
 * <p>Threads behind the last result compute that, so that all of a block fetch, and go through the
 * same barriers. A loop may be in others that all threads of a block repeat alike. What is fetched,
 * no iteration writes before: others read it, too, and iterations do not depend on each other.
 *
 * <p>The host chooses between tiles of two sizes, or of one row, and the kernel as it was, by the
 * numbers of {@link futharkc.core.ir.Target.BlockTiles} and where the tuning parameter {@code
 * reg_tile_size} is greater than one, as it is on GPUs: on a CPU, shared memory is no faster than
 * other memory. On an H100 the product of two matrices of 4096 x 4096 f32 took 25,700 µs without
 * tiles, and 3311 with them; on an H200 nbody took 17,954 and 14,128, mri-q 916 and 775.
 *
 * <p>Known gaps: loops inside of conditions; kernels that may fail, store before the loop, or have
 * arrays of their own; loops with an index of less than 64 bits, or another start than 0. Of tiles
 * of rows and columns: loops with loops inside; elements that are fetched by rows are not loaded
 * several at once; what is read by the step only is read by each thread. Of tiles of one row: steps
 * that read anything else, if only in a condition; loops whose number of steps the host does not
 * know, as where that depends on a loop around; rows of fewer than 1024 results where elements
 * depend on the row, and fewer than 256 steps (lavaMD has 100 of each). mri-q would take 731 µs
 * with the elements of a step next to each other in shared memory, but nbody 14,398.
 */
public final class BlockTilingPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public BlockTilingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "block-tiling",
            "blocks compute tiles of results from what they fetch into shared memory together",
            Rep.GPU_IMP)
        .after("div-rem-pairs")
        .before("row-staging")
        .options(
            new Option(
                    "threads",
                    Option.Kind.INTEGER,
                    "0",
                    "of a block, in the only size of tiles; 0: as the target says")
                .within(0, 1024),
            new Option(
                    "side",
                    Option.Kind.INTEGER,
                    "0",
                    "most rows and columns of a thread's results, in the only size of tiles; 0: as"
                        + " the target says")
                .within(0, 16),
            new Option(
                    "depth",
                    Option.Kind.INTEGER,
                    "0",
                    "steps for which elements are fetched at once; 0: as the target says")
                .within(0, 64),
            new Option(
                    "elements",
                    Option.Kind.INTEGER,
                    "0",
                    "of a result that is tiled, at least, whatever its sides, the steps and what"
                        + " they do; 0: as the target says")
                .from(0),
            new Option(
                    "row",
                    Option.Kind.INTEGER,
                    "0",
                    "threads of a block that computes a tile of one row; 0: as the target says")
                .within(0, 1024),
            new Option(
                    "unrolled",
                    Option.Kind.INTEGER,
                    "0",
                    "steps that follow each other in the code of a tile of one row, at most; 0: as"
                        + " the target says")
                .within(0, 64));
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
        limits(context),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }

  static Target.BlockTiles limits(PassContext context) {
    Target.BlockTiles limits = context.target().kernels().blockTiles();
    List<Target.TileSize> sizes = limits.sizes();
    Target.TileSize t = sizes.getFirst();
    int threads = power(context, "threads", t.threads());
    int side = power(context, "side", t.side());
    int depth = power(context, "depth", limits.depth());
    if (threads != t.threads() || side != t.side()) {
      sizes =
          List.of(
              new Target.TileSize(threads, t.resident(), side, t.elements(), t.least(), t.steps()));
    }
    long elements = context.integer("elements");
    if (elements != 0) sizes = sizes.stream().map(x -> x.withElements(elements)).toList();
    return new Target.BlockTiles(
        depth, limits.access(), limits.registers(), limits.statements(), sizes, row(context));
  }

  private static Target.TileRow row(PassContext context) {
    Target.TileRow row = context.target().kernels().blockTiles().row();
    Target.TileSize t = row.size();
    int threads = power(context, "row", t.threads());
    int unrolled = power(context, "unrolled", row.unrolled());
    long elements = context.integer("elements");
    Target.TileSize size =
        new Target.TileSize(threads, t.resident(), t.side(), t.elements(), t.least(), t.steps());
    int statements = row.statements();
    if (elements != 0) {
      size = size.withElements(elements);
      statements = Integer.MAX_VALUE;
    }
    return new Target.TileRow(size, unrolled, statements, row.bytes());
  }

  /** An option that is a power of two, or zero, which stands for what the target says. */
  private static int power(PassContext context, String option, int otherwise) {
    int value = (int) context.integer(option);
    if (value == 0) return otherwise;
    if (Integer.bitCount(value) != 1) {
      throw new PassException(
          Loc.NONE,
          "block-tiling{" + option + "=" + value + "}: the option takes 0, or a power of two");
    }
    return value;
  }
}
