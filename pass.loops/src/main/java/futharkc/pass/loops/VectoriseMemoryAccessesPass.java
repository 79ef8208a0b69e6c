package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Words for small elements: a thread of a kernel that maps elements of one or two bytes to such
 * loads and stores as many neighbouring ones at once as a word of 32 bits has. One by one they move
 * at three quarters of the memory's rate, however many of them a thread has.
 *
 * <pre>{@code
 *                                words = 0
 *                                if 2^20 <= n { words = n / 4
 * for i from t < n by s {          for w from t < words by s {
 *   var x = xs[i]                    var x = xs as i32[w]
 *   ys[i] = x + 1         =>         var a = (i8) x + 1; var b = (i8) (x >> 8) + 1; ..
 * }                                  ys as i32[w] = a | b << 8 | ..
 *                                  } }
 *                                for i from t < n - 4 * words by s { .. }
 * }</pre>
 *
 * <p>The second loop is a kernel of its own, which is launched if something is left for it. Of
 * arrays that begin somewhere in a block, it is seen when the program runs whether they begin with
 * a word; all elements go through the second loop if one does not. By hand 2^30 bytes took 914 us
 * on an H200 with four a thread, 510 in words; copying them 511.
 *
 * <p>Known gaps: maps that access elements of several sizes stay, and so do those that store under
 * a condition, have loops inside or may fail; reductions and scans.
 */
public final class VectoriseMemoryAccessesPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public VectoriseMemoryAccessesPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "vectorise-memory-accesses",
            "threads of a GPU access several small elements as one word",
            Rep.GPU_IMP)
        .formerly("word-accesses")
        .after("row-staging")
        .before("thread-coarsening")
        .options(
            new Option(
                    "elements",
                    Option.Kind.INTEGER,
                    "1048576",
                    "of a map for which it is worth a kernel of its own, at least")
                .from(0));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return MemoryAccessVectorisation.rewrite(
        function,
        context.integer("elements"),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
