package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.CommonOptions;
import futharkc.core.codegen.lower.common.ProgramLowering;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
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
        .options(KernelOptions.ALL)
        .options(CommonOptions.ALL);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram run(Program program, PassContext context) {
    int side = context.number(KernelOptions.TILE_SIDE);
    int threads = context.number(KernelOptions.TILE_THREADS);
    if (threads % side != 0 || threads > side * side) {
      throw new PassException(
          Loc.NONE,
          "option 'tile-threads' of lower-gpu must be a multiple of the option 'tile-side' and at"
              + " most its square, not "
              + threads
              + " for "
              + side);
    }
    return ProgramLowering.lower(program, Rep.GPU_IMP, context, new KernelLowering());
  }
}
