package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Loop unswitching (Allen and Cocke 1972): an innermost loop with conditionals that a boolean from
 * outside decides becomes two, one for each value, and the choice is made once, before them.
 *
 * <pre>{@code
 * for j < m {                            if edge {
 *   var alone = edge || j == 0             for j < m { ys[j] = xs[j] }
 *   if alone { ys[j] = xs[j] }           } else {
 *   else { ys[j] = xs[j] + up[j] }  =>     for j < m {
 * }                                          if j == 0 { ys[j] = xs[j] }
 *                                            else { ys[j] = xs[j] + up[j] } }
 *                                        }
 * }</pre>
 *
 * <p>The boolean decides if it alone makes a condition true or false that otherwise depends on the
 * iteration. Where a condition is the same in all iterations, the JVM unswitches the loop itself
 * (measured: a radix sort takes 1.1 times as long if it finds two loops instead). Others it leaves,
 * and it has moved checks of indices out of the loop by then: those of a stencil's interior fail in
 * rows on its edge, and after a few such failures it compiles the loop with all checks inside. 20
 * steps of a stencil of 64 x 256 x 256 f32 take 92 ms for 104 with one thread, 47 for 53 or 61 with
 * two, depending on what rows the JVM had seen before. So the branches have to access different
 * elements; those that do not become conditional moves, or cost little.
 *
 * <p>Known gaps: loops around others, and with checks or calls; parts of conditions that are
 * computed in the loop though they are the same in all iterations; iterations at the ends that a
 * comparison with the index decides (index-set splitting).
 */
public final class LoopUnswitchingPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public LoopUnswitchingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "loop-unswitching",
            "makes choices that innermost loops repeat once, before them",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("unroll-and-jam")
        .before("if-conversion", "dead-code", "loop-outlining");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, LoopUnswitching::rewrite);
  }
}
