package futharkc.tools.lsp;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tokens before a position, also in texts with syntax errors. A token is a name with its modules,
 * a literal, an operator or a bracket.
 */
final class SourceScan {
  /** The number of characters before the position that the scan reads. */
  private static final int MOST = 4000;

  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*|\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'(?:[^'\\\\]|\\\\.)'"
              + "|#?[A-Za-z_][A-Za-z0-9_']*(?:\\.[A-Za-z_0-9][A-Za-z0-9_']*)*"
              + "|[0-9][A-Za-z0-9_.]*|[+\\-*/%=!><|&^]+|[()\\[\\]{},.:`\\\\]|\\S");

  /** A token with its offsets. */
  record Token(String text, int start, int end) {
    /** Tests whether the token is a name, a constructor or a literal. */
    boolean isOperand() {
      char c = text.charAt(0);
      return Character.isLetterOrDigit(c)
          || c == '_'
          || c == '"'
          || c == '#' && text.length() > 1
          || c == '\'' && text.length() > 2;
    }

    boolean isComment() {
      return text.startsWith("--");
    }
  }

  private SourceScan() {}

  /** Returns the tokens that begin before an offset, in order. */
  static List<Token> before(String text, int offset) {
    int start = start(text, offset);
    List<Token> tokens = new ArrayList<>();
    Matcher m = TOKEN.matcher(text).region(start, offset);
    while (m.find()) {
      tokens.add(new Token(m.group(), m.start(), m.end()));
    }
    return tokens;
  }

  /** Returns the beginning of a line without indentation before the offset. */
  private static int start(String text, int offset) {
    int least = Math.max(0, offset - MOST);
    int start = offset;
    while (start > least) {
      int line = text.lastIndexOf('\n', start - 1) + 1;
      boolean indented = line < text.length() && Character.isWhitespace(text.charAt(line));
      if (!indented || line <= least) {
        return line;
      }
      start = Math.max(0, line - 1);
    }
    return least;
  }
}
