package futharkc.core.language.check;

import futharkc.core.ir.Loc;

/** The meaning of a module expression. */
sealed interface Mod {
  /** A collection of definitions. */
  record Struct(ModuleEnv env) implements Mod {}

  /**
   * A parametric module.
   *
   * @param param what it accepts
   * @param result what it returns, in terms of the abstract types of {@code param}
   * @param body makes a new instance
   */
  record Functor(Sig param, Sig result, Body body) implements Mod {}

  /** The inside of a parametric module. */
  interface Body {
    /**
     * The result of an application to that module, which has not yet been matched with the
     * parameter's type.
     */
    Mod apply(Mod arg, Loc loc);
  }
}
