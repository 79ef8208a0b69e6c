package futharkc.core.ir.analysis;

import futharkc.core.ir.NameSet;
import java.util.Arrays;

/**
 * Sets of names in a row, at first empty, and whether any in a range of them has names of another:
 * a segment tree, in which each node has the union of those below.
 */
public final class NameSets {
  private final int leaves;
  private final NameSet[] unions;

  /** As many sets. */
  public NameSets(int size) {
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * size - 1)));
    this.unions = new NameSet[2 * leaves];
    Arrays.fill(unions, NameSet.of());
  }

  /** Adds names to a set. */
  public void add(int at, NameSet names) {
    for (int i = leaves + at; i > 0; i /= 2) {
      NameSet more = unions[i].union(names);
      if (more == unions[i]) return;
      unions[i] = more;
    }
  }

  /**
   * Whether a set has any of these names.
   *
   * @param from the first of the sets
   * @param to where they end: the first that is not meant
   */
  public boolean meet(NameSet names, int from, int to) {
    int right = leaves + Math.min(to, leaves);
    for (int left = leaves + from; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1 && unions[left++].meets(names)) return true;
      if (right % 2 == 1 && unions[--right].meets(names)) return true;
    }
    return false;
  }
}
