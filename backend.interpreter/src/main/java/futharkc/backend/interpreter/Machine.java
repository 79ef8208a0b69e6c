package futharkc.backend.interpreter;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.runtime.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program under evaluation: its constants, once evaluated, and its functions, each compiled when
 * it is first called.
 */
final class Machine implements Evaluation {
  private final Program program;
  private final Options options;
  private final @Nullable PoisonValues standIns;
  private final Device device;
  private final VariableScopes constants;
  private final Frame constantsFrame;
  private final Map<String, Function> functions = new HashMap<>();
  private final Map<String, Function> activeFunctions = new HashMap<>();
  private long levels;

  /** Evaluates the constants. */
  Machine(Program program, Options options) {
    this.program = program;
    this.options = options;
    this.standIns = options.standIns() == null ? null : new PoisonValues(options.standIns());
    this.device = new Device(options);
    this.constants = new VariableScopes(null, null, device, false);
    Instruction code = new FunctionCompiler(this, constants).stms(program.constants());
    this.constantsFrame = constants.newFrame();
    code.run(constantsFrame);
  }

  @Override
  public List<Value> call(String entry, List<Value> args) {
    return Signature.of(program, entry).call(this, args);
  }

  Program program() {
    return program;
  }

  Options options() {
    return options;
  }

  /** The device, of which programs that are not for a GPU make no use. */
  Device device() {
    return device;
  }

  /** What stands in for what fails; null if nothing does. */
  @Nullable PoisonValues standIns() {
    return standIns;
  }

  /** A number for a derivative, greater than those of the derivatives around it. */
  long newLevel() {
    return ++levels;
  }

  /**
   * A function.
   *
   * @param active whether scalars may have derivatives
   */
  Function function(String name, boolean active) {
    Map<String, Function> compiledBefore = active ? activeFunctions : functions;
    Function known = compiledBefore.get(name);
    if (known != null) return known;
    FunDef f = program.functions().get(name);
    if (f == null) throw new Fault("there is no function " + name);
    VariableScopes scopes = new VariableScopes(constants, constantsFrame, device, active);
    FunctionCompiler compiler = new FunctionCompiler(this, scopes);
    Out[] params = compiler.params(f.params());
    Sequence body = compiler.stms(f.body().stms());
    Function compiled =
        new Function(scopes, new Lambda(params, body, scopes.ins(f.body().results())));
    compiledBefore.put(name, compiled);
    return compiled;
  }
}
