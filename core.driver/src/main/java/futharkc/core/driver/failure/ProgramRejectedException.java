package futharkc.core.driver.failure;

import futharkc.core.language.Diagnostic;
import java.util.List;

/** An exception for a program that is not valid Futhark or exceeds a limit of this compiler. */
public final class ProgramRejectedException extends CompilerException {
  private static final long serialVersionUID = 1;

  private final transient List<Diagnostic> diagnostics;

  /**
   * Creates a rejection.
   *
   * @param rendered the diagnostics as text for people
   * @param diagnostics the errors, with their positions, and the warnings reported before them
   */
  public ProgramRejectedException(String rendered, List<Diagnostic> diagnostics) {
    super(rendered, null);
    this.diagnostics = List.copyOf(diagnostics);
  }

  /** Returns the errors and warnings, in the order in which the front end found them. */
  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }
}
