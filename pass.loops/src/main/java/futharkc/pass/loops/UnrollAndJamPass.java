package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Unroll-and-jam: runs several iterations of a loop side by side, if they are independent and each
 * has an inner loop that carries scalars: such a chain waits for its own results, and several of
 * them fill that time; what they compute in common is computed once. Loops with divisions or long
 * functions of floats stay: they wait for the units that compute these. So do those with
 * conditionals that differ and do more than choose among values ({@link IfConversion}).
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
 * <p>Where iterations are in order only by what they store at their end, as in a search for the
 * nearest five that puts each distance into a list, the first parts of four run side by side and
 * the last ones in order: driver-knn's queries take 0.85 of the time.
 *
 * <p>Known gaps: always four iterations; registers are not counted, only statements. Iterations
 * that carry scalars alone stay as they are: with the nearest of some points of 34 dimensions
 * (kmeans) the distances side by side took 1.4 times as long.
 */
public final class UnrollAndJamPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public UnrollAndJamPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "unroll-and-jam",
            "runs iterations of outer loops side by side",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("loop-distribution")
        .options(
            new Option(
                "if-conversion",
                Option.Kind.BOOLEAN,
                "true",
                "conditionals in loops that only choose among values become operations on bits"));
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
