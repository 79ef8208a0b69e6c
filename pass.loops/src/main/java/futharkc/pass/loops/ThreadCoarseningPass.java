package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Thread coarsening: a thread of a kernel runs several iterations of a loop in steps side by side,
 * so that it waits for several elements of device memory at a time. Where a kernel has a thread for
 * each iteration, there are fewer thread blocks afterwards.
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
 * <p>What depends on no other iteration runs side by side, the rest in order; neighbouring threads
 * keep accessing neighbouring elements. Where a kernel is nothing but a loop that all threads share
 * out, a block's iterations follow each other (here {@code s} is the threads of a block, and the
 * loop goes on behind those of all blocks), so that memory is read in order, if it is by
 * neighbouring iterations. As many iterations run side by side as elements fit in the bytes that a
 * thread of the {@link futharkc.core.ir.Target.Threads target} should wait for. What is left in the
 * end runs one by one; of a reduction side by side as well, each iteration if it is there: rows are
 * often not much longer than a round.
 *
 * <p>Where iterations stay alone, and a kernel has a thread for each, it has no loop afterwards:
 * that takes fewer registers.
 *
 * <p>Known gaps: loops with loops inside stay, and so do those most of whose loads are in branches,
 * and those whose iterations use an array of the thread's own; registers are not counted, only
 * statements.
 */
public final class ThreadCoarseningPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public ThreadCoarseningPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "thread-coarsening",
            "threads of a GPU run several iterations of a loop side by side",
            Rep.GPU_IMP)
        .options(
            new Option(
                    "iterations",
                    Option.Kind.INTEGER,
                    "0",
                    "how many run side by side, in however few blocks; 0: as the size of elements"
                        + " says")
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
        context.target().threads(),
        context.integer("iterations"),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
