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
 * Moves whole computations out of loops and maps in which they are the same every time: parallel
 * operations, loops, calls, concatenations, with the scalars, views and ranges that they need.
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
 * <p>Nothing is evaluated that would not have been: what is moved stands in a branch that is taken
 * if there is an evaluation at all, so that it may fail, or take long, as before. A size that only
 * the check inside promises not to be negative is a result of that branch. What is consumed stays.
 *
 * <p>After fusion, since an operation that goes into its consumer costs no memory, and often no
 * time.
 *
 * <p>Known gaps: what stands in a branch, in a {@code while} loop or in the operator of a reduction
 * stays there; so do computations that have been fused with others that vary.
 */
public final class HoistPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named("hoist", "computes once what is the same in every iteration", Rep.SOACS)
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
