package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * The meaning of a type name: an abbreviation, an abstract type or a type parameter.
 *
 * @param rhs the right-hand side in terms of the parameters; for an abstract type, its own name
 *     applied to the parameters
 */
record TypeBinding(Name name, Liftedness liftedness, List<Param> params, Type.Result rhs, Loc loc) {

  /** A parameter of a type. */
  record Param(Name name, boolean size, Liftedness liftedness) {}

  /** Returns a type without a definition. */
  static TypeBinding abstractType(Name name, Liftedness liftedness, List<Param> params, Loc loc) {
    List<Type.Arg> args = new ArrayList<>(params.size());
    for (Param p : params) {
      args.add(
          p.size
              ? new Type.Arg.OfSize(new Type.Size.Var(p.name))
              : new Type.Arg.OfType(new Type.Named(false, p.name, List.of())));
    }
    return new TypeBinding(
        name, liftedness, params, Type.Result.of(new Type.Named(false, name, args)), loc);
  }

  boolean isAbstract() {
    return rhs.type() instanceof Type.Named n && n.name().equals(name);
  }
}
