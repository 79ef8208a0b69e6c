package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Partial accumulators: a simple reduction over a long range runs over several contiguous parts of
 * the range concurrently, each with its own accumulators; this is correct because operators are
 * associative. The processor then works on several elements at a time. Parts are contiguous even
 * for commutative operators, because several streams through memory are faster than one.
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
 * <p>Reductions of columns stay as they are: {@link StripMinePass} reads along rows instead.
 *
 * <p>For an outer loop with independent iterations whose reductions all have the same length, the
 * length is tested once. Short reductions are left to unroll-and-jam.
 *
 * <p>Known gaps: operators on arrays, and operators of more than a few operations; the elements
 * must be computed by straight-line code.
 */
public final class ReassociateReductionsPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public ReassociateReductionsPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "reassociate-reductions",
            "reduces a range with several partial accumulators",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .formerly("partial-accumulators")
        .after("loop-invariant-motion", "induction-variable-narrowing")
        .options(ReductionReassociation.OPTIONS);
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
