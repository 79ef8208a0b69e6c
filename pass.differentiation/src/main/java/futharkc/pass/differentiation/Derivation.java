package futharkc.pass.differentiation;

import futharkc.core.ir.Name;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.PassContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The shared state of the differentiation of one program. */
final class Derivation {
  private final PassContext context;
  private List<Stm> constants;
  private final DerivedFunctions functions;
  private Map<Name, AccumulatorAdjoint.Cotangent> accumulators = new HashMap<>();

  Derivation(Program program, PassContext context) {
    this.context = context;
    this.constants = program.constants();
    this.functions = new DerivedFunctions(this, program);
  }

  /**
   * Returns the cotangents of the accumulators whose updates are being reversed, keyed by token.
   */
  Map<Name, AccumulatorAdjoint.Cotangent> accumulators() {
    return accumulators;
  }

  /** Runs a task on another function, with a separate set of accumulators. */
  <T> T apart(Supplier<T> task) {
    Map<Name, AccumulatorAdjoint.Cotangent> here = accumulators;
    accumulators = new HashMap<>();
    try {
      return task.get();
    } finally {
      accumulators = here;
    }
  }

  DerivedFunctions functions() {
    return functions;
  }

  /** Sets the program's constants after expansion. */
  void constants(List<Stm> now) {
    constants = now;
  }

  /** Returns a new scope with the program's constants. */
  Scope constants() {
    Scope s = new Scope();
    for (Stm c : constants) {
      s.add(c);
    }
    return s;
  }

  void checkCancelled() {
    context.checkCancelled();
  }
}
