package futharkc.core.ir.text;

import java.util.ArrayList;
import java.util.List;

/** A lexer. Comments extend from {@code --} to the end of the line. */
final class Lexer {
  private static final List<String> LONG_PUNCTUATION = List.of("->", ":+");

  private final String source;
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String source, String text) {
    this.source = source;
    this.text = text;
  }

  /**
   * Returns all tokens, of which the last marks the end.
   *
   * @param source the name of the text in error messages
   */
  static List<Token> tokens(String source, String text, int from) {
    Lexer l = new Lexer(source, text);
    l.at = from;
    while (l.next()) {}
    l.add(Token.Kind.END, "", 0, text.length());
    return l.tokens;
  }

  /** Returns an error at an offset. */
  static ParseException error(String source, String text, int offset, String message) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < offset && i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new ParseException(source, line, offset - lineStart + 1, message);
  }

  /** Reads one token or gap. Returns false at the end. */
  private boolean next() {
    if (at >= text.length()) {
      return false;
    }
    char c = text.charAt(at);
    if (Character.isWhitespace(c)) {
      at++;
    } else if (text.startsWith("--", at)) {
      int end = text.indexOf('\n', at);
      at = end < 0 ? text.length() : end;
    } else if (isDigit(c) || c == '-' && isDigit(peek(1))) {
      number();
    } else if (isWordStart(c)) {
      word();
    } else if (c == '"') {
      int start = at;
      add(Token.Kind.STRING, quoted('"'), 0, start);
    } else if (c == '`') {
      quotedName();
    } else {
      punctuation(c);
    }
    return true;
  }

  private void number() {
    int start = at++;
    digits();
    if (peek(0) == '.' && isDigit(peek(1))) {
      at++;
      digits();
    }
    if ((peek(0) == 'e' || peek(0) == 'E')
        && (isDigit(peek(1)) || (peek(1) == '-' || peek(1) == '+') && isDigit(peek(2)))) {
      at += 2;
      digits();
    }
    while (Character.isLetterOrDigit(peek(0))) {
      at++;
    }
    add(Token.Kind.NUMBER, text.substring(start, at), 0, start);
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  private void word() {
    int start = at;
    while (isWordPart(peek(0))) {
      at++;
    }
    String word = text.substring(start, at);
    int split = nameSplit(word);
    if (split < 0) {
      add(Token.Kind.IDENT, word, 0, start);
    } else {
      add(Token.Kind.NAME, word.substring(0, split), tag(word.substring(split + 1), start), start);
    }
  }

  private void quotedName() {
    int start = at;
    String base = quoted('`');
    if (peek(0) != '_' || !isDigit(peek(1))) {
      throw error(at, "expected '_' and a number after a quoted name");
    }
    int digits = ++at;
    digits();
    add(Token.Kind.NAME, base, tag(text.substring(digits, at), start), start);
  }

  private int tag(String digits, int start) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw error(start, "the number of a name must be below 2147483648");
    }
  }

  /**
   * Returns the position of the underscore before the number if the word is a name, otherwise -1.
   */
  static int nameSplit(String word) {
    int i = word.length();
    while (i > 0 && isDigit(word.charAt(i - 1))) {
      i--;
    }
    return i < word.length() && i > 0 && word.charAt(i - 1) == '_' ? i - 1 : -1;
  }

  private String quoted(char quote) {
    int start = at++;
    StringBuilder s = new StringBuilder();
    while (true) {
      if (at >= text.length() || text.charAt(at) == '\n') {
        throw error(start, "no closing " + quote);
      }
      char c = text.charAt(at++);
      if (c == quote) {
        return s.toString();
      }
      s.append(c == '\\' ? escape() : c);
    }
  }

  private char escape() {
    char c = at < text.length() ? text.charAt(at++) : ' ';
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '"', '\\', '`' -> c;
      case 'u' -> {
        try {
          int code = Integer.parseInt(text, at, at + 4, 16);
          at += 4;
          yield (char) code;
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
          throw error(at, "expected four hexadecimal digits");
        }
      }
      default -> throw error(at - 1, "unknown escape '\\" + c + "'");
    };
  }

  private void punctuation(char c) {
    for (String p : LONG_PUNCTUATION) {
      if (text.startsWith(p, at)) {
        add(Token.Kind.PUNCTUATION, p, 0, at);
        at += p.length();
        return;
      }
    }
    if ("(){}[]<>=,:;.+-*/\\@#".indexOf(c) < 0) {
      throw error(at, "unexpected character '" + c + "'");
    }
    add(Token.Kind.PUNCTUATION, String.valueOf(c), 0, at);
    at++;
  }

  private void add(Token.Kind kind, String s, int tag, int start) {
    tokens.add(new Token(kind, s, tag, start));
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
  }

  private ParseException error(int offset, String message) {
    return error(source, text, offset, message);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isWordStart(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  static boolean isWordPart(char c) {
    return isWordStart(c) || isDigit(c) || c == '\'';
  }
}
