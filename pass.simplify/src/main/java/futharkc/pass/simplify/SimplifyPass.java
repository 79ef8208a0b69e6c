package futharkc.pass.simplify;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Simplifies code until nothing changes. The pass folds constants, propagates copies, and applies
 * algebraic rules to scalars, sizes, array indices and combinators. It removes common
 * subexpressions and dead code, and moves invariant code out of loops and lambdas.
 *
 * <p>Before: {@code let a = n * 1; let b = iota(a); let c = b[i]; let d = c + 0} with only {@code
 * d} used. After: {@code d} is {@code i}.
 *
 * <p>A rule depends on one statement and the definitions of its operands. A round visits all
 * statements from top to bottom, then removes dead code. Rounds repeat until nothing changes.
 *
 * <p>Known gaps: arrays are not common subexpressions; code does not move out of branches.
 */
public final class SimplifyPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "simplify",
            "folds, propagates and hoists, and removes dead and duplicate code",
            Rep.SOACS,
            Rep.SEQ,
            Rep.MC,
            Rep.GPU,
            Rep.SEQ_MEM,
            Rep.MC_MEM,
            Rep.GPU_MEM)
        .establishes(Property.SIMPLIFIED)
        .options(Recomputation.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new Rounds(program, function, context).run();
  }
}
