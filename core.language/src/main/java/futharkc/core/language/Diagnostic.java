package futharkc.core.language;

import futharkc.core.ir.Loc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One error or warning about a program.
 *
 * <p>Codes are stable: once published, a number keeps its meaning. The first letter is {@code E} or
 * {@code W}; the first two digits of an error say where it comes from: 01 syntax, 02 imports, 03
 * names, 04 types, 05 sizes, 06 uniqueness, 07 modules, 08 entry points, 09 limits of this
 * compiler.
 *
 * @param code the stable code, such as {@code E0101}
 * @param loc what is wrong
 * @param message the first sentence, or several lines; without the location and without a final
 *     newline
 * @param labels other places that explain it, such as where an expectation comes from
 * @param notes further paragraphs
 * @param hint what to do about it
 * @param anchor the section of the language's error index that explains this kind of error
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

  /** Where the error index is; an anchor is appended after {@code #}. */
  public static final String ERROR_INDEX =
      "https://futhark.readthedocs.io/en/latest/error-index.html";

  public Diagnostic {
    labels = List.copyOf(labels);
    notes = List.copyOf(notes);
  }

  /** How serious a diagnostic is. */
  public enum Severity {
    /** The program is rejected. */
    ERROR,
    /** The program is accepted, but looks wrong. */
    WARNING
  }

  /** A second place in the source and what it has to do with the matter. */
  public record Label(Loc loc, String text) {}

  /** An error with nothing but a message. */
  public static Diagnostic error(String code, Loc loc, String message) {
    return new Diagnostic(Severity.ERROR, code, loc, message, List.of(), List.of(), null, null);
  }

  /** A warning with nothing but a message. */
  public static Diagnostic warning(String code, Loc loc, String message) {
    return new Diagnostic(Severity.WARNING, code, loc, message, List.of(), List.of(), null, null);
  }

  /** This with one more label. */
  public Diagnostic label(Loc loc, String text) {
    return new Diagnostic(
        severity, code, this.loc, message, plus(labels, new Label(loc, text)), notes, hint, anchor);
  }

  /** This with one more paragraph. */
  public Diagnostic note(String note) {
    return new Diagnostic(severity, code, loc, message, labels, plus(notes, note), hint, anchor);
  }

  /** This with that hint, which replaces an earlier one. */
  public Diagnostic hint(String hint) {
    return new Diagnostic(severity, code, loc, message, labels, notes, hint, anchor);
  }

  /** This with a reference to that section of the error index. */
  public Diagnostic see(String anchor) {
    return new Diagnostic(severity, code, loc, message, labels, notes, hint, anchor);
  }

  /** Whether the program is rejected for it. */
  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** As plain text without source excerpts: location, message, labels, notes, hint, reference. */
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
