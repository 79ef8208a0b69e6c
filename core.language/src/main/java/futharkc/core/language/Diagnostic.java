package futharkc.core.language;

import futharkc.core.ir.Loc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error or warning about a program.
 *
 * <p>Codes are stable: a published number keeps its meaning. The first letter is {@code E} or
 * {@code W}. The first two digits of an error give its area: 01 syntax, 02 imports, 03 names, 04
 * types, 05 sizes, 06 uniqueness, 07 modules, 08 entry points, 09 limits of this compiler.
 *
 * @param code the stable code, such as {@code E0101}
 * @param loc the source range of the error
 * @param message the message: one sentence or several lines, without the location and without a
 *     final newline
 * @param labels secondary source ranges that explain the error, such as the origin of an expected
 *     type
 * @param notes further paragraphs
 * @param hint a remedy
 * @param anchor the section of Futhark's own error index about this kind of error, or null
 */
public record Diagnostic(
    Severity severity,
    String code,
    Loc loc,
    String message,
    List<Label> labels,
    List<String> notes,
    @Nullable String hint,
    @Nullable String anchor) {

  /** The page of the documentation that explains all codes, below the project's folder. */
  public static final String REFERENCE = "docs/reference/errors.md";

  /** The address of Futhark's error index, for {@link #anchor} after {@code #}. */
  public static final String ERROR_INDEX =
      "https://futhark.readthedocs.io/en/latest/error-index.html";

  public Diagnostic {
    labels = List.copyOf(labels);
    notes = List.copyOf(notes);
  }

  /** The severities of diagnostics. */
  public enum Severity {
    /** A diagnostic that rejects the program. */
    ERROR,
    /** A diagnostic about an accepted program. */
    WARNING
  }

  /** A secondary source range and its explanation. */
  public record Label(Loc loc, String text) {}

  /** Returns an error that has only a message. */
  public static Diagnostic error(String code, Loc loc, String message) {
    return new Diagnostic(Severity.ERROR, code, loc, message, List.of(), List.of(), null, null);
  }

  /** Returns a warning that has only a message. */
  public static Diagnostic warning(String code, Loc loc, String message) {
    return new Diagnostic(Severity.WARNING, code, loc, message, List.of(), List.of(), null, null);
  }

  /** Returns this diagnostic with one more label. */
  public Diagnostic label(Loc loc, String text) {
    return new Diagnostic(
        severity, code, this.loc, message, plus(labels, new Label(loc, text)), notes, hint, anchor);
  }

  /** Returns this diagnostic with one more paragraph. */
  public Diagnostic note(String note) {
    return new Diagnostic(severity, code, loc, message, labels, plus(notes, note), hint, anchor);
  }

  /** Returns this diagnostic with another hint. */
  public Diagnostic hint(String hint) {
    return new Diagnostic(severity, code, loc, message, labels, notes, hint, anchor);
  }

  /** Returns this diagnostic with a reference to a section of the error index. */
  public Diagnostic see(String anchor) {
    return new Diagnostic(severity, code, loc, message, labels, notes, hint, anchor);
  }

  /** Returns the section of {@link #REFERENCE} that explains the code. */
  public String page() {
    return REFERENCE + "#" + code.toLowerCase(Locale.ROOT);
  }

  /** Tests whether this diagnostic rejects the program. */
  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /**
   * Returns this diagnostic as plain text without source excerpts: location, message, labels,
   * notes, hint, reference.
   */
  @Override
  public String toString() {
    return DiagnosticRenderer.plain().render(this);
  }

  private static <T> List<T> plus(List<T> list, T last) {
    var result = new ArrayList<T>(list.size() + 1);
    result.addAll(list);
    result.add(last);
    return result;
  }
}
