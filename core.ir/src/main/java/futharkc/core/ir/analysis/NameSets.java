package futharkc.core.ir.analysis;

import futharkc.core.ir.NameSet;
import java.util.Arrays;

/**
 * Sets of names in a row, all empty at first, and whether any in a range of them has names of
 * another: a segment tree, in which each node has the union of those below.
 */
public final class NameSets {
  private int leaves;
  private NameSet[] unions;

  /** With room for as many sets; for more, as they come, room is made. */
  public NameSets(int size) {
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * size - 1)));
    this.unions = new NameSet[2 * leaves];
    Arrays.fill(unions, NameSet.of());
  }

  /** Adds names to a set. */
  public void add(int at, NameSet names) {
    while (at >= leaves) grow();
    for (int i = leaves + at; i > 0; i /= 2) {
      NameSet more = unions[i].union(names);
      if (more == unions[i]) return;
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

  /** The first of the sets, from one on, that has any of these names; -1 if none has. */
  public int first(NameSet names, int from) {
    if (from >= leaves) return -1;
    int i = leaves + from;
    while (!unions[i].meets(names)) {
      while (i % 2 == 1) i /= 2;
      if (i == 0) return -1;
      i++;
    }
    while (i < leaves) i = unions[2 * i].meets(names) ? 2 * i : 2 * i + 1;
    return i - leaves;
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
