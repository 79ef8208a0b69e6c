package futharkc.pass.staging;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Input transposition: copies a matrix to column-major order before a loop whose kernels have
 * threads that each read a row of it several times. Adjacent threads then read adjacent elements.
 * The matrix is copied once, and the kernels of all iterations read the copy.
 *
 * <p>Before:
 *
 * <pre>
 * loop (cs = ..) for j &lt; m do {
 *   segmap thread [i &lt; n] do {
 *     loop (..) for c &lt; k do { loop (..) for d &lt; w do { let x = points[i, d] .. } } } }
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let columns = manifest((1, 0), points)
 * loop (cs = ..) for j &lt; m do {
 *   segmap thread [i &lt; n] do {
 *     loop (..) for c &lt; k do { loop (..) for d &lt; w do { let x = columns[i, d] .. } } } }
 * </pre>
 *
 * <p>The pass skips rows that a thread reads once: caches serve adjacent threads, and the kernel
 * takes as long as the copy.
 *
 * <p>Known gaps: matrices only; if a program has several versions, the copy is made for all of
 * them.
 */
public final class InputTranspositionPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "input-transposition",
            "copies matrices whose rows threads read repeatedly to column-major order",
            Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .after("sink");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new InputTransposition(function, program, context).run();
  }
}
