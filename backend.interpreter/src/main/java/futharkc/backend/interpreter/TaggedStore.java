package futharkc.backend.interpreter;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A store that detects the overwriting of live arrays. For each element of one array it knows the
 * write that gave the element its value, and the last write to the element's memory. If these
 * differ, another array was put into the same memory too early. Reading the element is then an
 * error, even if the value is right by chance.
 */
final class TaggedStore extends Store {
  /**
   * The writes to a block: the number of the last write of each cell. An element occupies one or
   * more cells.
   */
  static final class Writes {
    private final long[] last;
    private final BlockUsage.@Nullable Use use;
    private long count;

    /** Creates the record of a block without writes. */
    Writes(int cells, BlockUsage.@Nullable Use use) {
      this.last = new long[cells];
      this.use = use;
    }

    private void access() {
      if (use != null) {
        use.access();
      }
    }
  }

  private final Store of;
  private final Writes writes;
  private final int cells;
  private final String array;
  private final Map<Integer, Long> elements = new HashMap<>();

  /**
   * Creates the memory of a new array.
   *
   * @param of the memory
   * @param writes the writes to the block
   * @param cells the number of cells of an element
   * @param array the name of the array
   */
  TaggedStore(Store of, Writes writes, int cells, String array) {
    this.of = of;
    this.writes = writes;
    this.cells = cells;
    this.array = array;
  }

  /** Treats all elements of an array in this memory as written. */
  void adopt(long offset, long[] shape, long[] strides) {
    for (long[] at : Indices.of(shape)) {
      long i = offset;
      for (int d = 0; d < at.length; d++) {
        i += at[d] * strides[d];
      }
      if (i >= 0 && i < size()) {
        write((int) i);
      }
    }
  }

  private void write(int i) {
    writes.access();
    long number = ++writes.count;
    for (int c = i * cells; c < (i + 1) * cells; c++) {
      writes.last[c] = number;
    }
    elements.put(i, number);
  }

  private void read(int i) {
    writes.access();
    Long number = elements.get(i);
    if (number == null) {
      return;
    }
    for (int c = i * cells; c < (i + 1) * cells; c++) {
      if (writes.last[c] != number) {
        throw new Fault(array + " is read at " + i + " of its block, but was overwritten there");
      }
    }
  }

  /** Returns the memory without checks, after a read of consecutive elements. */
  Store read(int at, int count) {
    for (int k = 0; k < count; k++) {
      read(at + k);
    }
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

  /**
   * Copies elements. Copies of elements that were never written count as never written. A copy of
   * an element onto itself is not a new write.
   */
  @Override
  void copy(int to, Store from, int at, int count) {
    boolean stays = from.base() == base() && to == at;
    Long[] numbers = new Long[count];
    if (from instanceof TaggedStore t) {
      for (int k = 0; k < count; k++) {
        numbers[k] = t.elements.get(at + k);
      }
    }
    Store source = from instanceof TaggedStore t ? t.read(at, count) : from;
    if (!stays) {
      of.copy(to, source, at, count);
    }
    for (int k = 0; k < count; k++) {
      boolean known = numbers[k] != null || !(from instanceof TaggedStore);
      if (!stays || !(from instanceof TaggedStore)) {
        write(to + k);
      } else if (known) {
        elements.put(to + k, numbers[k]);
      }
      if (!known) {
        elements.remove(to + k);
      }
    }
  }

  @Override
  Store like(long size) {
    return of.like(size);
  }
}
