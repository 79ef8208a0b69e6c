package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Loop distribution: splits an iteration into the code before its while-loops, the while-loops, and
 * the code after them, and runs each part for a strip of iterations. The scalars between the parts
 * become elements of short arrays (scalar expansion).
 *
 * <pre>{@code
 * for i < n {                       for strips of i {
 *   var x = start(xs[i])              for i in strip { x_[i - first] = start(xs[i]) }
 *   while (far(x)) x = nearer(x)      for i in strip {
 *   zs[i] = colour(x) }         =>      var x = x_[i - first]
 *                                       while (far(x)) x = nearer(x)
 *                                       x_[i - first] = x }
 *                                     for i in strip { zs[i] = colour(x_[i - first]) } }
 * }</pre>
 *
 * <p>The trip count of a while-loop is often similar in adjacent iterations. The branch predictor
 * learns it if no other branches intervene. After a misprediction, less speculative work is lost,
 * and the initial values of the next while-loop are already available. Fusion of other code into
 * the iteration would lose this.
 *
 * <p>Known gaps: loops without a while-loop are not distributed.
 */
public final class LoopDistributionPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LoopDistributionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "loop-distribution",
            "splits iterations before and after their while-loops",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("strip-mine")
        .options(LoopDistribution.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, LoopDistribution::rewrite);
  }
}
