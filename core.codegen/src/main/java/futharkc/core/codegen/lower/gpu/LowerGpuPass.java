package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ProgramLowering;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.spi.PassInfo;

/** The lowering pass from GPU_MEM to GPU_IMP, by {@link ProgramLowering}. */
public final class LowerGpuPass implements Pass.Lowering {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LowerGpuPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "lower-gpu", "lowers to imperative code for a host and its kernels", Rep.GPU_MEM)
        .produces(Rep.GPU_IMP)
        .options(
            new Option(
                    "shuffled",
                    Option.Kind.INTEGER,
                    "0",
                    "number of adjacent threads that exchange values by shuffles, a power of two up"
                        + " to 32; 1: no shuffles; 0: the target's choice")
                .within(0, 32),
            new Option(
                    "tile-side",
                    Option.Kind.INTEGER,
                    "0",
                    "elements per side of a tile of a transpose, a power of two; 0: the target's"
                        + " choice")
                .within(0, 1024),
            new Option(
                    "tile-threads",
                    Option.Kind.INTEGER,
                    "0",
                    "threads that transpose a tile, a multiple of its side; 0: the target's choice")
                .within(0, 1024),
            new Option(
                    "tile-elements",
                    Option.Kind.INTEGER,
                    "0",
                    "minimum elements of a map that reads along one dimension and writes along"
                        + " another to run by tiles; 0: the target's choice")
                .from(0));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram run(Program program, PassContext context) {
    Target target = context.target();
    Target.Threads threads = target.threads();
    return ProgramLowering.lower(
        program,
        Rep.GPU_IMP,
        target.withThreads(shuffled(threads, context).withTiles(tiles(threads, context))),
        new KernelLowering(),
        context.analyses());
  }

  private static Target.Threads shuffled(Target.Threads threads, PassContext context) {
    long width = context.integer("shuffled");
    if (width == 0) {
      return threads;
    }
    try {
      return threads.withShuffled((int) width);
    } catch (IllegalArgumentException e) {
      throw new PassException(
          Loc.NONE,
          "option 'shuffled' of lower-gpu must be a power of two up to 32, or 0, not " + width);
    }
  }

  private static Target.Tiles tiles(Target.Threads threads, PassContext context) {
    long side = context.integer("tile-side");
    long count = context.integer("tile-threads");
    long elements = context.integer("tile-elements");
    try {
      return new Target.Tiles(
          side == 0 ? threads.tiles().side() : (int) side,
          count == 0 ? threads.tiles().threads() : (int) count,
          elements == 0 ? threads.tiles().elements() : elements);
    } catch (IllegalArgumentException e) {
      throw new PassException(
          Loc.NONE,
          "options 'tile-side' and 'tile-threads' of lower-gpu must be a power of two and a"
              + " multiple of it, not "
              + side
              + " and "
              + count);
    }
  }
}
