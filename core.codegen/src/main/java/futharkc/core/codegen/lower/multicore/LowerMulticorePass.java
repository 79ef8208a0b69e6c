package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.CommonOptions;
import futharkc.core.codegen.lower.common.ProgramLowering;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/** The lowering pass from MC_MEM to MC_IMP, by {@link ProgramLowering}. */
public final class LowerMulticorePass implements Pass.Lowering {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LowerMulticorePass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "lower-multicore", "lowers to imperative code with parallel regions", Rep.MC_MEM)
        .produces(Rep.MC_IMP)
        .options(RegionOptions.ALL)
        .options(CommonOptions.ALL);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram run(Program program, PassContext context) {
    return ProgramLowering.lower(program, Rep.MC_IMP, context, new RegionLowering());
  }
}
