package futharkc.pass.mergegpubodies;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import java.util.HashMap;
import java.util.Map;

/** Expressions whose order a user can see: they may fail, print, or run for ever. */
final class VisibleEffects {
  private final Program program;
  private final Map<String, Boolean> functions = new HashMap<>();

  VisibleEffects(Program program) {
    this.program = program;
  }

  /** Tests whether an expression, or a function that it calls, has a visible effect. */
  boolean isOrdered(Exp e) {
    Finder finder = new Finder();
    finder.exp(e);
    return finder.found;
  }

  private boolean isOrdered(String function) {
    Boolean known = functions.get(function);
    if (known != null) {
      return known;
    }
    FunDef f = program.functions().get(function);
    if (f == null) {
      return true;
    }
    // A recursive function may run for ever.
    functions.put(function, true);
    Finder finder = new Finder();
    finder.body(f.body());
    functions.put(function, finder.found);
    return finder.found;
  }

  private final class Finder extends Mapper {
    private boolean found;

    @Override
    public Exp exp(Exp e) {
      if (found) {
        return e;
      }
      found =
          switch (e) {
            case BasicOp.Assert _ -> true;
            case BasicOp.Opaque o -> !(o.tag() instanceof BasicOp.Tag.Barrier);
            case Exp.Loop l -> l.form() instanceof Exp.Form.While;
            case Exp.Apply a -> isOrdered(a.function());
            default -> false;
          };
      return super.exp(e);
    }
  }
}
