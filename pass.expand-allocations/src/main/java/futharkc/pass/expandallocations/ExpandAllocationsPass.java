package futharkc.pass.expandallocations;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Moves allocations out of threads and thread blocks, which cannot allocate. The host allocates one
 * memory block for all threads, and each thread uses a part of it. The parts are interleaved, so
 * that neighbouring threads access neighbouring elements.
 *
 * <p>Before:
 *
 * <pre>
 * segmap thread [t; i &lt; n] do { let b = alloc(4*m, device) let xs: [m]i32 @ b -&gt; {m: 1} = .. }
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let b = alloc(4*m*n, device)
 * segmap thread [t; i &lt; n] do { let xs: [m]i32 @ b -&gt; t + {m: n} = .. }
 * </pre>
 *
 * <p>A block of a constant size, up to 8 KiB for a thread, moves to private memory: {@code
 * alloc(16, scalar [4] i32)}. The kernel compiler keeps it in registers or in cached memory.
 *
 * <p>If the size differs among threads, or if a branch or a loop computes it, a separate kernel
 * computes the maximal size. This kernel contains the part of the threads' code that determines the
 * size: see {@link SizeMeasurement}. A thread block's allocations of shared memory move to its
 * beginning, with sizes that the host knows. A loop that constructs a new array in each iteration,
 * and has no double buffer, copies the array to one block of the maximal size. Afterwards no thread
 * allocates.
 *
 * <p>The pass drops a version of code in which this is impossible, if another version exists. The
 * other version replaces the branch between them.
 *
 * <p>Known gaps, which are errors: sizes that depend on the contents of the array itself, or on
 * results that the threads of a thread block compute together; sizes in shared memory that differ
 * among thread blocks; allocations of variable size in operators; arrays of threads that are
 * arguments of functions.
 */
public final class ExpandAllocationsPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "expand-allocations", "moves allocations out of threads and thread blocks", Rep.GPU_MEM)
        .formerly("expand")
        .requires(Property.SIMPLIFIED, Property.DOUBLE_BUFFERED)
        .establishes(Property.EXPANDED)
        .destroys(Property.SIMPLIFIED)
        .options(HostExpansion.PRIVATE_BYTES);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef f, Program program, PassContext context) {
    NameSource names = new NameSource(f.nextTag());
    HostExpansion expansion = new HostExpansion(f.name(), names, Scope.ofAll(program, f), context);
    Body body = expansion.function(f.body());
    return body == f.body() ? f : f.withBody(body, names.next());
  }
}
