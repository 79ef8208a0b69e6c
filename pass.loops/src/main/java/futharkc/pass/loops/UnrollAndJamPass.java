package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Unroll-and-jam: interleaves several independent iterations of a loop, each of which has an inner
 * loop that carries scalars. A dependence chain waits for its own results, and several chains fill
 * this time; common values are computed once. The pass skips loops with divisions or long functions
 * of floats, which are limited by the units that compute them. It also skips loops with varying
 * conditionals that do more than choose among values ({@link IfConversion}).
 *
 * <pre>{@code
 * for i < n {                         for g < n / 4 {
 *   var s = 0                           var s = 0; var t = 0; var u = 0; var v = 0
 *   for j < m { s = s + f(i, j) }  =>   for j < m { s = s + f(4g, j); t = t + f(4g + 1, j); .. }
 *   ys[i] = s                           ys[4g] = s; ys[4g + 1] = t; ..
 * }                                   }
 *                                     for i from n / 4 * 4 to n { .. }
 * }</pre>
 *
 * <p>Iterations may also depend on their predecessors only at their end, as in a search for the
 * nearest points that inserts each distance into a list. Then the first parts of four iterations
 * are interleaved, and the last parts run in order.
 *
 * <p>Known gaps: the number of iterations is always four; registers are not counted, only
 * statements. The pass skips iterations that only carry scalars, because interleaving makes some of
 * them slower.
 */
public final class UnrollAndJamPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public UnrollAndJamPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "unroll-and-jam", "interleaves iterations of outer loops", Rep.MC_IMP, Rep.SEQ_IMP)
        .after("loop-distribution")
        .options(UnrollAndJam.OPTIONS)
        .options(
            new Option(
                "if-conversion",
                Option.Kind.BOOLEAN,
                "true",
                "turns conditionals in loops that only choose among values into bit operations"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    boolean converting = context.flag("if-conversion");
    return Loops.rewrite(
        function, context, (loop, around) -> UnrollAndJam.rewrite(loop, around, converting));
  }
}
