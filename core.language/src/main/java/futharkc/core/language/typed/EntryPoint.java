package futharkc.core.language.typed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry point.
 *
 * @param name the external name
 * @param def the definition, which is monomorphic and first-order and may have size parameters; a
 *     point-free definition has fewer parameters than its function type
 * @param params for each parameter of the function type, the external name and the type as written,
 *     or null
 * @param resultText the result type as written, or null
 */
public record EntryPoint(String name, ValDef def, List<Param> params, @Nullable String resultText) {
  /** A parameter of an entry point. */
  public record Param(String name, Type type, @Nullable String typeText) {}
}
