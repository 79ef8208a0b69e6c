package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * If-conversion (Allen, Kennedy et al. 1983): in innermost loops, conditionals that compare floats
 * and only choose among values become conditional moves. Comparisons of floats are often
 * unpredictable, and a mispredicted branch costs some fifteen cycles. The JVM converts only choices
 * of integers, and only if its profile shows an unpredictable branch. For this reason the pass
 * moves the bits of floats.
 *
 * <pre>{@code
 * for i < n {                              for i < n {
 *   var x = load xs[i]                       var x = load xs[i]
 *   var y: f32                               var y: f32
 *   if x < 0 { y = 0 } else { y = x }  =>    var bits = to_bits(x)
 *   ys[i] = y                                var moved: i32
 * }                                          if x < 0 { moved = 0 } else { moved = bits }
 *                                            y = from_bits(moved)
 *                                            ys[i] = y
 *                                          }
 * }</pre>
 *
 * <p>The minimum or maximum of a float and a constant is converted as well. A branch may compute a
 * few cheap scalars, which are then computed in every iteration. The pass skips loops that carry
 * scalars between iterations, because the next iteration would wait for the choice.
 *
 * <p>Known gaps: branches that load, divide or call functions; conditions on integers.
 */
public final class IfConversionPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public IfConversionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "if-conversion",
            "converts conditionals on floats in innermost loops to conditional moves",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("unroll-and-jam")
        .before("dead-code", "loop-outlining");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, IfConversion::rewrite);
  }
}
