package futharkc.core.codegen;

import futharkc.core.ir.Name;

/** Names of the intermediate representation as identifiers of Java and C. */
public final class Identifiers {
  private Identifiers() {}

  /** A variable: its base and its tag, which makes it unique. */
  public static String name(Name n) {
    return word(n.base()) + "_" + n.tag();
  }

  /** The text with what identifiers may not contain replaced by {@code x}; never empty. */
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
