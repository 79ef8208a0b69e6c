package futharkc.core.codegen;

import futharkc.core.ir.Name;

/** A mapping from names of the intermediate representation to identifiers of Java and C. */
public final class Identifiers {
  private Identifiers() {}

  /** Returns the identifier of a variable: its base and its unique tag. */
  public static String name(Name n) {
    return word(n.base()) + "_" + n.tag();
  }

  /**
   * Returns the text with each character that identifiers may not contain replaced by {@code x};
   * the result is never empty.
   */
  public static String word(String text) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean ok =
          c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' && i > 0;
      s.append(ok ? c : 'x');
    }
    return s.isEmpty() ? "v" : s.toString();
  }
}
