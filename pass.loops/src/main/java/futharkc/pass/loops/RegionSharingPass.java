package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Region sharing: parallel regions whose bodies are equal but for the names of variables call one
 * function. Inlining and copies of arrays make such regions; HotSpot would compile each of them.
 *
 * <pre>{@code
 * parallel a(c, from, to) over (n) in k { for i < to - from { xs[from + i] = 0 } }
 * parallel b(d, lo, hi) over (m) in l { for j < hi - lo { ys[lo + j] = 0 } }
 *   =>
 * fun a_body(xs, c, from, to) { for i < to - from { xs[from + i] = 0 } }
 * parallel a(c, from, to) over (n) in k { a_body(xs, c, from, to) }
 * parallel b(d, lo, hi) over (m) in l { a_body(ys, d, lo, hi) }
 * }</pre>
 *
 * <p>Known gaps: the bodies of scans, and bodies that differ in a constant or in the source range
 * of a check.
 */
public final class RegionSharingPass implements Pass.OnImperativeProgram {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public RegionSharingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "region-sharing", "lets equal parallel regions call one function", Rep.MC_IMP)
        .after("cancellation-checks", "loop-outlining")
        .options(MethodSizes.LOOP);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram run(ImperativeProgram program, PassContext context) {
    return RegionSharing.rewrite(program, context);
  }
}
