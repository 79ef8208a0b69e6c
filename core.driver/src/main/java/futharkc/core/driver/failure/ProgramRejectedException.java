package futharkc.core.driver.failure;

import futharkc.core.language.Diagnostic;
import java.util.List;

/** The program is not a correct Futhark program, or breaks a limit of this compiler. */
public final class ProgramRejectedException extends CompilerException {
  private static final long serialVersionUID = 1;

  private final transient List<Diagnostic> diagnostics;

  /**
   * A rejection.
   *
   * @param rendered the diagnostics as text for people
   * @param diagnostics errors, with their positions, and the warnings reported before them
   */
  public ProgramRejectedException(String rendered, List<Diagnostic> diagnostics) {
    super(rendered, null);
    this.diagnostics = List.copyOf(diagnostics);
  }

  /** Errors and warnings, in the order in which they were found. */
  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }
}
