package futharkc.core.language.check;

import futharkc.core.ir.Loc;

/** The meaning of a module expression. */
sealed interface Mod {
  /** A collection of definitions. */
  record Struct(ModuleEnv env) implements Mod {}

  /**
   * A parametric module.
   *
   * @param param the type of the parameter
   * @param result the type of the result, in terms of the abstract types of {@code param}
   * @param body the body, which creates a new instance at each application
   */
  record Functor(Sig param, Sig result, Body body) implements Mod {}

  /** The body of a parametric module. */
  interface Body {
    /** Applies the body to a module that has not yet been matched with the parameter's type. */
    Mod apply(Mod arg, Loc loc);
  }
}
