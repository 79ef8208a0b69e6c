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
 * Loop-invariant code motion: the statements that a loop says are the same in every iteration are
 * done once, before it.
 *
 * <pre>{@code
 * for i < n {                                 var a = load xs[k]
 *   invariant { var a = load xs[k] }    =>    for i < n { ys[i] = a + i }
 *   ys[i] = a + i
 * }
 * }</pre>
 *
 * <p>Which they are is known where arrays are known, and stands on the loop; so does that it runs
 * at least once, without which a check might fail too early.
 *
 * <p>Known gaps: what later passes make invariant is not looked for.
 */
public final class LoopInvariantMotionPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public LoopInvariantMotionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
        "loop-invariant-motion",
        "does once what is the same in every iteration of a loop",
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

  private static @Nullable List<Code> hoist(Code.For f, Surroundings around) {
    if (f.invariant() == 0) return null;
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
    around.remark("did " + n + " statements before the loop over " + f.index());
    return out;
  }
}
