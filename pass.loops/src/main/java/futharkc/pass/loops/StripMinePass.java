package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Strip-mine and interchange: runs a strip of iterations of an independent loop in step where each
 * has an inner loop that carries floats or integers: the inner loop moves outside, its scalars
 * become elements of short arrays, and what remains inside is a loop over the strip without
 * dependences, which the JVM vectorises.
 *
 * <pre>{@code
 * for i < n {                       for strips of i {
 *   let x = xs[i]                     for k < strip { x_[k] = xs[from + k]; acc_[k] = 0 }
 *   var acc = 0                       for j < m {
 *   for j < m {                  =>     let y = ys[j]
 *     let y = ys[j]                     for k < strip { acc_[k] = acc_[k] + sqrt(x_[k] / y) }
 *     acc = acc + sqrt(x / y)         }
 *   }                                 for k < strip { zs[from + k] = acc_[k] } }
 *   zs[i] = acc }
 * }</pre>
 *
 * <p>Integers of 8 and 16 bits are promoted: see {@link IntegerPromotion}.
 *
 * <p>For loops with divisions or square roots, which are slow one by one and which vectors have
 * units for, or integer remainders that take several operations; of loops with other arithmetic,
 * {@link UnrollAndJamPass} runs a few iterations in registers.
 *
 * <p>Known gaps: inner loops whose bounds vary, or with conditionals; the length of strips is
 * fixed.
 */
public final class StripMinePass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public StripMinePass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "strip-mine",
            "runs strips of iterations in step inside of inner loops",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("loop-invariant-motion", "reassociate-reductions");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, StripMineInterchange::rewrite);
  }
}
