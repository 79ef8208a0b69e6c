package futharkc.core.runtime;

/**
 * A run-time error of a Futhark program: a failed check, an assertion, or a lack of memory.
 *
 * <p>It carries Futhark source positions instead of a Java stack trace.
 */
public final class FutharkError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String backtrace;

  /** An error without a position in the program. */
  public FutharkError(String message) {
    this(message, "");
  }

  /**
   * An error at a position in the program.
   *
   * @param backtrace lines of the form {@code -> #0 file.fut:line:column-column}, innermost first
   *     (the others with spaces instead of the arrow), without a final line break; empty if not
   *     known
   */
  public FutharkError(String message, String backtrace) {
    super(message, null, false, false);
    this.backtrace = backtrace;
  }

  /** Where it happened: see the constructor. */
  public String backtrace() {
    return backtrace;
  }

  /**
   * The message as users expect it: followed by an empty line and the backtrace, if there is one.
   */
  public String report() {
    return backtrace.isEmpty() ? getMessage() : getMessage() + "\n\nBacktrace:\n" + backtrace;
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
