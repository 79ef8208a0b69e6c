package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Loop unswitching (Allen and Cocke 1972): an innermost loop whose conditionals depend on a boolean
 * from outside becomes two loops, one for each value. The choice is made once, before the loops.
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
 * <p>The pass considers booleans that alone make a condition true or false which otherwise depends
 * on the iteration. The JVM itself unswitches loops whose conditions are invariant, and does so
 * better. It leaves the other loops, and by then it has moved index checks out of the loop. In a
 * stencil's interior, these checks fail for rows on its edge; after a few such failures, the JVM
 * compiles the loop with all checks inside. For this reason, the branches must access different
 * elements. Other branches become conditional moves, or are cheap.
 *
 * <p>Known gaps: loops around others, and loops with checks or calls; subconditions that are
 * computed in the loop although they are invariant; iterations at the ends that a comparison with
 * the index decides (index-set splitting).
 */
public final class LoopUnswitchingPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LoopUnswitchingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "loop-unswitching",
            "moves choices by invariant conditions out of innermost loops",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("unroll-and-jam")
        .before("if-conversion", "dead-code", "loop-outlining")
        .options(LoopUnswitching.BYTES);
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
