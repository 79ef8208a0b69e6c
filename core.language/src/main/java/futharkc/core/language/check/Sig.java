package futharkc.core.language.check;

import futharkc.core.language.typed.Name;
import java.util.Map;

/**
 * The meaning of a module type.
 *
 * @param abs the abstract types in {@code mod}, including nested ones
 * @param mod a module of that type whose values have names but no definitions
 */
record Sig(Map<Name, TypeBinding> abs, Mod mod) {}
