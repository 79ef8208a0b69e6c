package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Invariant motion out of a loop around (by scalar expansion): what a loop computes by a costly
 * function from its index alone, and does so again in each iteration of the loop around it, is
 * computed once before that, for all indices.
 *
 * <pre>{@code
 *                                   var fits = m <= 8192
 *                                   if 0 < n && 0 < m && fits {
 *                                     reserve(logs, m)
 *                                     for k < m { logs[k] = log(xs[k]) }
 *                                   }
 * for i < n {                       for i < n {
 *   for j < m {              =>       if fits {
 *     var a = log(xs[j])                for j < m {
 *     ys[j+m*i] = a * i                   var a = logs[j]
 *   }                                     ys[j+m*i] = a * i
 * }                                     }
 *                                     } else { for j < m { var a = log(xs[j]); ... } }
 *                                   }
 * }</pre>
 *
 * <p>Where cheap operations are all that becomes of such a value, and do not vary in the loop
 * around either, they are done before it, too. The blocks are the thread's own, and no larger than
 * the target says that expanded scalars may be.
 *
 * <p>What is computed earlier was computed in the first iteration: nothing before it there may fail
 * or be under a condition. The inner loop's bounds are the same in all iterations, and the loop
 * around writes to no block that is read.
 *
 * <p>Known gaps: it is done even if the loop around turns out to run once; while-loops; functions
 * that the compiler takes for short, and divisions, are left where they are; inner loops around
 * others, unless their length is known.
 */
public final class InvariantExpansionPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public InvariantExpansionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "invariant-expansion",
            "computes what an inner loop does anew each time once for all",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("loop-invariant-motion")
        .before("induction-variable-narrowing");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, InvariantExpansion::rewrite);
  }
}
