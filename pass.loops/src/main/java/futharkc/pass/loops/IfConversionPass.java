package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * If-conversion (Allen, Kennedy et al. 1983): in innermost loops, conditionals that compare floats
 * and only choose among values become conditional moves. What floats compare to can often not be
 * foreseen, and a branch that is not takes some fifteen cycles. The JVM makes conditional moves of
 * integers, where it finds that a branch is not foreseen, and never of floats: so their bits are
 * moved.
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
 * <p>So are the smaller and the larger of a float and a constant. A branch may compute a few cheap
 * scalars, which are then computed always. Loops stay that carry scalars from one iteration to the
 * next, since these would wait for the choice.
 *
 * <p>Known gaps: branches that load, divide or call functions; conditions on integers.
 */
public final class IfConversionPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public IfConversionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "if-conversion",
            "chooses among floats in innermost loops without branches",
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
