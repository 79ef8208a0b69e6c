package futharkc.core.driver.failure;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The compiler, or a pass of a plugin, failed on a program that it should have compiled. */
public final class CompilerBugException extends CompilerException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Path reproducer;

  /**
   * A failure.
   *
   * @param reproducer a file with the program before the failing pass, and the plan from there on;
   *     null if there is none
   */
  public CompilerBugException(
      String message, @Nullable Throwable cause, @Nullable Path reproducer) {
    super(message, cause);
    this.reproducer = reproducer;
  }

  /** What shows the failure again: see the constructor. */
  public @Nullable Path reproducer() {
    return reproducer;
  }
}
