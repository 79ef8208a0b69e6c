package futharkc.tools.lsp;

/**
 * A map between the offsets of two texts that differ in one range. Offsets within the range have no
 * counterpart.
 */
final class PositionMap {
  private final int prefix;
  private final int fromLength;
  private final int toLength;
  private final int suffix;

  PositionMap(String from, String to) {
    fromLength = from.length();
    toLength = to.length();
    int most = Math.min(fromLength, toLength);
    int same = 0;
    while (same < most && from.charAt(same) == to.charAt(same)) {
      same++;
    }
    prefix = same;
    int end = 0;
    while (end < most - prefix
        && from.charAt(fromLength - 1 - end) == to.charAt(toLength - 1 - end)) {
      end++;
    }
    suffix = end;
  }

  /** Tests whether both texts are the same. */
  boolean isIdentity() {
    return prefix == fromLength && prefix == toLength;
  }

  /** Returns the offset in the second text, or -1. */
  int map(int offset) {
    if (offset <= prefix) {
      return offset;
    }
    return offset >= fromLength - suffix ? offset + toLength - fromLength : -1;
  }

  /** Returns the offset in the first text, or -1. */
  int inverse(int offset) {
    if (offset <= prefix) {
      return offset;
    }
    return offset >= toLength - suffix ? offset + fromLength - toLength : -1;
  }

  /** Returns an offset in the first text close to an offset in the second text. */
  int closest(int offset) {
    int exact = inverse(offset);
    return exact >= 0 ? exact : Math.min(offset, fromLength - suffix);
  }
}
