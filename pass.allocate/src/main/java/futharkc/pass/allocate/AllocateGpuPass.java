package futharkc.pass.allocate;

import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Says where every array of a program for a GPU is: see {@link Allocation}. What host code and
 * threads make is in the memory of the device, what a thread block makes in its shared memory; host
 * code reads elements of arrays by asking for them. What operations of threads make at each index
 * lies so that neighbouring threads access neighbouring elements.
 */
public final class AllocateGpuPass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "allocate-gpu", "gives every array of a program for a GPU its memory", Rep.GPU)
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
