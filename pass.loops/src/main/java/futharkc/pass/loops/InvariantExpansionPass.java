package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Invariant motion out of an outer loop (by scalar expansion): an inner loop that applies a costly
 * function to its index alone repeats the computation in each iteration of the outer loop. The pass
 * computes the values for all inner indices before the outer loop.
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
 * <p>Cheap operations on such a value that do not vary in the outer loop are moved with it. The
 * blocks are private to the thread, and no larger than the target's limit for expanded scalars.
 *
 * <p>The moved code was executed in the first iteration: no statement before it may fail or be
 * conditional. The inner loop's bounds are invariant, and the outer loop writes no block that the
 * moved code reads.
 *
 * <p>Known gaps: the pass moves code even if the outer loop runs only once; while-loops; divisions,
 * and functions that the compiler takes for short; inner loops around others, unless their trip
 * count is known.
 */
public final class InvariantExpansionPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public InvariantExpansionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "invariant-expansion",
            "computes invariant values of an inner loop once, before the outer loop",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("loop-invariant-motion")
        .before("induction-variable-narrowing")
        .options(StripOptions.BYTES, StripOptions.SCALARS);
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
