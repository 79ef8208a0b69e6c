package futharkc.harness.testing;

import java.util.ArrayList;
import java.util.List;

/** A cursor over the text of a test block, without the leading dashes of its lines. */
final class BlockCursor {
  private final String text;
  private final int firstLine;
  private int at;

  /**
   * Creates a cursor at the beginning of a block.
   *
   * @param firstLine the number of the block's first line in the program
   */
  BlockCursor(String text, int firstLine) {
    this.text = text;
    this.firstLine = firstLine;
  }

  /** Returns the number of the current line in the program. */
  int line() {
    int line = firstLine;
    for (int i = 0; i < at; i++) {
      if (text.charAt(i) == '\n') {
        line++;
      }
    }
    return line;
  }

  TestSpecException error(String message) {
    return new TestSpecException(line(), message);
  }

  /** Returns the next characters, for an error message. */
  String shown() {
    if (atEnd()) {
      return "the end of the block";
    }
    int end = at;
    while (end < text.length() && end < at + 20 && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    return "'" + text.substring(at, end) + "'";
  }

  boolean atEnd() {
    return at >= text.length();
  }

  void expectEnd() throws TestSpecException {
    if (!atEnd()) {
      throw error("expected the end of the test block, got " + shown());
    }
  }

  void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private void skipBlanks() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  boolean looksAt(String token) {
    return text.startsWith(token, at);
  }

  /** Skips a token and the following space if the token is next. Returns whether it was. */
  boolean take(String token) {
    if (!looksAt(token)) {
      return false;
    }
    at += token.length();
    skipSpace();
    return true;
  }

  /** Skips a token as {@link #take} does, and the following space up to the end of the line. */
  boolean takeOnLine(String token) {
    if (!looksAt(token)) {
      return false;
    }
    at += token.length();
    skipBlanks();
    return true;
  }

  void expect(String token) throws TestSpecException {
    if (!take(token)) {
      throw error("expected '" + token + "', got " + shown());
    }
  }

  /** Reads a tag and the following space. Returns an empty string if no tag is next. */
  String tag() {
    int start = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at))
            || text.charAt(at) == '_'
            || text.charAt(at) == '-')) {
      at++;
    }
    String tag = text.substring(start, at);
    skipSpace();
    return tag;
  }

  /** Reads the text up to the next white space, and the white space. */
  String word() {
    int start = at;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at);
    skipSpace();
    return word;
  }

  /** Reads the words up to the end of the line. */
  List<String> wordsOnLine() {
    List<String> words = new ArrayList<>();
    while (!atEnd() && text.charAt(at) != '\n') {
      int start = at;
      while (!atEnd() && !Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      words.add(text.substring(start, at));
      skipBlanks();
    }
    return words;
  }

  String restOfLine() {
    int end = text.indexOf('\n', at);
    String rest = text.substring(at, end < 0 ? text.length() : end);
    at = end < 0 ? text.length() : end;
    return rest;
  }

  /**
   * Reads a text in braces and the following space. Returns the text, which may contain nested
   * braces.
   */
  String braces() throws TestSpecException {
    if (!looksAt("{")) {
      throw error("expected '{', got " + shown());
    }
    int depth = 0;
    boolean inString = false;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (inString) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          inString = false;
        }
      } else if (c == '"') {
        inString = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        String inner = text.substring(at + 1, i);
        at = i + 1;
        skipSpace();
        return inner;
      }
    }
    throw error("the '{' has no matching '}'");
  }

  /** Reads a string in quotation marks and the following space. */
  String string() throws TestSpecException {
    StringBuilder string = new StringBuilder();
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        at = i + 1;
        skipSpace();
        return string.toString();
      }
      if (c == '\\' && i + 1 < text.length()) {
        c = text.charAt(++i);
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      string.append(c);
    }
    throw error("unterminated string");
  }

  /**
   * Reads the name of a node, preceded by the names of its enclosing nodes, and the following
   * space.
   */
  String path() throws TestSpecException {
    int start = at;
    while (at < text.length() && (Character.isLetter(text.charAt(at)) || text.charAt(at) == '/')) {
      at++;
    }
    if (at == start) {
      throw error("expected the name of a node, got " + shown());
    }
    String path = text.substring(start, at);
    skipSpace();
    return path;
  }

  int natural() throws TestSpecException {
    String digits = tag();
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw error("expected a number, got '" + digits + "'");
    }
  }
}
