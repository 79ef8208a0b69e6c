package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Words for small elements: threads of kernels that map elements of one or two bytes load and store
 * whole words of 32 bits. Accesses to single small elements do not reach the memory's bandwidth.
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
 * <p>The second loop is a separate kernel, which is launched only for remaining elements. An array
 * may begin at any offset of its block, so a run-time test checks that all arrays begin at a word.
 * If one does not, the second loop processes all elements.
 *
 * <p>Known gaps: maps that access elements of several sizes, store under a condition, have inner
 * loops or may fail; reductions and scans.
 */
public final class VectoriseMemoryAccessesPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public VectoriseMemoryAccessesPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "vectorise-memory-accesses",
            "lets threads of a GPU access several small elements as one word",
            Rep.GPU_IMP)
        .formerly("word-accesses")
        .after("row-staging")
        .before("thread-coarsening")
        .options(
            new Option(
                    "elements",
                    Option.Kind.INTEGER,
                    "1048576",
                    "minimum number of elements of a map that is rewritten")
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
