package futharkc.pass.hoist;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Moves invariant computations out of loops and maps: parallel operations, loops, calls and
 * concatenations, with the scalars, views and ranges that they need.
 *
 * <pre>{@code
 * let r = screma(n, [xs])                   let none = n <= 0
 *   map \x ->                               let {k', b'} = if none then {0, scratch([0])} else {
 *     let a = cert{c} iota(k)                 let a' = cert{c} iota(k)
 *     let b = screma(k, [a]) map f    =>      let b' = screma(k, [a']) map f
 *     ..                                      in {k, b'} }
 *                                           let r = screma(n, [xs])
 *                                             map \x ->
 *                                               let b = coerce([k], b')
 *                                               ..
 * }</pre>
 *
 * <p>The moved code is in a branch that the program takes only if the body has an evaluation. So it
 * fails, or does not terminate, under the same conditions as before. A size is a result of that
 * branch if only a check inside proves it non-negative. Consumed arrays stay.
 *
 * <p>The pass runs after fusion, because an operation fused into its consumer needs no memory, and
 * often no time.
 *
 * <p>Known gaps: code in a branch, in a {@code while} loop or in the operator of a reduction stays,
 * as do computations that have been fused with varying ones.
 */
public final class HoistPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named("hoist", "moves invariant computations out of loops and maps", Rep.SOACS)
        .destroys(Property.SIMPLIFIED)
        .prefers(Property.DIFFERENTIATED)
        .after("inline", "simplify", "fusion", "write-fusion");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    NameSource names = new NameSource(function.nextTag());
    Aliases aliases = context.analyses().get(function, Aliases.ANALYSIS);
    BodyHoisting bodies = new BodyHoisting(function, names, aliases, context);
    Body body = bodies.body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
