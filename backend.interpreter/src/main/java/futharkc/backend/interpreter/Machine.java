package futharkc.backend.interpreter;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program of arrays under evaluation: its constants, and its functions, each compiled at its
 * first call.
 */
final class Machine implements Evaluation {
  private final Program program;
  private final Options options;
  private final @Nullable PoisonValues standIns;
  private final DeviceState device;
  private final VariableScopes constants;
  private final CallFrame constantsFrame;
  private final Map<String, Function> functions = new HashMap<>();
  private final Map<String, Function> activeFunctions = new HashMap<>();
  private long levels;

  /** Evaluates the constants. */
  Machine(Program program, Options options) {
    this.program = program;
    this.options = options;
    this.standIns =
        options.standIns() == null
            ? null
            : new PoisonValues(options.standIns(), options.failures());
    this.device = new DeviceState(options);
    this.constants = new VariableScopes(null, null, device, false);
    Instruction code = new FunctionCompiler(this, constants).stms(program.constants());
    this.constantsFrame = constants.newFrame();
    code.run(constantsFrame);
  }

  @Override
  public List<Value> call(String entry, List<Value> args) {
    return Signature.of(program, entry).call(this, args);
  }

  @Override
  public DeviceActivity activity() {
    return device.activity();
  }

  Program program() {
    return program;
  }

  Options options() {
    return options;
  }

  /** Returns the device; only GPU programs use it. */
  DeviceState device() {
    return device;
  }

  /**
   * Returns the generator of values that replace failed computations; null if a failure ends the
   * program.
   */
  @Nullable PoisonValues standIns() {
    return standIns;
  }

  /** Returns a level for a new derivative, greater than the levels of all enclosing derivatives. */
  long newLevel() {
    return ++levels;
  }

  /**
   * Returns a compiled function.
   *
   * @param name the name of the function
   * @param active true if scalars may have derivatives
   */
  Function function(String name, boolean active) {
    Map<String, Function> compiledBefore = active ? activeFunctions : functions;
    Function known = compiledBefore.get(name);
    if (known != null) {
      return known;
    }
    FunDef f = program.functions().get(name);
    if (f == null) {
      throw new Fault("there is no function " + name);
    }
    VariableScopes scopes = new VariableScopes(constants, constantsFrame, device, active);
    FunctionCompiler compiler = new FunctionCompiler(this, scopes);
    Destination[] params = compiler.params(f.params());
    Sequence body = compiler.stms(f.body().stms());
    Function compiled =
        new Function(scopes, new CompiledLambda(params, body, scopes.ins(f.body().results())));
    compiledBefore.put(name, compiled);
    return compiled;
  }
}
