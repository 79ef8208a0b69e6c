package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parser of lists of passes: {@code [+|-] name [{option=value, ...}]}, separated by commas. A
 * value may be in double quotes; a backslash escapes a quote or a backslash.
 */
final class PassListParser {
  /**
   * An entry of a list.
   *
   * @param sign {@code '+'}, {@code '-'}, or a space
   */
  record Item(char sign, PassRequest request) {}

  private final String text;
  private int pos;

  private PassListParser(String text) {
    this.text = text;
  }

  /**
   * Returns all entries, in order.
   *
   * @throws PlanException if the text is malformed
   */
  static List<Item> parse(String text) {
    return new PassListParser(text).items();
  }

  private List<Item> items() {
    List<Item> items = new ArrayList<>();
    skipSpaces();
    if (pos == text.length()) {
      return items;
    }
    do {
      skipSpaces();
      char sign = peek() == '+' || peek() == '-' ? text.charAt(pos++) : ' ';
      String name = word("the name of a pass");
      items.add(new Item(sign, new PassRequest(name, options())));
      skipSpaces();
    } while (accept(','));
    if (pos < text.length()) {
      throw malformed("a comma");
    }
    return items;
  }

  private Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    skipSpaces();
    if (!accept('{')) {
      return options;
    }
    skipSpaces();
    if (accept('}')) {
      return options;
    }
    do {
      skipSpaces();
      String key = word("the name of an option");
      skipSpaces();
      // An option without a value means true.
      String value = accept('=') ? value() : "true";
      if (options.putIfAbsent(key, value) != null) {
        throw new PlanException("The option " + key + " is given twice in: " + text);
      }
      skipSpaces();
    } while (accept(','));
    if (!accept('}')) {
      throw malformed("a comma or a closing brace");
    }
    return options;
  }

  private String value() {
    skipSpaces();
    if (!accept('"')) {
      int start = pos;
      while (pos < text.length() && ",}".indexOf(text.charAt(pos)) < 0) {
        pos++;
      }
      return text.substring(start, pos).strip();
    }
    StringBuilder value = new StringBuilder();
    while (!accept('"')) {
      accept('\\');
      if (pos == text.length()) {
        throw malformed("a closing quote");
      }
      value.append(text.charAt(pos++));
    }
    return value.toString();
  }

  private String word(String what) {
    int start = pos;
    while (pos < text.length() && isWordPart(text.charAt(pos), pos > start)) {
      pos++;
    }
    if (pos == start) {
      throw malformed(what);
    }
    return text.substring(start, pos);
  }

  private static boolean isWordPart(char c, boolean inner) {
    return Character.isLetterOrDigit(c) || c == '_' || inner && (c == '-' || c == '.' || c == '/');
  }

  private char peek() {
    return pos < text.length() ? text.charAt(pos) : '\0';
  }

  private boolean accept(char c) {
    if (peek() != c) {
      return false;
    }
    pos++;
    return true;
  }

  private void skipSpaces() {
    while (pos < text.length() && Character.isWhitespace(text.charAt(pos))) {
      pos++;
    }
  }

  private PlanException malformed(String expected) {
    String found = pos < text.length() ? "'" + text.charAt(pos) + "'" : "the end";
    return new PlanException(
        "Expected "
            + expected
            + " but found "
            + found
            + " at character "
            + (pos + 1)
            + " of: "
            + text);
  }
}
