package futharkc.core.runtime;

/**
 * An entry point of a compiled program. Generated code extends this class and implements {@link
 * #call}.
 *
 * <p>Run it through {@link Context#run}, which puts the call on the context's worker threads.
 */
public abstract class EntryPoint {
  private final String name;
  private final Parameter[] parameters;
  private final ValueType result;
  private final boolean uniqueResult;
  private final String[] tuningParameters;
  private final String[] attributes;

  /**
   * Describes an entry point.
   *
   * @param name its name
   * @param parameters its parameters
   * @param result the type of its only result
   * @param uniqueResult whether the result never aliases an argument
   * @param tuningParameters names of the tuning parameters that it depends on
   * @param attributes its attributes, as written but without {@code #[...]}
   */
  protected EntryPoint(
      String name,
      Parameter[] parameters,
      ValueType result,
      boolean uniqueResult,
      String[] tuningParameters,
      String[] attributes) {
    this.name = name;
    this.parameters = parameters;
    this.result = result;
    this.uniqueResult = uniqueResult;
    this.tuningParameters = tuningParameters;
    this.attributes = attributes;
  }

  /**
   * A parameter of an entry point.
   *
   * @param name its name, or the empty string if it is bound to a pattern
   * @param unique whether the call consumes the argument
   */
  public record Parameter(String name, ValueType type, boolean unique) {}

  /**
   * Runs the entry point.
   *
   * <p>All blocks of the arguments belong to the caller before and after the call: the callee may
   * overwrite those of consumed arguments, but never releases one. The blocks of the results belong
   * to the caller after the call, unless the program pinned them ({@link Memory#pin}); they may be
   * those of arguments.
   *
   * @param args the flat arguments: for each parameter in turn, a {@link Scalar} or {@link
   *     ArrayValue} for each of its type's {@linkplain ValueType#parts parts}; element types and
   *     ranks are right, sizes are the callee's to check
   * @return the parts of the result: scalars and arrays only
   * @throws FutharkError for a run-time error of the program
   */
  public abstract Value[] call(Context ctx, Value[] args);

  /** The entry point's name. */
  public final String name() {
    return name;
  }

  /** The parameters, in order. */
  public final Parameter[] parameters() {
    return parameters;
  }

  /** The number of parameters in words, as in {@code 2 arguments}. */
  public final String argumentCount() {
    return parameters.length + (parameters.length == 1 ? " argument" : " arguments");
  }

  /** The type of the result. */
  public final ValueType result() {
    return result;
  }

  /** Whether the result never aliases an argument. */
  public final boolean uniqueResult() {
    return uniqueResult;
  }

  /** Names of the tuning parameters that this entry point depends on. */
  public final String[] tuningParameters() {
    return tuningParameters;
  }

  /** The attributes, without {@code #[...]}. */
  public final String[] attributes() {
    return attributes;
  }
}
