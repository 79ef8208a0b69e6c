package futharkc.core.driver.failure;

import org.jspecify.annotations.Nullable;

/**
 * The failures of the compiler, for programs that embed it. The kinds are:
 *
 * <ul>
 *   <li>{@link ProgramRejectedException}: the program has an error, with its position
 *   <li>{@link PlanException}: no plan satisfies the requested passes
 *   <li>{@link PluginException}: a plugin cannot be used
 *   <li>{@link CompilerBugException}: a pass or the compiler itself failed
 * </ul>
 *
 * <p>Errors of a running program are {@link futharkc.core.runtime.FutharkError}s.
 */
public abstract sealed class CompilerException extends RuntimeException
    permits ProgramRejectedException, PlanException, PluginException, CompilerBugException {
  private static final long serialVersionUID = 1;

  CompilerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
