package futharkc.pass.hostcopies;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the host run long sequential code on copies of arrays. One thread of a device takes hundreds
 * of nanoseconds for a load, and the host takes microseconds to read or write an element of the
 * device. Two transfers of whole arrays take tens of microseconds, and then the host needs a
 * nanosecond for an access.
 *
 * <p>Before:
 *
 * <pre>
 * launch body(block, thread) in 1 of 1 {
 *   for i &lt; n {xs: []f32[i + 1] = fadd_f32(xs: []f32[i], xs: []f32[i + 1])}
 * }
 * </pre>
 *
 * <p>After, with times in nanoseconds:
 *
 * <pre>
 * if slt_i64(capacity(xs: []i8), 8 * (171 * n - 30000)) {
 *   on_copies (xs' changes xs) {
 *     for i &lt; n {xs': []f32[i + 1] = fadd_f32(xs': []f32[i], xs': []f32[i + 1])}
 *   }
 * } else {
 *   launch body(block, thread) in 1 of 1 {...}
 * }
 * </pre>
 *
 * <p>The pass changes kernels of one thread, and loops of the host that access elements of arrays
 * and launch no kernels. The size of the arrays and the numbers of iterations decide at run time.
 *
 * <p>Known gaps: each statement makes its own copies; code that allocates arrays, exchanges blocks,
 * calls functions or reads constant arrays stays as it is; the number of iterations of a loop is
 * taken for a small constant if the host does not know it before.
 */
public final class HostCopiesPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public HostCopiesPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "host-copies", "lets the host run sequential code on copies of arrays", Rep.GPU_IMP)
        .before("gpu-imp-early", "cancellation-checks", "read-batching")
        .options(options());
  }

  private static Option[] options() {
    List<Option> all = new ArrayList<>(Times.OPTIONS);
    all.add(HostVersions.BYTES);
    return all.toArray(Option[]::new);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    if (function.onOneThread()) {
      return function;
    }
    HostVersions versions = new HostVersions(function, Times.of(context), context);
    List<Code> body = versions.statements(function.body());
    return body == function.body() ? function : function.withBody(body, versions.nextTag());
  }
}
