package futharkc.core.language;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A collector of the diagnostics of a program, in the order of reporting, so that one run shows
 * several errors. It throws after {@value #MAX_ERRORS} errors. It drops a diagnostic that repeats
 * an earlier one.
 */
public final class Diagnostics {
  /** The number of errors after which the compiler stops. */
  public static final int MAX_ERRORS = 100;

  private final Set<Diagnostic> reported = new LinkedHashSet<>();
  private int errors;

  /** Creates an empty collector. */
  public Diagnostics() {}

  /** Adds a diagnostic. */
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

  /** Returns the errors and warnings, in the order of reporting. */
  public synchronized List<Diagnostic> all() {
    return List.copyOf(reported);
  }

  /** Returns the errors. */
  public List<Diagnostic> errors() {
    return all().stream().filter(Diagnostic::isError).toList();
  }

  /** Returns the warnings. */
  public List<Diagnostic> warnings() {
    return all().stream().filter(d -> !d.isError()).toList();
  }

  /** Ends a phase: throws all diagnostics if one of them is an error. */
  public void throwIfErrors() {
    if (hasErrors()) throw new DiagnosticException(all());
  }
}
