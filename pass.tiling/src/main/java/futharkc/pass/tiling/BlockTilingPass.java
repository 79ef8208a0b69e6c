package futharkc.pass.tiling;

import futharkc.core.ir.Rep;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.util.List;

/** TODO. */
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
                "of a result that is tiled, at least; 0: as the target says"));
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

  private static Target.BlockTiles limits(PassContext context) {
    Target.BlockTiles limits = context.target().kernels().blockTiles();
    List<Target.TileSize> sizes = limits.sizes();
    if (context.integer("threads") != 0 || context.integer("side") != 0) {
      Target.TileSize t = sizes.getFirst();
      int threads = option(context, "threads", t.threads());
      int side = option(context, "side", t.side());
      sizes = List.of(new Target.TileSize(threads, t.resident(), side, t.elements(), t.least()));
    }
    long elements = context.integer("elements");
    if (elements != 0) sizes = sizes.stream().map(t -> t.withElements(elements)).toList();
    return new Target.BlockTiles(
        option(context, "depth", limits.depth()),
        limits.access(),
        limits.registers(),
        limits.statements(),
        sizes);
  }

  private static int option(PassContext context, String name, int otherwise) {
    long value = context.integer(name);
    return value == 0 ? otherwise : Math.toIntExact(value);
  }
}
