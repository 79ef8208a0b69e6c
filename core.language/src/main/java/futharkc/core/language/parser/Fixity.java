package futharkc.core.language.parser;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The precedence and associativity of an infix operator.
 *
 * @param level the precedence; a larger level binds tighter
 * @param rightAssociative the associativity, the same for all operators of a level
 */
record Fixity(int level, boolean rightAssociative) {
  /** The fixity of a name in backticks. */
  static final Fixity NAME = new Fixity(1, false);

  /** The fixity of record and array updates: {@code e with path = v}. */
  static final Fixity WITH = new Fixity(2, false);

  private static final Map<String, Fixity> BUILT_IN =
      Map.ofEntries(
          Map.entry("|>", new Fixity(3, false)),
          Map.entry("<|", new Fixity(4, true)),
          Map.entry("||", new Fixity(5, false)),
          Map.entry("&&", new Fixity(6, false)),
          Map.entry("==", new Fixity(7, false)),
          Map.entry("!=", new Fixity(7, false)),
          Map.entry("<", new Fixity(7, false)),
          Map.entry("<=", new Fixity(7, false)),
          Map.entry(">", new Fixity(7, false)),
          Map.entry(">=", new Fixity(7, false)),
          Map.entry("=", new Fixity(7, false)),
          Map.entry("!", new Fixity(7, false)),
          Map.entry("&", new Fixity(8, false)),
          Map.entry("^", new Fixity(8, false)),
          Map.entry("|", new Fixity(8, false)),
          Map.entry("<<", new Fixity(9, false)),
          Map.entry(">>", new Fixity(9, false)),
          Map.entry("+", new Fixity(10, false)),
          Map.entry("-", new Fixity(10, false)),
          Map.entry("*", new Fixity(11, false)),
          Map.entry("/", new Fixity(11, false)),
          Map.entry("%", new Fixity(11, false)),
          Map.entry("//", new Fixity(11, false)),
          Map.entry("%%", new Fixity(11, false)),
          Map.entry("**", new Fixity(12, false)));

  private static final List<String> LONGEST_FIRST =
      BUILT_IN.keySet().stream().sorted(Comparator.comparing(String::length).reversed()).toList();

  /**
   * Returns the fixity of a symbolic operator, which is that of the longest built-in operator that
   * is a prefix of it.
   */
  static Fixity of(String operator) {
    for (String prefix : LONGEST_FIRST) {
      if (operator.startsWith(prefix)) {
        return BUILT_IN.getOrDefault(prefix, NAME);
      }
    }
    return NAME;
  }

  /**
   * Returns the fixity of a symbolic operator with the names of its modules, such as {@code M.+}.
   */
  static Fixity ofQualified(String operator) {
    int start = 0;
    while (Character.isLetter(operator.charAt(start)) || operator.charAt(start) == '_') {
      start = operator.indexOf('.', start) + 1;
    }
    return of(operator.substring(start));
  }

  /**
   * Tests whether in {@code a op1 b op2 c} the operand {@code b} belongs to {@code op1}, whose
   * fixity this is.
   *
   * @param next the fixity of {@code op2}
   */
  boolean holdsAgainst(Fixity next) {
    return level > next.level || level == next.level && !rightAssociative;
  }
}
