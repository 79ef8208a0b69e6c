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

/** What the differentiation of one program has in common. */
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

  /** The accumulators whose updates are being reversed, by token. */
  Map<Name, AccumulatorAdjoint.Cotangent> accumulators() {
    return accumulators;
  }

  /** Does something with another function, whose names have nothing to do with those here. */
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

  /** The program's constants, with those that expansion has made. */
  void constants(List<Stm> now) {
    constants = now;
  }

  /** A new scope, with the constants of the program. */
  Scope constants() {
    Scope s = new Scope();
    for (Stm c : constants) s.add(c);
    return s;
  }

  void checkCancelled() {
    context.checkCancelled();
  }
}
