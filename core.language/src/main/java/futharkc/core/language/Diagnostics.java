package futharkc.core.language;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects what there is to say about a program, in the order of reporting, so that one run shows
 * several errors. It stops at {@value #MAX_ERRORS} errors, by throwing; a report that repeats an
 * earlier one is dropped.
 */
public final class Diagnostics {
  /** More errors than this help nobody. */
  public static final int MAX_ERRORS = 100;

  private final Set<Diagnostic> reported = new LinkedHashSet<>();
  private int errors;

  /** None yet. */
  public Diagnostics() {}

  /** Adds one. */
  public synchronized void report(Diagnostic diagnostic) {
    if (!reported.add(diagnostic)) return;
    if (diagnostic.isError() && ++errors >= MAX_ERRORS) throwIfErrors();
  }

  /** Adds every diagnostic of an exception. */
  public void report(DiagnosticException exception) {
    for (Diagnostic d : exception.diagnostics()) report(d);
  }

  public synchronized boolean hasErrors() {
    return errors > 0;
  }

  /** Errors and warnings, in the order of reporting. */
  public synchronized List<Diagnostic> all() {
    return List.copyOf(reported);
  }

  /** The errors alone. */
  public List<Diagnostic> errors() {
    return all().stream().filter(Diagnostic::isError).toList();
  }

  /** The warnings alone. */
  public List<Diagnostic> warnings() {
    return all().stream().filter(d -> !d.isError()).toList();
  }

  /** Ends a phase: throws all that was reported if an error was among it. */
  public void throwIfErrors() {
    if (hasErrors()) throw new DiagnosticException(all());
  }
}
