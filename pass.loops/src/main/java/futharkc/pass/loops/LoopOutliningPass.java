package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Loop outlining: loops become methods of their own, so that no method with a loop is large.
 * HotSpot compiles a method as a whole, in time that grows faster than its size. It compiles a
 * method with a running loop again for every loop in which it is entered. The versions of loops for
 * bounds above 2³¹ rarely run and are always outlined, because they only add size.
 *
 * <pre>{@code
 * var s = 0                            var s = 0
 * for i < n { s = s + f(i) }    =>     outlined -> [s] { for i < n { s = s + f(i) } }
 * .. much else ..                      .. much else ..
 * }</pre>
 *
 * <p>Known gaps: sizes are estimates; a loop with more free variables than a method may have
 * parameters is not outlined.
 */
public final class LoopOutliningPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LoopOutliningPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "loop-outlining",
            "moves loops of large functions to functions of their own",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("unroll-and-jam", "dead-code")
        .options(MethodSizes.OPTIONS);
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
        MethodSizes.of(context),
        n ->
            context.remark(
                Remark.Kind.APPLIED, function.name(), Loc.NONE, "outlined " + n + " loops"));
  }
}
