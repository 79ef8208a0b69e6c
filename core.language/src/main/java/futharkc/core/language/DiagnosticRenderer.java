package futharkc.core.language;

import futharkc.core.ir.Loc;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The text form of diagnostics, for people.
 *
 * <pre>{@code
 * Error at sum.fut:3:14-16: [E0401]
 * Cannot apply "sum" to "x" (invalid type).
 *
 *   3 |   in sum x
 *     |          ^
 *   1 | def sum (xs: []i32) = ...
 *     |              ----- expected because of this
 *
 * Hint: ...
 *
 * For more information, see: docs/reference/errors.md#e0401
 * and https://futhark.readthedocs.io/en/latest/error-index.html#...
 * }</pre>
 *
 * The form of the first line is fixed, because tools parse it.
 */
public final class DiagnosticRenderer {
  private static final int MAX_LINE = 160;
  private static final int MAX_MESSAGE_LINE = 1000;

  private final Function<String, Optional<String>> source;
  private final boolean colours;

  private DiagnosticRenderer(Function<String, Optional<String>> source, boolean colours) {
    this.source = source;
    this.colours = colours;
  }

  /** Returns a renderer without source excerpts and colours. */
  public static DiagnosticRenderer plain() {
    return new DiagnosticRenderer(file -> Optional.empty(), false);
  }

  /**
   * Returns a renderer with source excerpts.
   *
   * @param source a function from a file's name in locations to its text
   * @param colours whether to emit terminal escapes
   */
  public static DiagnosticRenderer withSource(
      Function<String, Optional<String>> source, boolean colours) {
    return new DiagnosticRenderer(source, colours);
  }

  /** Returns the text of all diagnostics, separated by blank lines. */
  public String render(List<Diagnostic> diagnostics) {
    return diagnostics.stream().map(this::render).collect(Collectors.joining("\n\n"));
  }

  /** Returns the text of one diagnostic, without a final newline. */
  public String render(Diagnostic d) {
    String colour = d.isError() ? "31" : "33";
    var out = new StringBuilder();
    String title = d.isError() ? "Error" : "Warning";
    out.append(paint(colour, title + " at " + d.loc() + ":")).append(" [" + d.code() + "]\n");
    out.append(shortened(d.message()));
    excerpts(d, colour, out);
    for (String note : d.notes()) {
      out.append("\n\n").append(note);
    }
    if (d.hint() != null) {
      out.append("\n\n").append(paint("36", "Hint: ")).append(d.hint());
    }
    out.append("\n\nFor more information, see: ").append(d.page());
    if (d.anchor() != null) {
      out.append("\nand ").append(Diagnostic.ERROR_INDEX).append('#').append(d.anchor());
    }
    return out.toString();
  }

  /** Returns a message with abbreviated lines, for example for a very long name. */
  private static String shortened(String message) {
    if (message.length() <= MAX_MESSAGE_LINE) {
      return message;
    }
    return message
        .lines()
        .map(l -> l.length() <= MAX_MESSAGE_LINE ? l : l.substring(0, MAX_MESSAGE_LINE) + "...")
        .collect(Collectors.joining("\n"));
  }

  private void excerpts(Diagnostic d, String colour, StringBuilder out) {
    var main = excerpt(d.loc(), '^', "", colour);
    if (!main.isEmpty()) {
      out.append('\n').append(main);
    }
    for (Diagnostic.Label label : d.labels()) {
      String text = excerpt(label.loc(), '-', label.text(), "34");
      if (text.isEmpty()) {
        text = "\n" + label.loc() + ": " + label.text();
      } else if (!label.loc().file().equals(d.loc().file())) {
        text = "\n" + label.loc() + ":" + text;
      }
      out.append(text);
    }
  }

  /**
   * Returns the first source line of a range, with the range underlined, or an empty text if the
   * source is missing.
   */
  private String excerpt(Loc loc, char mark, String text, String colour) {
    if (loc.equals(Loc.NONE)) {
      return "";
    }
    String line = source.apply(loc.file()).map(s -> lineOf(s, loc.line())).orElse("");
    if (line.isBlank() || loc.column() > line.length() + 1) {
      return "";
    }
    int from = loc.column() - 1;
    int to =
        loc.endLine() == loc.line() ? Math.min(loc.endColumn() - 1, line.length()) : line.length();
    to = Math.max(to, from + 1);
    int skip = from > MAX_LINE / 2 ? from - MAX_LINE / 4 : 0;
    String shown = line.substring(skip, Math.min(line.length(), skip + MAX_LINE));
    int markEnd = Math.min(to - skip, MAX_LINE);
    String number = String.valueOf(loc.line());
    String gutter = " ".repeat(Math.max(0, 5 - number.length()));
    var under = new StringBuilder();
    for (int i = 0; i < from - skip; i++) {
      under.append(i < shown.length() && shown.charAt(i) == '\t' ? '\t' : ' ');
    }
    String marks = String.valueOf(mark).repeat(Math.max(1, markEnd - (from - skip)));
    if (loc.endLine() != loc.line()) {
      marks += "...";
    }
    return "\n"
        + gutter
        + number
        + " | "
        + shown
        + "\n      | "
        + under
        + paint(colour, text.isEmpty() ? marks : marks + " " + text);
  }

  private static String lineOf(String text, int line) {
    int start = 0;
    for (int i = 1; i < line; i++) {
      start = text.indexOf('\n', start) + 1;
      if (start == 0) {
        return "";
      }
    }
    int end = text.indexOf('\n', start);
    String result = end < 0 ? text.substring(start) : text.substring(start, end);
    return result.endsWith("\r") ? result.substring(0, result.length() - 1) : result;
  }

  private String paint(String colour, String text) {
    return colours ? "\u001b[1;" + colour + "m" + text + "\u001b[0m" : text;
  }
}
