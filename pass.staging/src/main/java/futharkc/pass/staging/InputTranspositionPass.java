package futharkc.pass.staging;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Copies a matrix column-major before a loop whose kernels have threads that each go through a row
 * of it several times: neighbouring threads then read neighbouring elements. The copy is made once,
 * and the kernels of all iterations read it.
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
 * <p>Rows that a thread goes through once stay where they are: caches serve its neighbours, and a
 * kernel takes as long as a copy.
 *
 * <p>Known gaps: matrices only; where several versions of a program are made, the copy is made for
 * all of them.
 */
public final class InputTranspositionPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "input-transposition",
            "copies matrices whose rows threads go through repeatedly column-major, before loops",
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
