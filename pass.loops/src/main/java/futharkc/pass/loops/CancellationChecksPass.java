package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Cancellation checks: loops check at intervals whether the call has been cancelled. The checks
 * must notice a cancellation within 100 ms, and must not slow the loop down. The JVM optimises
 * nests of plain counted loops best, so the pass strip-mines a loop and checks between two strips.
 * A loop with short constant bounds gets no check.
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
 * <p>The loop over a chunk of a chained scan is usually no longer than a strip. It has an unchanged
 * version for such ranges, because a surrounding loop over strips costs registers. A while-loop
 * checks in each iteration, unless HotSpot may take it for a counted loop; other loops have a
 * safepoint in each iteration, so that the check costs nothing.
 *
 * <p>If the iterations of a chunk are large and contain loops, each iteration checks: a loop over
 * strips around such a nest prevents the JVM from optimising the inner loops.
 *
 * <p>Without this pass, a cancelled call ends at its next parallel region or when it is done.
 *
 * <p>Known gaps: the pass counts operations and does not measure time. It leaves a function that
 * already contains checks unchanged, so that a second run changes nothing.
 */
public final class CancellationChecksPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public CancellationChecksPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "cancellation-checks",
            "adds cancellation checks to loops",
            Rep.MC_IMP,
            Rep.SEQ_IMP,
            Rep.GPU_IMP)
        .after("loop-outlining")
        .options(CheckIntervals.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    boolean inKernels = program.rep().hasDevice() && function.onOneThread();
    if (inKernels) {
      return function;
    }
    return CancellationChecks.in(
        function,
        context,
        n ->
            context.remark(
                Remark.Kind.APPLIED,
                function.name(),
                Loc.NONE,
                "added cancellation checks to " + n + " loops"));
  }
}
