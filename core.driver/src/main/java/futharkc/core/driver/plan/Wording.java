package futharkc.core.driver.plan;

import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;

/** Phrases of messages. */
public final class Wording {
  private Wording() {}

  /** Returns the items, separated by commas. */
  public static String list(Collection<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  /** Returns the message for an unknown name of a pass. */
  static String unknownPass(String name, Collection<String> known) {
    return unknown("pass", name, known);
  }

  /**
   * Returns the message for an unknown name, with the most similar known name as a suggestion.
   *
   * @param kind the kind of thing that the name should denote, such as {@code command}
   */
  public static String unknown(String kind, String name, Collection<String> known) {
    String close =
        known.stream()
            .filter(k -> distance(k, name) <= Math.max(1, name.length() / 3))
            .min(Comparator.comparingInt((String k) -> distance(k, name)).thenComparing(k -> k))
            .map(k -> " Did you mean " + k + "?")
            .orElse("");
    String all = known.isEmpty() ? " There are none." : " There are: " + list(known) + ".";
    return "There is no " + kind + " " + name + "." + (close.isEmpty() ? all : close);
  }

  /** Returns the edit distance of two words. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
