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
 * Lets a loop that makes a new array in each iteration go back and forth between two blocks that
 * are allocated before it, instead of allocating one each time.
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
 * <p>The first block, {@code m0}, must be nobody else's for that, and of the same size. Where it is
 * not, two blocks are allocated, and after the first iteration the loop goes back and forth between
 * these: nothing is ever copied. There the sizes are zero if the loop does not run at all, since
 * what they are computed from may make no sense then.
 *
 * <p>Known gaps: blocks that are allocated in a branch or an inner loop of the body, or whose size
 * is computed in it.
 */
public final class DoubleBufferPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "double-buffer",
            "loops go back and forth between two blocks instead of allocating",
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
