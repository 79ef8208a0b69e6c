package futharkc.harness.testing;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression in a test block. It is a POSIX extended regular expression that matches
 * anywhere in a text; its dot also matches line breaks.
 */
public final class TextPattern {
  private final String source;
  private final Pattern pattern;

  /**
   * Parses a pattern.
   *
   * @throws PatternSyntaxException if the text is not a regular expression
   */
  public TextPattern(String source) {
    this.source = source;
    this.pattern = Pattern.compile(toJava(source), Pattern.DOTALL);
  }

  /**
   * Translates a POSIX regular expression to Java. The translation escapes literal braces, and
   * brackets and {@code &&} in bracket expressions, and renames character classes.
   */
  private static String toJava(String posix) {
    StringBuilder java = new StringBuilder();
    int n = posix.length();
    for (int i = 0; i < n; i++) {
      char c = posix.charAt(i);
      if (c == '\\' && i + 1 < n) {
        char escaped = posix.charAt(++i);
        if (Character.isLetterOrDigit(escaped) && "wWsSdDbBn".indexOf(escaped) < 0) {
          java.append(escaped);
        } else {
          java.append('\\').append(escaped);
        }
      } else if (c == '[') {
        i = bracket(posix, i, java);
      } else if (c == '{' && !isRepetition(posix, i) || c == '}' && !endsRepetition(posix, i)) {
        java.append('\\').append(c);
      } else {
        java.append(c);
      }
    }
    return java.toString();
  }

  private static boolean isRepetition(String posix, int open) {
    int close = posix.indexOf('}', open);
    return open > 0 && close > open && posix.substring(open + 1, close).matches("\\d+(,\\d*)?");
  }

  private static boolean endsRepetition(String posix, int close) {
    int open = posix.lastIndexOf('{', close);
    return open >= 0 && isRepetition(posix, open) && posix.indexOf('}', open) == close;
  }

  /**
   * Translates a bracket expression and returns the index after it. A lone bracket is a literal.
   */
  private static int bracket(String posix, int open, StringBuilder java) {
    int i = open + 1;
    StringBuilder set = new StringBuilder("[");
    if (i < posix.length() && posix.charAt(i) == '^') {
      set.append('^');
      i++;
    }
    boolean first = true;
    for (; i < posix.length(); i++, first = false) {
      char c = posix.charAt(i);
      if (c == ']' && !first) {
        java.append(set).append(']');
        return i;
      }
      if (c == '[' && posix.startsWith("[:", i) && posix.indexOf(":]", i) > 0) {
        int end = posix.indexOf(":]", i);
        set.append("\\p{").append(className(posix.substring(i + 2, end))).append('}');
        i = end + 1;
      } else if ("[]&\\^".indexOf(c) >= 0) {
        set.append('\\').append(c);
      } else {
        set.append(c);
      }
    }
    java.append("\\[");
    return open;
  }

  private static String className(String posix) {
    return posix.equals("xdigit")
        ? "XDigit"
        : Character.toUpperCase(posix.charAt(0)) + posix.substring(1);
  }

  /** Tests whether the pattern matches somewhere in a text. */
  public boolean occursIn(String text) {
    return pattern.matcher(text).find();
  }

  /** Returns the pattern as written. */
  @Override
  public String toString() {
    return source;
  }
}
