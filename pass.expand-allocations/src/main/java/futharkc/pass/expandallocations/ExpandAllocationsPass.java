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
 * Moves allocations out of threads and thread blocks, which cannot allocate: the host allocates one
 * block for all threads, in which each has its part. The parts are interleaved, so that
 * neighbouring threads access neighbouring elements.
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
 * <p>Blocks of a constant size, up to 8 KiB for a thread, become the thread's own: {@code alloc(16,
 * scalar [4] i32)}, which a kernel compiler keeps in registers or in memory that is cached.
 *
 * <p>Where the size differs from thread to thread, or a branch or a loop computes it, an operation
 * before computes the greatest: it does as much of what the threads do as the size needs, see
 * {@link Measure}. What a thread block allocates in shared memory is allocated first thing in it,
 * of a size that the host knows. A loop that makes a new array in each iteration, and was not
 * double buffered, copies it to one block, which is as large as the largest. Afterwards no thread
 * allocates.
 *
 * <p>A version of which this cannot be done is dropped if there is another one.
 *
 * <p>Known gaps: sizes that depend on what is in the very array, or that are computed by the
 * threads of a block together, sizes in shared memory that differ from block to block, what
 * operators allocate, but for constant sizes, and arrays that threads give to functions: these are
 * errors.
 */
public final class ExpandAllocationsPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "expand-allocations", "moves allocations out of threads and thread blocks", Rep.GPU_MEM)
        .formerly("expand")
        .requires(Property.SIMPLIFIED, Property.DOUBLE_BUFFERED)
        .establishes(Property.EXPANDED)
        .destroys(Property.SIMPLIFIED);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef f, Program program, PassContext context) {
    NameSource names = new NameSource(f.nextTag());
    HostExpansion expansion = new HostExpansion(f.name(), names, Scope.ofAll(program, f), context);
    Body body = expansion.body(f.body());
    return body == f.body() ? f : f.withBody(body, names.next());
  }
}
