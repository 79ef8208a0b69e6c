package futharkc.core.language.format;

import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.ParseTree;

/** The formatter of source files. */
public final class Formatter {
  /**
   * The number of times that the formatter formats its own result. A comment within a construct can
   * add line breaks, which change the layout of the construct around it.
   */
  private static final int MOST_PASSES = 8;

  private Formatter() {}

  /**
   * Formats a file on the calling thread, whose stack must be large enough for deep programs. The
   * result has the same syntax tree and the same comments. The line breaks of the result are those
   * of the first line of the input.
   *
   * @param path the path shown in messages
   * @param text the text of the whole file
   * @throws DiagnosticException if the file has syntax errors
   */
  public static String format(String path, String text) {
    int end = text.indexOf('\n');
    boolean carriageReturns = end > 0 && text.charAt(end - 1) == '\r';
    String last = text;
    String formatted = once(path, text);
    for (int i = 1; i < MOST_PASSES && !formatted.equals(last); i++) {
      last = formatted;
      formatted = once(path, formatted);
    }
    return carriageReturns ? formatted.replace("\n", "\r\n") : formatted;
  }

  private static String once(String path, String text) {
    var sink = new Diagnostics();
    ParseTree tree = ParseTree.of(path, text, sink);
    sink.throwIfErrors();
    var out = new Output(Comment.of(text, tree.tokens()));
    var layout = new DeclarationLayout(out);
    var doc = tree.doc();
    if (doc != null) {
      out.node(Span.of(doc), () -> layout.doc(doc));
      out.newLine();
    }
    layout.decs(tree.decs());
    if (!tree.decs().isEmpty()) {
      out.newLine();
    }
    out.commentsAtEndOfFile();
    return out.toString();
  }
}
