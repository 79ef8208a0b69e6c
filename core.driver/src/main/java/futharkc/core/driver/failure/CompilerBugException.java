package futharkc.core.driver.failure;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An exception for a bug: the compiler or a plugin's pass fails on a program that it should
 * compile.
 */
public final class CompilerBugException extends CompilerException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Path reproducer;

  /**
   * Creates an exception.
   *
   * @param reproducer a file with the program before the failing pass and the rest of the plan;
   *     null if no file was written
   */
  public CompilerBugException(
      String message, @Nullable Throwable cause, @Nullable Path reproducer) {
    super(message, cause);
    this.reproducer = reproducer;
  }

  /** Returns the class, the message and the innermost frames of a failure. */
  public static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder(failure.toString());
    StackTraceElement[] trace = failure.getStackTrace();
    for (int i = 0; i < Math.min(4, trace.length); i++) {
      text.append("\n    at ").append(trace[i]);
    }
    return text.toString();
  }

  /** Returns the file that reproduces the failure, or null, see the constructor. */
  public @Nullable Path reproducer() {
    return reproducer;
  }
}
