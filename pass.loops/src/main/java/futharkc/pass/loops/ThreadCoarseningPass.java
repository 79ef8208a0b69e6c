package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Thread coarsening: a thread of a kernel runs several iterations of a loop concurrently, so that
 * it waits for several elements of device memory at a time. If a kernel has a thread for each
 * iteration, it gets fewer thread blocks.
 *
 * <pre>{@code
 * for i from t < n by s {              for i from t < n - 3 * s by 4 * s {
 *   var x = xs[i]                        var x = xs[i]; var y = xs[i + s]; ..
 *   a = a + x                  =>        a = a + x; a = a + y; ..
 * }                                      r = i + 4 * s
 *                                      }
 *                                      for i from r < n by s { var x = xs[i]; a = a + x }
 * }</pre>
 *
 * <p>Independent code of the iterations is interleaved, and the rest runs in order. Adjacent
 * threads still access adjacent elements. In a kernel that consists of one grid-stride loop, the
 * iterations of a thread block become consecutive if adjacent iterations access adjacent elements.
 * Here, {@code s} is then the number of threads of a thread block, and the loop continues after the
 * iterations of all thread blocks.
 *
 * <p>The number of concurrent iterations is the number of elements that fit in the bytes for which
 * a thread should wait. Remaining iterations run one by one. Those of a reduction run concurrently
 * under conditions, because rows are often not much longer than a round.
 *
 * <p>If no iterations run concurrently and the kernel has a thread for each, the loop is removed,
 * which saves registers.
 *
 * <p>Known gaps: loops with inner loops, loops most of whose loads are in branches, and loops that
 * use a thread-private array; registers are not counted, only statements. A loop of a thread block
 * interleaves twice as many iterations only if its step is the number of threads of the launch, and
 * not if the step is another variable with the same value.
 */
public final class ThreadCoarseningPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public ThreadCoarseningPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "thread-coarsening",
            "lets threads of a GPU interleave several iterations of a loop",
            Rep.GPU_IMP)
        .options(ThreadCoarsening.OPTIONS)
        .options(
            new Option(
                    "iterations",
                    Option.Kind.INTEGER,
                    "0",
                    "number of iterations to interleave; 0: a number chosen by the size of"
                        + " elements")
                .within(0, 64));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return ThreadCoarsening.rewrite(
        function,
        context,
        context.integer("iterations"),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
