package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Induction-variable narrowing: the i64 index of a loop over offsets becomes a 32-bit index if its
 * bounds are proved to fit. The JVM optimises loops over ints much better, and blocks have fewer
 * than 2³¹ elements. If nothing is proved, a test of the bounds chooses between two versions of the
 * loop. The same test covers the bounds of inner loops.
 *
 * <pre>{@code
 * for i < n { ys[i] = i }          =>   for i < n narrow { ys[i] = i }
 *
 * for i < n { s = s + xs[i % 10] } =>   if n <= 2147483647 {
 *                                         for i < n narrow { s = s + xs[i % 10] }
 *                                       } else { for i < n wide { s = s + xs[i % 10] } }
 * }</pre>
 *
 * <p>Two facts prove a range: known facts about the bounds, and accesses that every iteration
 * performs at offsets not below the index. Such an access is unconditional, and not in an inner
 * loop that may be empty. For an offset such as {@code i * n}, {@code n} must be known to be
 * positive.
 *
 * <p>The pass does not copy a loop with inner loops just for the index of the outer loop.
 *
 * <p>Known gaps: loops around parallel regions are not copied, so that their indices stay i64
 * unless they are proved to fit; facts about reassigned variables are not used.
 */
public final class InductionVariableNarrowingPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public InductionVariableNarrowingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "induction-variable-narrowing",
            "narrows the indices of loops over offsets to 32 bits",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("loop-invariant-motion");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return InductionVariableNarrowing.rewrite(
        function,
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
