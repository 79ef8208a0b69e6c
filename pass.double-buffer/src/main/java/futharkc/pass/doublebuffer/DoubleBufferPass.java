package futharkc.pass.doublebuffer;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Double buffers loops that construct a new array in each iteration. The loop alternates between
 * two memory blocks that are allocated before it, instead of allocating one in each iteration.
 *
 * <pre>{@code
 * let m0 = alloc(n)                           let m0 = alloc(n)
 * let x0 @ m0 = ...                           let x0 @ m0 = ...
 * let m, x @ m =                              let m1 = alloc(n)
 *   loop p = m0, y @ p = x0               =>  let spare, m, x @ m =
 *   for i < k do                                loop next = m1, p = m0, y @ p = x0
 *     let b = alloc(n)                          for i < k do
 *     let z @ b = f y                             let z @ next = f y
 *     in b, z                                     in p, next, z
 * }</pre>
 *
 * <p>The loop may reuse the first block, {@code m0}, if that has the same size and no other uses.
 * Otherwise the pass allocates two blocks, and the loop alternates between these from the second
 * iteration. No copy is necessary. Their sizes are zero if the loop has no iterations, because the
 * expressions for the sizes may be meaningless then.
 *
 * <p>Known gaps: blocks that are allocated in a branch or an inner loop of the body, and blocks
 * whose size is computed in the body.
 */
public final class DoubleBufferPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "double-buffer",
            "lets loops alternate between two memory blocks instead of allocating",
            Rep.SEQ_MEM,
            Rep.MC_MEM,
            Rep.GPU_MEM)
        .requires(Property.SIMPLIFIED)
        .establishes(Property.DOUBLE_BUFFERED)
        .destroys(Property.SIMPLIFIED);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    NameSource names = new NameSource(function.nextTag());
    FunDef changed = new DoubleBuffering(function, names, context).fun(function);
    return changed == function ? function : function.withBody(changed.body(), names.next());
  }
}
