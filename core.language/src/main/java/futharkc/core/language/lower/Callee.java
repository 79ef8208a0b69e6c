package futharkc.core.language.lower;

import futharkc.core.language.Intrinsics.Intrinsic;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.List;

/** A function with the frame of its free names. */
sealed interface Callee {
  /** Returns the number of arguments that a call must supply. */
  int arity();

  /**
   * A function expression.
   *
   * @param safe whether the code around the expression has run-time checks
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
   * @param frame the frame of the definition
   * @param use the frame of the use, in which the size and type arguments are evaluated
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

  /**
   * A function of which only the type is known. A hole replaces it, and the certificates raise its
   * error.
   */
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

  /** A function that returns one field of another function's result. */
  record FieldOf(LoweredValue fun, String field) implements Callee {
    @Override
    public int arity() {
      return 1;
    }
  }
}
