package futharkc.pass.readbatching;

import futharkc.core.ir.NameSource;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.List;

/**
 * Joins reads by the host and starts them early. A request moves up to the operation that computes
 * the element, and the wait moves down to the first use. Kernels that are launched in between run
 * while the host continues. Requests that one wait can serve are placed together.
 *
 * <p>Before:
 *
 * <pre>
 * launch k_0(...) {...}
 * launch k_1(...) {...}
 * ask a_1 = xs_0: []i32[0]
 * await (x_2: i32 = a_1)
 * write zs_9: []i32[0] = x_2
 * ask b_3 = ys_4: []i32[0]
 * await (y_5: i32 = b_3)
 * </pre>
 *
 * <p>After, if the second kernel writes neither array:
 *
 * <pre>
 * launch k_0(...) {...}
 * ask a_1 = xs_0: []i32[0]
 * ask b_3 = ys_4: []i32[0]
 * launch k_1(...) {...}
 * await (x_2: i32 = a_1, y_5: i32 = b_3)
 * write zs_9: []i32[0] = x_2
 * </pre>
 *
 * <p>A read leaves a conditional if both branches make it, and only assign its scalar to a
 * variable.
 *
 * <p>Known gaps: no other request leaves its list of statements; calls stop requests and waits, and
 * traces stop waits.
 */
public final class ReadBatchingPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public ReadBatchingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named("read-batching", "joins host reads and starts them early", Rep.GPU_IMP)
        .after("gpu-imp-late");
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
    BlockAliases aliases = context.analyses().get(function, BlockAliases.ANALYSIS);
    NameSource names = new NameSource(function.nextTag());
    ReadScheduling reads =
        new ReadScheduling(function.name(), new BranchReads(aliases, names), context);
    List<Code> body = reads.statements(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
