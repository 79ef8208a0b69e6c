package futharkc.core.driver.failure;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong in the compiler, for all that embed it. The kinds:
 *
 * <ul>
 *   <li>{@link ProgramRejectedException}: the program is wrong, with positions
 *   <li>{@link PlanException}: the passes asked for do not fit together
 *   <li>{@link PluginException}: a plugin cannot be used
 *   <li>{@link CompilerBugException}: a pass or the compiler itself failed
 * </ul>
 *
 * Errors of a running program are {@link futharkc.core.runtime.FutharkError}s.
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
