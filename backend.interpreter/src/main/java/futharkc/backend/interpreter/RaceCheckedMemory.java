package futharkc.backend.interpreter;

import java.util.BitSet;

/**
 * Memory that knows who accessed which element last, and finds threads that do so in no order, and
 * reads of what nobody has written.
 */
final class RaceCheckedMemory extends Store {
  /** Who accessed which cell last; an element has one or more cells. */
  static final class Shadow {
    private final int[] writer;
    private final int[] reader;
    private final BitSet written = new BitSet();

    /** Of cells that nobody has written to. */
    Shadow(int cells) {
      this.writer = new int[cells];
      this.reader = new int[cells];
    }
  }

  private final Store of;
  private final Device device;
  private final Shadow shadow;
  private final int cells;

  /** Memory that nobody has written to. */
  RaceCheckedMemory(Store of, Device device) {
    this(of, device, new Shadow(Math.toIntExact(of.size())), 1);
  }

  /**
   * Memory for elements.
   *
   * @param cells how many an element has
   */
  RaceCheckedMemory(Store of, Device device, Shadow shadow, int cells) {
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
    if (!isWritten(i)) throw new Fault("element " + i + " is read, but was never written");
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
        if (device.areUnordered(shadow.reader[c], device.strand())) throw mixed(i);
      }
      shadow.writer[c] = device.strand();
    }
    shadow.written.set(i * cells, (i + 1) * cells);
    of.set(i, v);
  }

  /** Copies, and what was never written stays so. */
  @Override
  void copy(int to, Store given, int at, int count) {
    Store from = given instanceof Tagged t ? t.read(at, count) : given;
    boolean up = from.base() != base() || to <= at;
    for (int n = 0; n < count; n++) {
      int k = up ? n : count - 1 - n;
      if (!(from instanceof RaceCheckedMemory w)) {
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
    return new RaceCheckedMemory(of.like(size), device);
  }

  /** The memory itself, of which nobody knows anything any more. */
  Store unwatched() {
    return of;
  }
}
