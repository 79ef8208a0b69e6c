package futharkc.tools.lsp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.lsp4j.CodeLens;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;

/**
 * The comments {@code -- >>> EXPRESSION}, whose values the server writes as comments below. The lines
 * below up to the next such comment or the next line of code are the last value.
 */
final class Evaluations {
  /** The command that evaluates a comment. Its arguments are the address of a file and a line. */
  static final String COMMAND = "futharkc.evaluate";

  private static final String PREFIX = "-- >>>";
  private static final String COMMENT = "-- ";

  private Evaluations() {}

  static List<CodeLens> lenses(String uri, TextSnapshot text) {
    List<CodeLens> lenses = new ArrayList<>();
    for (int i = 0; i < text.lines(); i++) {
      if (text.line(i).startsWith(PREFIX)) {
        Range range = new Range(new Position(i, 0), new Position(i, text.line(i).length()));
        lenses.add(
            new CodeLens(range, new Command("Evaluate", COMMAND, List.of(uri, i)), null));
      }
    }
    return lenses;
  }

  /** Returns the expression in a line, or the empty string. */
  static String expression(TextSnapshot text, int line) {
    String comment = text.line(line);
    return comment.startsWith(PREFIX) ? comment.substring(PREFIX.length()).strip() : "";
  }

  /** Returns the change that writes the value of an expression below its comment. */
  static WorkspaceEdit result(String uri, TextSnapshot text, int line, String value) {
    int end = line + 1;
    while (end < text.lines()
        && text.line(end).startsWith(COMMENT)
        && !text.line(end).startsWith(PREFIX)) {
      end++;
    }
    StringBuilder lines = new StringBuilder();
    value.lines().forEach(l -> lines.append(COMMENT).append(l).append('\n'));
    boolean lastLine = line + 1 >= text.lines();
    String result = lastLine ? "\n" + lines : lines.toString();
    Position start =
        lastLine ? text.position(text.text().length()) : new Position(line + 1, 0);
    Position stop = lastLine ? start : text.position(text.offset(new Position(end, 0)));
    return new WorkspaceEdit(
        Map.of(uri, List.of(new TextEdit(new Range(start, stop), result))));
  }
}
