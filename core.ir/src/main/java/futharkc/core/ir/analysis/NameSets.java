package futharkc.core.ir.analysis;

import futharkc.core.ir.NameSet;
import java.util.Arrays;

/**
 * A sequence of name sets with a query for sets in a range that contain given names: a segment tree
 * whose inner nodes hold the unions of their children.
 */
public final class NameSets {
  private int leaves;
  private NameSet[] unions;

  /** Makes a sequence of {@code size} empty sets, which grows on demand. */
  public NameSets(int size) {
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * size - 1)));
    this.unions = new NameSet[2 * leaves];
    Arrays.fill(unions, NameSet.of());
  }

  /** Adds names to the set at a position. */
  public void add(int at, NameSet names) {
    while (at >= leaves) {
      grow();
    }
    for (int i = leaves + at; i > 0; i /= 2) {
      NameSet more = unions[i].union(names);
      if (more == unions[i]) {
        return;
      }
      unions[i] = more;
    }
  }

  private void grow() {
    NameSet[] more = new NameSet[2 * unions.length];
    Arrays.fill(more, NameSet.of());
    more[1] = unions[1];
    for (int row = 1; row <= leaves; row *= 2) {
      System.arraycopy(unions, row, more, 2 * row, row);
    }
    leaves *= 2;
    unions = more;
  }

  /**
   * Returns the position of the first set, at or after {@code from}, that contains any of the
   * names, or -1.
   */
  public int first(NameSet names, int from) {
    if (from >= leaves) {
      return -1;
    }
    int i = leaves + from;
    while (!unions[i].meets(names)) {
      while (i % 2 == 1) {
        i /= 2;
      }
      if (i == 0) {
        return -1;
      }
      i++;
    }
    while (i < leaves) {
      i = unions[2 * i].meets(names) ? 2 * i : 2 * i + 1;
    }
    return i - leaves;
  }

  /** Tests whether a set at a position in {@code [from, to)} contains any of the names. */
  public boolean meet(NameSet names, int from, int to) {
    int right = leaves + Math.min(to, leaves);
    for (int left = leaves + from; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1 && unions[left++].meets(names)) {
        return true;
      }
      if (right % 2 == 1 && unions[--right].meets(names)) {
        return true;
      }
    }
    return false;
  }
}
