package futharkc.core.runtime;

/**
 * An entry point of a compiled program. Generated code extends this class and implements {@link
 * #call}.
 *
 * <p>Callers use {@link Context#run}, which runs the entry point on the context's worker threads.
 */
public abstract class EntryPoint {
  private final String name;
  private final Parameter[] parameters;
  private final ValueType result;
  private final boolean uniqueResult;
  private final String[] tuningParameters;
  private final String[] attributes;

  /**
   * Creates an entry point.
   *
   * @param name the name
   * @param parameters the parameters
   * @param result the type of the only result
   * @param uniqueResult true if the result never aliases an argument
   * @param tuningParameters the names of the tuning parameters on which the entry point depends
   * @param attributes the attributes, without {@code #[...]}
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
   * @param name the name, or the empty string for a pattern
   * @param type the type
   * @param unique true if the call consumes the argument
   */
  public record Parameter(String name, ValueType type, boolean unique) {}

  /**
   * Runs the entry point.
   *
   * <p>All blocks of the arguments belong to the caller before and after the call. The callee may
   * overwrite the blocks of consumed arguments, but never releases a block of an argument. The
   * blocks of the results belong to the caller after the call unless the program has pinned them
   * ({@link Memory#pin}). Results may share blocks with arguments.
   *
   * @param ctx the context
   * @param args the flat arguments: for each parameter, a {@link Scalar} or {@link ArrayValue} for
   *     each of its type's {@linkplain ValueType#parts parts}; element types and ranks are right,
   *     the callee checks sizes
   * @return the parts of the result: scalars and arrays only
   * @throws FutharkError for a run-time error of the program
   */
  public abstract Value[] call(Context ctx, Value[] args);

  /** Returns the entry point's name. */
  public final String name() {
    return name;
  }

  /** Returns the parameters, in order. */
  public final Parameter[] parameters() {
    return parameters;
  }

  /** Returns the number of parameters in words, as in {@code 2 arguments}. */
  public final String argumentCount() {
    return parameters.length + (parameters.length == 1 ? " argument" : " arguments");
  }

  /** Returns the type of the result. */
  public final ValueType result() {
    return result;
  }

  /** Tests whether the result never aliases an argument. */
  public final boolean uniqueResult() {
    return uniqueResult;
  }

  /** Returns the names of the tuning parameters on which this entry point depends. */
  public final String[] tuningParameters() {
    return tuningParameters;
  }

  /** Returns the attributes, without {@code #[...]}. */
  public final String[] attributes() {
    return attributes;
  }
}
