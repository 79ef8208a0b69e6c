package futharkc.core.language.format;

import futharkc.core.language.parser.ParseTree;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;

/**
 * A comment of one line that is no documentation comment.
 *
 * @param text the comment with its signs and without trailing white space
 */
record Comment(String text, Span span) {
  /** Returns all comments of a file, in order. */
  static List<Comment> of(String text, List<Token> tokens) {
    int[] codePoints = text.codePoints().toArray();
    List<Comment> comments = new ArrayList<>();
    var scan = new Scan(codePoints, comments);
    for (Token token : tokens) {
      for (Token t : ParseTree.tokensOf(token)) {
        if (t.getType() == Token.EOF) {
          scan.to(codePoints.length);
        } else {
          scan.to(t.getStartIndex());
          scan.skip(t.getStopIndex() + 1);
        }
      }
    }
    return comments;
  }

  /** A traversal of the text between tokens. */
  private static final class Scan {
    private final int[] text;
    private final List<Comment> comments;
    private int position;
    private int line = 1;
    private int lineStart;

    Scan(int[] text, List<Comment> comments) {
      this.text = text;
      this.comments = comments;
    }

    void to(int end) {
      while (position < end) {
        if (text[position] == '-') {
          comment(end);
        } else {
          skip(position + 1);
        }
      }
    }

    private void comment(int end) {
      int start = position;
      int stop = start;
      while (stop < end && text[stop] != '\n') {
        stop++;
      }
      String content = new String(text, start, stop - start).stripTrailing();
      int column = start - lineStart;
      comments.add(new Comment(content, new Span(start, line, column, stop, line)));
      skip(stop);
    }

    void skip(int end) {
      for (; position < end; position++) {
        if (text[position] == '\n') {
          line++;
          lineStart = position + 1;
        }
      }
    }
  }

  /** Tests whether a test block or a directive of a literate program begins here. */
  boolean isDirective() {
    return span.column() == 0 && (text.startsWith("-- ==") || text.startsWith("-- >"));
  }
}
