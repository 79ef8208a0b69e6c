package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Loop outlining: loops become functions of their own, so that no function that loops is large. The
 * JVM optimises a method as a whole, in time that grows faster than its size, and one whose loop is
 * running already anew for every loop that it finds itself in. Loops that are hardly ever run, of
 * which there is another version for bounds that fit, are always taken out: they only take room.
 *
 * <pre>{@code
 * var s = 0                            var s = 0
 * for i < n { s = s + f(i) }    =>     outlined -> [s] { for i < n { s = s + f(i) } }
 * .. much else ..                      .. much else ..
 * }</pre>
 *
 * <p>Known gaps: sizes are estimates; a loop that needs more variables than a method may have
 * parameters stays.
 */
public final class LoopOutliningPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public LoopOutliningPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "loop-outlining",
            "loops of large functions become functions of their own",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("unroll-and-jam", "dead-code");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return LoopOutlining.rewrite(
        function,
        context.target().methods(),
        n ->
            context.remark(
                Remark.Kind.APPLIED, function.name(), Loc.NONE, "took out " + n + " loops"));
  }
}
