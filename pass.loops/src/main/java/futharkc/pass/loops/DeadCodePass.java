package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.DeadCode;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Dead code: what computes scalars that nobody reads goes. Lowering leaves such things where an
 * operation has results that are not used, and so do the passes on loops.
 *
 * <pre>{@code
 * var a = x * x                   ys[i] = x
 * ys[i] = x              =>
 * }</pre>
 *
 * <p>Known gaps: loops, calls and stores stay, whether their results are used or not; a scalar that
 * only its own assignments read stays.
 */
public final class DeadCodePass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public DeadCodePass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "dead-code",
            "takes out what computes scalars that nobody reads",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("unroll-and-jam");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    ImperativeProgram.Function rest = DeadCode.without(function);
    if (rest.equals(function)) return function;
    context.remark(
        Remark.Kind.APPLIED, function.name(), Loc.NONE, "took out what computes nothing");
    return rest;
  }
}
