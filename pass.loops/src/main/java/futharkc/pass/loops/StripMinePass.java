package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Strip-mining and interchange: if each iteration of an independent loop has an inner loop that
 * carries floats or integers, the pass runs strips of iterations in parallel. The inner loop moves
 * outside, its scalars become elements of short arrays, and a loop over the strip without
 * dependences remains inside, which the JVM vectorises.
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
 * <p>Integers of 8 and 16 bits are promoted; see {@link IntegerPromotion}.
 *
 * <p>The pass applies to loops around inner loops that walk down columns of matrices: the loop over
 * the strip then reads along rows, in long strips. It applies to loops with divisions or square
 * roots, which are slow as scalar operations and have vector units. It also applies to integer
 * remainders of several operations, and to sines and cosines of {@code f32}: the operands stand in
 * short arrays, and {@link futharkc.core.ir.imperative.Code.MapRun} computes the functions of a
 * whole strip. {@link MappedFunctions} regroups the statements between functions. For loops with
 * other arithmetic, {@link UnrollAndJamPass} runs a few iterations in registers.
 *
 * <p>Known gaps: inner loops with varying bounds or with conditionals; the length of strips is
 * fixed.
 */
public final class StripMinePass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public StripMinePass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "strip-mine",
            "runs strips of iterations inside of inner loops",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("loop-invariant-motion", "reassociate-reductions")
        .options(StripMineInterchange.OPTIONS);
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
