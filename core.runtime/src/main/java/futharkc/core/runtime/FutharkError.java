package futharkc.core.runtime;

/**
 * A run-time error of a Futhark program: a failed check, an assertion, or a lack of memory.
 *
 * <p>The error has Futhark source positions instead of a Java stack trace.
 */
public final class FutharkError extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The causes of errors. */
  public enum Kind {
    /** The program or its input: the same call fails everywhere. */
    PROGRAM,
    /** A lack of memory: the call may succeed on smaller input, or on another machine. */
    MEMORY,
    /** A device that has become unusable: the call may succeed on another device. */
    DEVICE,
    /** A cancelled call, or an interrupted thread. */
    STOPPED
  }

  private final String backtrace;
  private final Kind kind;

  /** Creates an error without a source position. */
  public FutharkError(String message) {
    this(message, "");
  }

  /**
   * Creates an error at a source position.
   *
   * @param message the message
   * @param backtrace lines of the form {@code -> #0 file.fut:line:column-column}, innermost first
   *     (the other lines have spaces instead of the arrow), without a final line break; empty if
   *     unknown
   */
  public FutharkError(String message, String backtrace) {
    this(message, backtrace, Kind.PROGRAM);
  }

  /**
   * Creates an error of a kind.
   *
   * @param message the message
   * @param backtrace the source position, as for the other constructor; empty if unknown
   * @param kind the cause
   */
  public FutharkError(String message, String backtrace, Kind kind) {
    super(message, null, false, false);
    this.backtrace = backtrace;
    this.kind = kind;
  }

  /** Returns the error for a lack of memory of the JVM, or of threads. */
  public static FutharkError of(OutOfMemoryError e) {
    return new FutharkError(
        isForThreads(e)
            ? "Cannot start a thread: a limit of processes (ulimit -u) or of virtual memory"
                + " (ulimit -v) is reached."
            : "Out of memory: the Java heap is limited to "
                + Runtime.getRuntime().maxMemory()
                + " bytes.",
        "",
        Kind.MEMORY);
  }

  /** Tests whether the JVM lacks threads and not memory of its heap. */
  public static boolean isForThreads(OutOfMemoryError e) {
    return String.valueOf(e.getMessage()).contains("native thread");
  }

  /** Returns the cause. */
  public Kind kind() {
    return kind;
  }

  /** Returns the source positions, in the format of the constructor's parameter. */
  public String backtrace() {
    return backtrace;
  }

  /**
   * Returns the message for users, followed by an empty line and the source positions if they are
   * known.
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
