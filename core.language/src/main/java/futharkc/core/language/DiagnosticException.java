package futharkc.core.language;

import futharkc.core.ir.Loc;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An exception that rejects a program. It carries at least one error, and the warnings reported
 * before the error.
 */
public final class DiagnosticException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Diagnostic> diagnostics;

  public DiagnosticException(List<Diagnostic> diagnostics) {
    super(null, null, false, false);
    this.diagnostics = List.copyOf(diagnostics);
  }

  /** Creates an exception for a check that stops at its first error. */
  public DiagnosticException(Diagnostic diagnostic) {
    this(List.of(diagnostic));
  }

  /** Creates an exception for an error that has only a message. */
  public DiagnosticException(String code, Loc loc, String message) {
    this(Diagnostic.error(code, loc, message));
  }

  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }

  @Override
  public String getMessage() {
    return diagnostics.stream().map(Diagnostic::toString).collect(Collectors.joining("\n\n"));
  }
}
