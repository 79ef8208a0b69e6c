package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Partial accumulators: a simple reduction of a long range runs over several contiguous parts of it
 * side by side, each with accumulators of its own, since its operator is associative. The processor
 * then works on several elements at a time. Parts are contiguous also where the operator commutes:
 * several streams through memory are faster than one.
 *
 * <pre>{@code
 * var s = 0                           var s = 0
 * for i < n {                         if n < 64 { for i < n { s = s + xs[i] } }
 *   reduce (+) s = s + xs[i]    =>    else {
 * }                                     var t = 0; ..; var m = n / 8
 *                                       for j < m { s = s + xs[j]; t = t + xs[m + j]; .. }
 *                                       for i from 8 * m to n { t = t + xs[i] }
 *                                       s = s + t; .. }
 * }</pre>
 *
 * <p>Around a loop with independent iterations, each a reduction of the same length, the test is
 * done once; short reductions are left to unroll-and-jam.
 *
 * <p>Known gaps: operators on arrays, and such as take more than a few operations; what computes
 * the elements must be straight-line code.
 */
public final class ReassociateReductionsPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public ReassociateReductionsPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "reassociate-reductions",
            "reduces parts of a range side by side",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .formerly("partial-accumulators")
        .after("loop-invariant-motion", "induction-variable-narrowing");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, ReductionReassociation::rewrite);
  }
}
