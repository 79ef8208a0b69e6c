package futharkc.core.codegen.lower;

import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/** {@link ProgramLowering} from GPU_MEM to GPU_IMP. */
public final class LowerGpuPass implements Pass.Lowering {
  /** For {@code ServiceLoader}. */
  public LowerGpuPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "lower-gpu", "lower to imperative code of a host and its kernels", Rep.GPU_MEM)
        .produces(Rep.GPU_IMP);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram run(Program program, PassContext context) {
    return ProgramLowering.lower(program, Rep.GPU_IMP, context.target());
  }
}
