package futharkc.pass.allocate;

import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/** Adds memory to every array of a sequential program: see {@link Allocation}. */
public final class AllocateSequentialPass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "allocate-sequential",
            "allocates memory for every array of a sequential program",
            Rep.SEQ)
        .produces(Rep.SEQ_MEM)
        .prefers(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    return Allocation.run(program, Rep.SEQ_MEM, context);
  }
}
