package futharkc.core.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function.
 *
 * @param name unique in the program
 * @param results the types of the results; names bound by earlier results may occur in later types
 * @param nextTag no name in the function has this number or a greater one
 */
public record FunDef(
    String name,
    List<String> attrs,
    List<Param> params,
    List<Result> results,
    Body body,
    @Nullable EntryPoint entry,
    int nextTag,
    Loc loc) {
  public FunDef {
    attrs = List.copyOf(attrs);
    params = List.copyOf(params);
    results = List.copyOf(results);
  }

  /**
   * A result.
   *
   * @param name stands for the result in the types of later ones
   * @param unique aliases no parameter, constant or other result
   */
  public record Result(Name name, Type type, boolean unique) {}

  /** The attribute of a function that the compiler made, not from one of the program. */
  public static final String BUILTIN = "builtin";

  /** Whether the compiler made it, not from a function of the program. */
  public boolean isBuiltin() {
    return attrs.contains(BUILTIN);
  }

  public FunDef withBody(Body body, int nextTag) {
    return new FunDef(name, attrs, params, results, body, entry, nextTag, loc);
  }
}
