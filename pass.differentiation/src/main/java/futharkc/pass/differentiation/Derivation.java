package futharkc.pass.differentiation;

import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/** What the differentiation of one program has in common. */
final class Derivation {
  private final PassContext context;
  private final List<Stm> constants;
  private final DerivedFunctions functions;

  Derivation(Program program, PassContext context) {
    this.context = context;
    this.constants = program.constants();
    this.functions = new DerivedFunctions(this, program);
  }

  DerivedFunctions functions() {
    return functions;
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
