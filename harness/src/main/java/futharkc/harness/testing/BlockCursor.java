package futharkc.harness.testing;

import java.util.ArrayList;
import java.util.List;

/** A position in the text of a test block, the leading dashes of whose lines are gone. */
final class BlockCursor {
  private final String text;
  private final int firstLine;
  private int at;

  /**
   * At the start of a block.
   *
   * @param firstLine number of its first line in the program
   */
  BlockCursor(String text, int firstLine) {
    this.text = text;
    this.firstLine = firstLine;
  }

  /** The number of the current line in the program. */
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

  /** What is next, for a message. */
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

  /** Goes past a token and the space after it, if it is next. */
  boolean take(String token) {
    if (!looksAt(token)) {
      return false;
    }
    at += token.length();
    skipSpace();
    return true;
  }

  /** As {@link #take}, but stays on the line. */
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

  /** A tag and the space after it; empty if there is none. */
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

  /** What is before the next white space, and the space. */
  String word() {
    int start = at;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at);
    skipSpace();
    return word;
  }

  /** The words up to the end of the line. */
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

  /** What is between braces, which may be nested, and the space after them. */
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
    throw error("there is no '}' to this '{'");
  }

  /** A string in quotation marks, and the space after it. */
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
    throw error("a string does not end");
  }

  /** The name of a node, with those of the nodes around it, and the space after it. */
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
