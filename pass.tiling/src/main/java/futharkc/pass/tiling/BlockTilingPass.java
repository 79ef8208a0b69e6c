package futharkc.pass.tiling;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.BlockAliases;
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
 * <p>The host chooses between tiles of two sizes and the kernel as it was, by the numbers of {@link
 * futharkc.core.ir.Target.BlockTiles} and where the tuning parameter {@code reg_tile_size} is
 * greater than one, as it is on GPUs: on a CPU, shared memory is no faster than other memory. On an
 * H100 the product of two matrices of 4096 x 4096 f32 took 25,700 µs without tiles, and 3311 with
 * them.
 *
 * <p>Known gaps: loops inside of other loops or of conditions; kernels that may fail, store before
 * the loop, or have arrays of their own; loops that read by steps and one side only, as those of
 * n-body simulations; loops with loops inside; elements that are fetched by rows are not loaded
 * several at once.
 */
public final class BlockTilingPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public BlockTilingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "block-tiling",
            "blocks compute tiles of matrix products in shared memory and registers",
            Rep.GPU_IMP)
        .after("div-rem-pairs")
        .before("row-staging")
        .options(
            new Option(
                "threads",
                Option.Kind.INTEGER,
                "0",
                "of a block, in the only size of tiles; 0: as the target says"),
            new Option(
                "side",
                Option.Kind.INTEGER,
                "0",
                "most rows and columns of a thread's results, in the only size of tiles; 0: as the"
                    + " target says"),
            new Option(
                "depth",
                Option.Kind.INTEGER,
                "0",
                "steps for which elements are fetched at once; 0: as the target says"),
            new Option(
                "elements",
                Option.Kind.INTEGER,
                "0",
                "of a result that is tiled, at least, whatever its sides and the steps; 0: as the"
                    + " target says"));
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
        context.analyses().get(function, BlockAliases.ANALYSIS),
        limits(context),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }

  static Target.BlockTiles limits(PassContext context) {
    Target.BlockTiles limits = context.target().kernels().blockTiles();
    List<Target.TileSize> sizes = limits.sizes();
    Target.TileSize t = sizes.getFirst();
    int threads = power(context, "threads", 1024, t.threads());
    int side = power(context, "side", 16, t.side());
    int depth = power(context, "depth", 64, limits.depth());
    if (threads != t.threads() || side != t.side()) {
      sizes =
          List.of(
              new Target.TileSize(threads, t.resident(), side, t.elements(), t.least(), t.steps()));
    }
    long elements = context.integer("elements");
    if (elements < 0) throw wrong("elements", elements, "a number that is not negative");
    if (elements != 0) sizes = sizes.stream().map(x -> x.withElements(elements)).toList();
    return new Target.BlockTiles(
        depth, limits.access(), limits.registers(), limits.statements(), sizes);
  }

  /** An option that is a power of two, or zero, which stands for what the target says. */
  private static int power(PassContext context, String option, int most, int otherwise) {
    long value = context.integer(option);
    if (value == 0) return otherwise;
    if (value < 0 || value > most || Long.bitCount(value) != 1) {
      throw wrong(option, value, "0, or a power of two up to " + most);
    }
    return (int) value;
  }

  private static PassException wrong(String option, long value, String possible) {
    return new PassException(
        Loc.NONE, "block-tiling{" + option + "=" + value + "}: the option takes " + possible);
  }
}
