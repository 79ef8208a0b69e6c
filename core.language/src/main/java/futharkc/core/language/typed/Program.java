package futharkc.core.language.typed;

import java.util.List;
import java.util.Map;

/**
 * A checked program: no modules left (every use of a parametric module has its own copies of the
 * definitions), only the definitions, by name, in an order where each comes after those that it
 * uses.
 *
 * @param defs every definition, also those that no entry point needs (the prelude's included)
 * @param types what each abstract type and each intrinsic-free named type is: the lowering sees
 *     through all of them
 */
public record Program(
    Map<Name, ValDef> defs, Map<Name, TypeDef> types, List<EntryPoint> entryPoints) {
  /** The definition behind an abstract type. */
  public record TypeDef(Name name, List<Param> params, Type.Result type) {}

  /** A parameter of a type: a size or a type. */
  public record Param(Name name, boolean size) {}
}
