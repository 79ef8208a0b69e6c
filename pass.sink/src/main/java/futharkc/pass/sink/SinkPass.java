package futharkc.pass.sink;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Sinking of reads: moves the read of an element into the only branch that uses it. Threads that
 * take another branch then cause no memory traffic.
 *
 * <p>Before:
 *
 * <pre>
 * let a = as[i]
 * let b = bs[i]
 * let r = if a == 0 then {in {0}} else {in {b}}
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let a = as[i]
 * let r = if a == 0 then {in {0}} else {let b = bs[i] in {b}}
 * </pre>
 *
 * <p>The pass skips a read if its array is overwritten before the branch.
 *
 * <p>Known gaps: scalars computed from elements are not moved, and neither are their reads.
 */
public final class SinkPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named("sink", "reads elements in the branches that need them", Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .after("thread-loops");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    Aliases aliases = context.analyses().get(function, Aliases.ANALYSIS);
    Body body = new Sinking(aliases).body(function.body());
    return body == function.body() ? function : function.withBody(body, function.nextTag());
  }
}
