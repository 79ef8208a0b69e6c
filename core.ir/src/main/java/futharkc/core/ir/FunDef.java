package futharkc.core.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function.
 *
 * @param name the name, unique in the program
 * @param results the results; a type may mention names bound by earlier results
 * @param nextTag a number greater than that of every name in the function
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
   * A result of a function.
   *
   * @param name the name of the result in the types of later results
   * @param unique true if the result aliases no parameter, constant or other result
   */
  public record Result(Name name, Type type, boolean unique) {}

  /** The attribute of a function made by the compiler, without a counterpart in the source. */
  public static final String BUILTIN = "builtin";

  /** Tests whether the compiler made this function without a counterpart in the source. */
  public boolean isBuiltin() {
    return attrs.contains(BUILTIN);
  }

  public FunDef withBody(Body body, int nextTag) {
    return new FunDef(name, attrs, params, results, body, entry, nextTag, loc);
  }
}
