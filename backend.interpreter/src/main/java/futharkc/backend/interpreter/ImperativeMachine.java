package futharkc.backend.interpreter;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An imperative program under evaluation: its constants, and its functions, each compiled at its
 * first call.
 */
final class ImperativeMachine implements Evaluation {
  private final ImperativeProgram program;
  private final Options options;
  private final Execution execution = new Execution();
  private final VariableSlots constants;
  private final Activation constantValues;
  private final Map<String, Function> functions = new HashMap<>();

  /**
   * A compiled function.
   *
   * @param variables the slots of its variables
   * @param params the slots of its parameters
   * @param body the compiled statements
   * @param results the compiled results
   */
  record Function(
      VariableSlots variables, int[] params, Step body, List<StepCompiler.Result> results) {
    Activation activation(Execution x) {
      return variables.activation(x);
    }
  }

  /** Evaluates the constants. */
  ImperativeMachine(ImperativeProgram program, Options options) {
    this.program = program;
    this.options = options;
    this.constants = new VariableSlots(null, null);
    Function initialise = compiled(program.initialise(), constants);
    this.constantValues = initialise.activation(execution);
    initialise.body.run(constantValues);
    execution.checkDevice();
    execution.end(List.of());
    for (Code.Variable v : program.constants()) {
      if (!v.isBlock()) {
        continue;
      }
      CheckedBlock b = constantValues.blocks[constants.ownBlock(v.name())];
      if (b == null) {
        throw new Fault("constant " + v.name() + " is not a block");
      }
      b.fixed("it is a constant of the program");
    }
  }

  @Override
  public DeviceActivity activity() {
    return execution.counters.activity();
  }

  Options options() {
    return options;
  }

  /** Tests whether blocks are in device memory. */
  boolean isGpu() {
    return program.rep().hasDevice();
  }

  private Function compiled(ImperativeProgram.Function f, VariableSlots variables) {
    int[] params =
        f.params().stream()
            .mapToInt(
                v ->
                    v.isBlock()
                        ? variables.declareBlock(v.name())
                        : variables.declareScalar(v.name()))
            .toArray();
    StepCompiler steps = new StepCompiler(this, variables);
    Step body = steps.all(f.body());
    return new Function(variables, params, body, f.results().stream().map(steps::result).toList());
  }

  Function function(String name) {
    Function known = functions.get(name);
    if (known != null) {
      return known;
    }
    for (ImperativeProgram.Function f : program.functions()) {
      if (!f.name().equals(name)) {
        continue;
      }
      Function compiled = compiled(f, new VariableSlots(constants, constantValues));
      functions.put(name, compiled);
      return compiled;
    }
    throw new Fault("there is no function " + name);
  }

  @Override
  public List<Value> call(String entry, List<Value> args) {
    for (ImperativeProgram.Entry e : program.entries()) {
      if (!e.entry().name().equals(entry)) {
        continue;
      }
      EntryCall call = new EntryCall(program, e, constants, constantValues);
      try {
        return call.run(function(e.function()), args, execution);
      } catch (FutharkError ofHost) {
        // A failed kernel is earlier in the program than a failure of the host before its next
        // wait.
        FutharkError ofKernel = execution.failure;
        execution.abandon();
        throw ofKernel != null ? ofKernel : ofHost;
      } catch (RuntimeException | Error failure) {
        execution.abandon();
        throw failure;
      }
    }
    throw new IllegalArgumentException("there is no entry point " + entry);
  }
}
