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
 * Dead-code elimination: removes the computation of scalars that are never read. Lowering creates
 * dead scalars for unused results of operations, and so do loop passes.
 *
 * <pre>{@code
 * var a = x * x                   ys[i] = x
 * ys[i] = x              =>
 * }</pre>
 *
 * <p>Known gaps: the pass keeps loops, calls and stores whether or not their results are used, and
 * scalars that only their own assignments read.
 */
public final class DeadCodePass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public DeadCodePass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "dead-code",
            "removes computations of scalars that are never read",
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
    if (rest.equals(function)) {
      return function;
    }
    context.remark(
        Remark.Kind.APPLIED,
        function.name(),
        Loc.NONE,
        "removed computations of scalars that are never read");
    return rest;
  }
}
