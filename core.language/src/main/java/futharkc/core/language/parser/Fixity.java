package futharkc.core.language.parser;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * How tightly an infix operator binds.
 *
 * @param level larger binds tighter
 * @param rightAssociative operators of one level all associate in the same direction
 */
record Fixity(int level, boolean rightAssociative) {
  /** A name in backticks. */
  static final Fixity NAME = new Fixity(1, false);

  /** Record and array updates: {@code e with path = v}. */
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

  /** Of a symbolic operator: that of the longest built-in operator that it starts with. */
  static Fixity of(String operator) {
    for (String prefix : LONGEST_FIRST) {
      if (operator.startsWith(prefix)) return BUILT_IN.getOrDefault(prefix, NAME);
    }
    return NAME;
  }

  /** Whether in {@code a op1 b op2 c}, with this of the first operator, b belongs to the first. */
  boolean holdsAgainst(Fixity next) {
    return level > next.level || level == next.level && !rightAssociative;
  }
}
