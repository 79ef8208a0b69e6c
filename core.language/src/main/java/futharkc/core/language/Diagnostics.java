package futharkc.core.language;

import futharkc.core.ir.Loc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A collector of the diagnostics of a program, in the order of reporting, so that one run shows
 * several errors. It throws after {@value #MAX_ERRORS} errors. It drops a diagnostic that repeats
 * an earlier one. Errors about the same unknown name become one error with a count.
 */
public final class Diagnostics {
  /** The number of errors after which the compiler stops. */
  public static final int MAX_ERRORS = 100;

  /** The codes of unknown names. Their messages say all about the cause but not its location. */
  private static final Set<String> UNKNOWN = Set.of("E0301", "E0302");

  private final Set<Diagnostic> reported = new LinkedHashSet<>();

  /** The number of occurrences of each error about an unknown name. The keys have no location. */
  private final Map<Diagnostic, Integer> unknown = new HashMap<>();

  private int errors;

  /** Creates an empty collector. */
  public Diagnostics() {}

  /** Adds a diagnostic. */
  public synchronized void report(Diagnostic diagnostic) {
    if (!reported.add(diagnostic)) {
      return;
    }
    if (UNKNOWN.contains(diagnostic.code())
        && unknown.merge(anywhere(diagnostic), 1, Integer::sum) > 1) {
      return;
    }
    if (diagnostic.isError() && ++errors >= MAX_ERRORS) {
      throwIfErrors();
    }
  }

  /** Returns a diagnostic without its location. */
  private static Diagnostic anywhere(Diagnostic d) {
    return new Diagnostic(
        d.severity(), d.code(), Loc.NONE, d.message(), d.labels(), d.notes(), d.hint(), d.anchor());
  }

  /** Adds every diagnostic of an exception. */
  public void report(DiagnosticException exception) {
    for (Diagnostic d : exception.diagnostics()) {
      report(d);
    }
  }

  public synchronized boolean hasErrors() {
    return errors > 0;
  }

  /** Returns the errors and warnings, in the order of reporting. */
  public synchronized List<Diagnostic> all() {
    Set<Diagnostic> counted = new HashSet<>();
    List<Diagnostic> all = new ArrayList<>();
    for (Diagnostic d : reported) {
      Integer count = UNKNOWN.contains(d.code()) ? unknown.get(anywhere(d)) : null;
      if (count == null || count == 1) {
        all.add(d);
      } else if (counted.add(anywhere(d))) {
        int more = count - 1;
        all.add(
            d.note(
                "The program has this error in "
                    + more
                    + " other place"
                    + (more == 1 ? "." : "s.")));
      }
    }
    return all;
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
    if (hasErrors()) {
      throw new DiagnosticException(all());
    }
  }
}
