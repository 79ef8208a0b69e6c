package futharkc.pass.readbatching;

import futharkc.core.ir.NameSource;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.List;

/**
 * Launches the first kernels of an iteration before the host knows that the iteration runs. A loop
 * whose condition is a scalar of the device otherwise empties the queue in each iteration. The
 * kernels read the scalar themselves and end at once if the loop ends.
 *
 * <p>Before:
 *
 * <pre>
 * while again {
 *   launch step(...) {... flag: []bool[0] = ...}
 *   ask r = flag: []bool[0]
 *   await (again' = r)
 *   again = again'
 * }
 * </pre>
 *
 * <p>After, where {@code later} is false in the first iteration only:
 *
 * <pre>
 * while again {
 *   ask r = last: []bool[0]
 *   launch step(...) {if (!later || last: []bool[0]) {... flag: []bool[0] = ...}}
 *   await (again' = r)
 *   if later {again = again'}
 *   ...
 * }
 * </pre>
 *
 * <p>The statements before the wait have no effects that the program can observe if the loop ends:
 * they launch kernels, compute scalars, and allocate blocks of a size that all iterations share.
 * The pass skips loops that enqueue work between the request and the wait, since the queue is not
 * empty then.
 *
 * <p>Known gaps: inner loops and checks end the statements before the wait; only while-loops whose
 * last wait is followed by scalar operations are changed.
 */
public final class SpeculativeLaunchPass implements Pass.OnImperative {
  private static final Option KERNELS =
      new Option(
              "kernels",
              Option.Kind.INTEGER,
              "8",
              "the most kernels that an iteration launches before its condition is known")
          .within(1, 1_000);

  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public SpeculativeLaunchPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "speculative-launch",
            "launches kernels before the condition of their loop is known",
            Rep.GPU_IMP)
        .after("read-batching")
        .options(KERNELS);
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
    int most = Math.toIntExact(context.integer(KERNELS.name()));
    SpeculativeLoops loops = new SpeculativeLoops(function.name(), aliases, names, most, context);
    List<Code> body = loops.statements(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
