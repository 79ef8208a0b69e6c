package futharkc.core.language.lower;

import futharkc.core.language.Intrinsics.Intrinsic;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.List;

/** A function, with what its free names stand for. */
sealed interface Callee {
  /** The number of arguments that it is applied to at once. */
  int arity();

  /**
   * A function expression.
   *
   * @param safe whether checks are wanted where it was written
   */
  record OfLambda(Exp.Lambda lambda, Frame frame, boolean safe) implements Callee {
    @Override
    public int arity() {
      return lambda.params().size();
    }
  }

  /**
   * A definition.
   *
   * @param frame where it was defined
   * @param use where it was named, which gives its size and type arguments a meaning
   */
  record OfDef(
      ValDef def,
      Frame frame,
      boolean safe,
      Frame use,
      List<Type.Size> sizeArgs,
      List<Type> typeArgs)
      implements Callee {
    @Override
    public int arity() {
      return def.params().size();
    }
  }

  /** An intrinsic. */
  record OfIntrinsic(Intrinsic intrinsic, int arity, Frame use, List<Type> typeArgs)
      implements Callee {}

  /** A function of which nothing is known but its type; an error was raised where it should be. */
  record OfHole(Type.Fun type, Frame frame, List<futharkc.core.ir.Name> certs) implements Callee {
    @Override
    public int arity() {
      return 1;
    }
  }

  /** A function that may be called only if the certificates hold. */
  record Guarded(LoweredValue.Closure fun, List<futharkc.core.ir.Name> certs) implements Callee {
    @Override
    public int arity() {
      return fun.callee().arity() - fun.args().size();
    }
  }

  /** A function that keeps one field of another's result. */
  record FieldOf(LoweredValue fun, String field) implements Callee {
    @Override
    public int arity() {
      return 1;
    }
  }
}
