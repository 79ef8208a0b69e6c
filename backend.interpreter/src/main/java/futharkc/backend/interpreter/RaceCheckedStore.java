package futharkc.backend.interpreter;

import java.util.BitSet;

/**
 * A store that records the strand of the last access to each element. It detects races between
 * threads and reads of elements that were never written.
 */
final class RaceCheckedStore extends Store {
  /** The last accesses to the cells of a block. An element occupies one or more cells. */
  static final class Shadow {
    private final int[] writer;
    private final int[] reader;
    private final BitSet written = new BitSet();

    /** Creates cells without accesses. */
    Shadow(int cells) {
      this.writer = new int[cells];
      this.reader = new int[cells];
    }
  }

  private final Store of;
  private final DeviceState device;
  private final Shadow shadow;
  private final int cells;

  /** Creates a store whose elements were never written. */
  RaceCheckedStore(Store of, DeviceState device) {
    this(of, device, new Shadow(Math.toIntExact(of.size())), 1);
  }

  /**
   * Creates a store over elements of a block.
   *
   * @param cells the number of cells of an element
   */
  RaceCheckedStore(Store of, DeviceState device, Shadow shadow, int cells) {
    this.of = of;
    this.device = device;
    this.shadow = shadow;
    this.cells = cells;
  }

  @Override
  Object base() {
    return of.base();
  }

  @Override
  long size() {
    return of.size();
  }

  private boolean isWritten(int i) {
    return shadow.written.nextClearBit(i * cells) >= (i + 1) * cells;
  }

  @Override
  long get(int i) {
    if (!isWritten(i)) {
      throw new Fault("element " + i + " is read, but was never written");
    }
    for (int c = i * cells; c < (i + 1) * cells; c++) {
      if (!device.isAtomic() && device.areUnordered(shadow.writer[c], device.strand())) {
        throw mixed(i);
      }
      shadow.reader[c] = device.strand();
    }
    return of.get(i);
  }

  private static Fault mixed(int i) {
    return new Fault("a race: one thread reads element " + i + ", another writes it");
  }

  @Override
  void set(int i, long v) {
    boolean same = isWritten(i) && of.get(i) == v;
    for (int c = i * cells; c < (i + 1) * cells; c++) {
      if (!device.isAtomic() && !same) {
        if (device.areUnordered(shadow.writer[c], device.strand())) {
          throw new Fault("a race: two threads write element " + i);
        }
        if (device.areUnordered(shadow.reader[c], device.strand())) {
          throw mixed(i);
        }
      }
      shadow.writer[c] = device.strand();
    }
    shadow.written.set(i * cells, (i + 1) * cells);
    of.set(i, v);
  }

  /** Copies elements. Copies of elements that were never written count as never written. */
  @Override
  void copy(int to, Store given, int at, int count) {
    Store from = given instanceof TaggedStore t ? t.read(at, count) : given;
    boolean up = from.base() != base() || to <= at;
    for (int n = 0; n < count; n++) {
      int k = up ? n : count - 1 - n;
      if (!(from instanceof RaceCheckedStore w)) {
        set(to + k, from.get(at + k));
      } else if (w.isWritten(at + k)) {
        set(to + k, w.get(at + k));
      } else {
        of.set(to + k, w.of.get(at + k));
        shadow.written.clear((to + k) * cells, (to + k + 1) * cells);
      }
    }
  }

  @Override
  Store like(long size) {
    return new RaceCheckedStore(of.like(size), device);
  }

  /** Returns the memory without checks. */
  Store unwatched() {
    return of;
  }
}
