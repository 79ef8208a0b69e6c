package futharkc.pass.migration;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.LastingArrays;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves scalar work from the host to the device, so that the host need not wait for elements that
 * only further kernels use. A cut of least cost through the flow of scalars says what moves: reads
 * by the host, kernels, and scalar work on the device have costs ({@link Costs}). No path through
 * the function has more reads than before.
 *
 * <p>Before:
 *
 * <pre>
 * let {sum: [1]f64} = segred ...
 * let {s: f64} = sum[0]
 * let {norm: f64} = sqrt64(s)
 * let {ys: [n]f64} = segmap thread [i &lt; n] do {f64} {... xs[i] / norm ...}
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let {sum: [1]f64} = segred ...
 * let {norm': [1]f64} = gpu_body {f64} {let s = sum[0] let norm = sqrt64(s) in {norm}}
 * let {ys: [n]f64} = segmap thread [i &lt; n] do {f64} {let norm = norm'[0] ... xs[i] / norm ...}
 * </pre>
 *
 * <p>Whole branches move if the device has their condition, and whole loops if the device has their
 * bound, condition or a parameter, and nothing in them needs the host. Array literals with
 * variables move, since the host would write element by element. A check moves with what is
 * checked, and the statements that depend on the check follow it; its failure is reported when the
 * host waits next.
 *
 * <p>A kernel updates an element at an index that only the device has ({@link ElementUpdates}).
 *
 * <p>A loop that computes scalars and updates elements of arrays moves if one thread is faster than
 * the launches and reads of the host ({@link ArrayLoops}).
 *
 * <p>Known gaps: reads of one point cost as if each made the host wait; a branch that returns an
 * array which it updates moves only inside such a loop.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022.
 */
public final class MigrationPass implements Pass.OnFunction {
  private static final String CONSTANTS = "constants";

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "migration", "computes scalars on the device that the host need not know", Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED)
        .after("sink", "contraction", "block-staging")
        .options(options());
  }

  private static Option[] options() {
    List<Option> all = new ArrayList<>();
    all.addAll(
        List.of(
            new Option("branches", Option.Kind.BOOLEAN, "true", "move whole branches"),
            new Option("loops", Option.Kind.BOOLEAN, "true", "move whole loops"),
            new Option("literals", Option.Kind.BOOLEAN, "true", "move array literals"),
            new Option(
                "updates", Option.Kind.BOOLEAN, "true", "update elements at indices of the device"),
            new Option(
                "arrays", Option.Kind.BOOLEAN, "true", "move loops that update arrays in place"),
            new Option(
                "in-place", Option.Kind.BOOLEAN, "true", "read elements where they are, uncopied"),
            new Option(CONSTANTS, Option.Kind.BOOLEAN, "true", "move scalars of constants")));
    all.addAll(Costs.options());
    return all.toArray(Option[]::new);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    boolean isConstants = !program.functions().containsKey(function.name());
    if (isConstants && !context.flag(CONSTANTS)) {
      return function;
    }
    DeviceCode device = new DeviceCode(program);
    if (device.isCalledByThreads(function.name())) {
      return function;
    }
    NameSource names = new NameSource(function.nextTag());
    Report report = new Report(context, function.name());
    Aliases aliases = context.analyses().get(function, Aliases.ANALYSIS);
    LastingArrays lasting = new LastingArrays(function, aliases, context.flag("in-place"));
    Placements placements = DataFlow.of(function, device, lasting, Settings.of(context));
    Body body = new Migrator(placements, lasting, names, report).function(function.body());
    return body.equals(function.body()) ? function : function.withBody(body, names.next());
  }
}
