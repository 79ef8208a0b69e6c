package futharkc.pass.simplify;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Soac;
import org.jspecify.annotations.Nullable;

/**
 * A test for derivative operators in a program, evaluated once on demand. Operations with equal
 * values may have different derivatives. By convention, {@code min x y} has the derivative of the
 * first operand if both are equal, and {@code x | 0} has the derivative zero. So rules that change
 * derivatives wait until all derivatives are expanded.
 */
final class Derivatives {
  private final Program program;
  private @Nullable Boolean taken;

  Derivatives(Program program) {
    this.program = program;
  }

  boolean areTaken() {
    Boolean known = taken;
    if (known != null) {
      return known;
    }
    Search search = new Search();
    search.stms(program.constants());
    for (FunDef f : program.functions().values()) {
      if (!search.found) {
        search.body(f.body());
      }
    }
    taken = search.found;
    return search.found;
  }

  private static final class Search extends Mapper {
    private boolean found;

    @Override
    public Exp exp(Exp e) {
      found |= e instanceof Soac.Jvp || e instanceof Soac.Vjp;
      return found ? e : super.exp(e);
    }
  }
}
