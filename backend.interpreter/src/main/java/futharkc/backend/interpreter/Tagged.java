package futharkc.backend.interpreter;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory as one array sees it, which knows which write gave each element of the array its value,
 * and which was the last to the place where the element is. Where these are not the same, another
 * array was put over this one while it was still needed, and to read the element is an error, even
 * if the value happens to be right.
 */
final class Tagged extends Store {
  /** The writes to a block: of each cell the number of the last; an element has some cells. */
  static final class Writes {
    private final long[] last;
    private final BlockUses.@Nullable Use use;
    private long count;

    /** To a block that nobody has written to. */
    Writes(int cells, BlockUses.@Nullable Use use) {
      this.last = new long[cells];
      this.use = use;
    }

    private void access() {
      if (use != null) use.access();
    }
  }

  private final Store of;
  private final Writes writes;
  private final int cells;
  private final String array;
  private final Map<Integer, Long> elements = new HashMap<>();

  /**
   * Memory of a new array.
   *
   * @param cells how many an element has
   * @param array its name
   */
  Tagged(Store of, Writes writes, int cells, String array) {
    this.of = of;
    this.writes = writes;
    this.cells = cells;
    this.array = array;
  }

  /** Takes it that all elements of the array, which is here, have been written before. */
  void adopt(long offset, long[] shape, long[] strides) {
    for (long[] at : Indices.of(shape)) {
      long i = offset;
      for (int d = 0; d < at.length; d++) i += at[d] * strides[d];
      if (i >= 0 && i < size()) write((int) i);
    }
  }

  private void write(int i) {
    writes.access();
    long number = ++writes.count;
    for (int c = i * cells; c < (i + 1) * cells; c++) writes.last[c] = number;
    elements.put(i, number);
  }

  private void read(int i) {
    writes.access();
    Long number = elements.get(i);
    if (number == null) return;
    for (int c = i * cells; c < (i + 1) * cells; c++) {
      if (writes.last[c] != number) {
        throw new Fault(array + " is read at " + i + " of its block, but was overwritten there");
      }
    }
  }

  /** The memory itself, after a part has been read. */
  Store read(int at, int count) {
    for (int k = 0; k < count; k++) read(at + k);
    return of;
  }

  @Override
  Object base() {
    return of.base();
  }

  @Override
  long size() {
    return of.size();
  }

  @Override
  long get(int i) {
    read(i);
    return of.get(i);
  }

  @Override
  void set(int i, long v) {
    write(i);
    of.set(i, v);
  }

  /** Copies; what was never written stays so, and what is there already stays the same write. */
  @Override
  void copy(int to, Store from, int at, int count) {
    boolean stays = from.base() == base() && to == at;
    Long[] numbers = new Long[count];
    if (from instanceof Tagged t) {
      for (int k = 0; k < count; k++) numbers[k] = t.elements.get(at + k);
    }
    Store source = from instanceof Tagged t ? t.read(at, count) : from;
    if (!stays) of.copy(to, source, at, count);
    for (int k = 0; k < count; k++) {
      boolean known = numbers[k] != null || !(from instanceof Tagged);
      if (!stays || !(from instanceof Tagged)) write(to + k);
      else if (known) elements.put(to + k, numbers[k]);
      if (!known) elements.remove(to + k);
    }
  }

  @Override
  Store like(long size) {
    return of.like(size);
  }
}
