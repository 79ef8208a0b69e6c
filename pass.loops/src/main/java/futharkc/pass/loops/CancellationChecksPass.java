package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Cancellation checks: loops look now and then whether the call has been cancelled, which is to be
 * noticed within 100 ms and to cost nothing. The JVM optimises nests of plain counting loops best:
 * so a loop is strip-mined, and looks between two strips. A loop that is short by its bounds does
 * not look.
 *
 * <pre>{@code
 * for i < n { .. }     =>     var end = n; var from = 0; var more = from < end
 *                             while more {
 *                               var to = from + min(262144, end - from)
 *                               for i from from < to { .. }
 *                               from = to; more = from < end
 *                               if more { check_cancelled }
 *                             }
 * }</pre>
 *
 * <p>The loop of a chained scan's chunk, which is short as long as there are several, is there a
 * second time, as it was, for a range that is no longer than a strip: a loop over strips around it
 * costs registers (measured: a scan of products of matrices takes 1.4 times as long with it). A
 * while-loop looks in each iteration, unless the JVM may find that it counts; where it does not, it
 * asks itself, and looking costs nothing.
 *
 * <p>Where a chunk's iterations are large and have loops inside, each looks: a loop over strips
 * around such a nest keeps the JVM from optimising what is inside.
 *
 * <p>Without this pass, a call ends when it is done, or at its next parallel region.
 *
 * <p>Known gaps: operations are counted, not timed; a function that looks already is left as it is,
 * so that a second run of the pass changes nothing.
 */
public final class CancellationChecksPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public CancellationChecksPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "cancellation-checks",
            "loops look whether the call has been cancelled",
            Rep.MC_IMP,
            Rep.SEQ_IMP,
            Rep.GPU_IMP)
        .after("loop-outlining");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    boolean inKernels = program.rep().hasDevice() && function.onOneThread();
    if (inKernels) return function;
    return CancellationChecks.in(
        function,
        context.target().cancellation(),
        n -> context.remark(Remark.Kind.APPLIED, function.name(), Loc.NONE, n + " loops look"));
  }
}
