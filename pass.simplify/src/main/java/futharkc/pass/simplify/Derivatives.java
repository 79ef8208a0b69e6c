package futharkc.pass.simplify;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Soac;
import org.jspecify.annotations.Nullable;

/**
 * Whether derivatives are taken in a program. Operations of the same value may have different
 * derivatives: that of {@code min x y} is by convention the one of the first operand if both are
 * equal, so that {@code min y x} is another function, and that of {@code x | 0} is zero. What
 * changes them has to wait until derivatives have been made code. Looks when asked, once.
 */
final class Derivatives {
  private final Program program;
  private @Nullable Boolean taken;

  Derivatives(Program program) {
    this.program = program;
  }

  boolean areTaken() {
    Boolean known = taken;
    if (known != null) return known;
    Search search = new Search();
    search.stms(program.constants());
    for (FunDef f : program.functions().values()) {
      if (!search.found) search.body(f.body());
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
