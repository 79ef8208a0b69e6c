package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Induction-variable narrowing: the i64 index of a loop over offsets becomes one of 32 bits, where
 * its bounds are proved to fit: the JVM optimises loops over ints much better, and blocks have
 * fewer than 2³¹ elements. Where nothing is proved, a test of the bounds chooses between two
 * versions of the loop, and tests of inner loops' bounds are done with it.
 *
 * <pre>{@code
 * for i < n { ys[i] = i }          =>   for i < n narrow { ys[i] = i }
 *
 * for i < n { s = s + xs[i % 10] } =>   if n <= 2147483647 {
 *                                         for i < n narrow { s = s + xs[i % 10] }
 *                                       } else { for i < n wide { s = s + xs[i % 10] } }
 * }</pre>
 *
 * <p>A range is proved by what is known of its bounds, and by accesses that every iteration makes
 * at offsets that are not below the index: those that are not conditional, and not in inner loops
 * that may be empty. Of an offset such as {@code i * n}, {@code n} has to be known to be positive.
 *
 * <p>A loop around others is not copied for its own index alone.
 *
 * <p>Known gaps: loops around parallel regions are not copied, so that their indices stay long
 * unless they are proved to fit; what is known of variables that are assigned is not used.
 */
public final class InductionVariableNarrowingPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public InductionVariableNarrowingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "induction-variable-narrowing",
            "gives loops over offsets indices of 32 bits",
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
    return Narrowing.rewrite(
        function,
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
