package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loop-invariant code motion: the pass moves the statements that a loop records as invariant before
 * the loop.
 *
 * <pre>{@code
 * for i < n {                                 var a = load xs[k]
 *   invariant { var a = load xs[k] }    =>    for i < n { ys[i] = a + i }
 *   ys[i] = a + i
 * }
 * }</pre>
 *
 * <p>The pass {@code invariant-statements} finds the invariant statements before lowering, because
 * arrays are known there. Lowering records them on the loop, and guarantees that such a loop runs
 * at least once; else a check might fail too early.
 *
 * <p>Known gaps: statements that later passes make invariant are not found.
 */
public final class LoopInvariantMotionPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LoopInvariantMotionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
        "loop-invariant-motion",
        "moves invariant statements out of loops",
        Rep.MC_IMP,
        Rep.SEQ_IMP);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, LoopInvariantMotionPass::hoist);
  }

  private static @Nullable List<Code> hoist(Code.For f, LoopContext around) {
    if (f.invariant() == 0) {
      return null;
    }
    int n = f.invariant();
    Code.Order order =
        switch (f.order()) {
          case Code.Order.Independent o -> o;
          case Code.Order.Sequential o ->
              new Code.Order.Sequential(Math.max(0, o.independent() - n), o.operators());
        };
    List<Code> out = new ArrayList<>(f.body().subList(0, n));
    List<Code> rest = f.body().subList(n, f.body().size());
    out.add(new Code.For(f.index(), f.type(), f.from(), f.to(), f.range(), 0, order, rest));
    around.remark("moved " + n + " statements before the loop over " + f.index());
    return out;
  }
}
