package futharkc.core.language.check;

/** A comparison of spellings, for suggestions. */
final class Spelling {
  private Spelling() {}

  /**
   * Tests whether one name becomes the other by changing, adding or removing one letter, or two
   * letters in long names.
   */
  static boolean isNear(String a, String b) {
    int allowed = Math.min(a.length(), b.length()) >= 6 ? 2 : 1;
    if (Math.min(a.length(), b.length()) < 3 || Math.abs(a.length() - b.length()) > allowed) {
      return false;
    }
    return distance(a, b) <= allowed;
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), diagonal + change);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
