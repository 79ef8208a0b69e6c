package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.CommonOptions;
import futharkc.core.codegen.lower.common.ProgramLowering;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/** The lowering pass from SEQ_MEM to SEQ_IMP, by {@link ProgramLowering}. */
public final class LowerSequentialPass implements Pass.Lowering {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LowerSequentialPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "lower-sequential", "lowers to imperative code for one thread", Rep.SEQ_MEM)
        .produces(Rep.SEQ_IMP)
        .options(RegionOptions.ALL)
        .options(CommonOptions.ALL);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram run(Program program, PassContext context) {
    return ProgramLowering.lower(program, Rep.SEQ_IMP, context, new RegionLowering());
  }
}
