package futharkc.pass.allocate;

import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Adds memory to every array of a GPU program: see {@link Allocation}. Host code and threads
 * allocate in device memory, and thread blocks allocate in shared memory. Host code reads elements
 * of arrays by transfers. Arrays with one result of a thread at each index are laid out so that
 * neighbouring threads access neighbouring elements.
 */
public final class AllocateGpuPass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "allocate-gpu", "allocates memory for every array of a GPU program", Rep.GPU)
        .produces(Rep.GPU_MEM)
        .requires(Property.FIRST_ORDER)
        .prefers(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    return Allocation.run(ThreadInlining.inlined(program), Rep.GPU_MEM, context);
  }
}
