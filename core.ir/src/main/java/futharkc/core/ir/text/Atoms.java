package futharkc.core.ir.text;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import java.util.List;

/** The text form of names, constants, words and locations. */
final class Atoms {
  private Atoms() {}

  /** Returns a name. Its base is in backticks unless it is a word. */
  static String name(Name n) {
    return isWord(n.base()) || n.base().isEmpty()
        ? n.toString()
        : quote(n.base(), '`') + "_" + n.tag();
  }

  /** Returns a constant. */
  static String value(PrimValue v) {
    boolean oddNaN =
        v.type().isFloat()
            && Double.isNaN(v.asDouble())
            && !v.equals(PrimValue.ofFloat(v.type(), Double.NaN));
    return oddNaN ? v.type() + ".nan(\"" + Long.toHexString(v.bits()) + "\")" : v.toString();
  }

  /** Returns a word, such as a function name, or a string literal if the text is not a word. */
  static String word(String s) {
    return isWord(s) && !losesDigits(s) ? s : string(s);
  }

  /** Tests whether parsing the text as a name would lose digits. */
  private static boolean losesDigits(String s) {
    int split = Lexer.nameSplit(s);
    if (split < 0) {
      return false;
    }
    String digits = s.substring(split + 1);
    return digits.length() > 9 || digits.length() > 1 && digits.startsWith("0");
  }

  static String string(String s) {
    return quote(s, '"');
  }

  private static String quote(String s, char quote) {
    StringBuilder out = new StringBuilder().append(quote);
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\\' -> out.append("\\\\");
        default -> {
          if (c == quote) {
            out.append('\\').append(c);
          } else if (c < ' ' || c > '~') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append(quote).toString();
  }

  private static boolean isWord(String s) {
    return !s.isEmpty()
        && Lexer.isWordStart(s.charAt(0))
        && s.chars().allMatch(c -> Lexer.isWordPart((char) c));
  }

  /** Returns a location: {@code "file.fut":3:5-9}. */
  static String loc(Loc l) {
    String start = string(l.file()) + ":" + l.line() + ":" + l.column() + "-";
    return l.line() == l.endLine()
        ? start + l.endColumn()
        : start + l.endLine() + ":" + l.endColumn();
  }

  /** Returns a primitive type of an entry point. */
  static String external(PrimType t, boolean unsigned) {
    if (!unsigned) {
      return t.toString();
    }
    return t.isInt() ? "u" + t.bits() : "unsigned " + t;
  }

  static String permutation(List<Integer> perm) {
    return "(" + String.join(", ", perm.stream().map(String::valueOf).toList()) + ")";
  }
}
