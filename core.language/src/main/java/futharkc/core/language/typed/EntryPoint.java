package futharkc.core.language.typed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry point.
 *
 * @param name as called from outside
 * @param def the definition, monomorphic, of first order; perhaps with size parameters; perhaps
 *     point-free: a definition whose function type has more parameters than its list
 * @param params for each parameter of the function type: the name shown to users and the type as
 *     written, if it was
 * @param resultText the result type as written, if it was
 */
public record EntryPoint(String name, ValDef def, List<Param> params, @Nullable String resultText) {
  /** A parameter of an entry point. */
  public record Param(String name, Type type, @Nullable String typeText) {}
}
