package futharkc.core.language.typed;

import java.util.List;
import java.util.Map;

/**
 * A checked program. It has no modules: every use of a parametric module has its own copies of the
 * definitions. Each definition comes after the definitions that it uses.
 *
 * @param defs every definition, including those that no entry point needs and those of the prelude
 * @param types the definition of each abstract type and each named type that is not intrinsic
 * @param entryPoints the entry points
 */
public record Program(
    Map<Name, ValDef> defs, Map<Name, TypeDef> types, List<EntryPoint> entryPoints) {
  /** The definition of an abstract type. */
  public record TypeDef(Name name, List<Param> params, Type.Result type) {}

  /** A parameter of a type: a size or a type. */
  public record Param(Name name, boolean size) {}
}
