package futharkc.pass.staging;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Bank padding: pads the rows of matrices in shared memory, so that adjacent threads of a thread
 * block access different banks. There are 32 banks, one for each word modulo 32. Rows with an odd
 * number of words avoid conflicts for threads that walk through a column; rows with an even number
 * avoid them for threads that walk through a diagonal.
 *
 * <p>Before:
 *
 * <pre>
 * let m = alloc(4*n*n, shared)
 * let xs: [n][n]i32 @ m -> 0 + {n: n, n: 1} = ..
 * segmap thread_in_block [t &lt; k] do { .. let i = sub(d, t)  let x = xs[i, t] .. }
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let odd = and(n, 1)  let padded = add(n, odd)
 * let m = alloc(4*n*padded, shared)
 * let xs: [n][n]i32 @ m -> 0 + {n: padded, n: 1} = ..
 * segmap thread_in_block [t &lt; k] do { .. let i = sub(d, t)  let x = xs[i, t] .. }
 * </pre>
 *
 * <p>The accesses of threads in loops decide the padding of all arrays in a block. These arrays
 * must have one shape, or be slices of arrays of that shape.
 *
 * <p>Known gaps: arrays of more than two dimensions; blocks that loops pass on or branches choose.
 */
public final class BankPaddingPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "bank-padding",
            "pads rows in shared memory, so that threads access different banks",
            Rep.GPU_MEM)
        .after("expand-allocations");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new BankPadding(function, context).run();
  }
}
