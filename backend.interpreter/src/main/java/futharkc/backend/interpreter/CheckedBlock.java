package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A block of an imperative program. It knows which elements have a value, whether it was released,
 * and who accessed each element last.
 */
final class CheckedBlock {
  private final String name;
  private final PrimType elem;
  private final Store store;
  private final byte @Nullable [] bytes;
  private final Map<PrimType, Store> views = new EnumMap<>(PrimType.class);

  /** What this is a part of, from the so-many-th byte on; null if it is a block of its own. */
  private @Nullable CheckedBlock whole;

  private int start;
  private final BitSet written = new BitSet();
  private boolean released;
  private boolean pinned;
  private @Nullable String fixed;
  private @Nullable Accessor @Nullable [] writers;
  private Accessor.@Nullable Readers @Nullable [] readers;

  private CheckedBlock(String name, PrimType elem, Store store, byte @Nullable [] bytes) {
    this.name = name;
    this.elem = elem;
    this.store = store;
    this.bytes = bytes;
  }

  /** A block of bytes without values, in which elements of several types may be. */
  static CheckedBlock bytes(String name, long size) {
    byte[] bytes = new byte[Limits.length((Math.max(0, size) + 7) & -8, 1)];
    CheckedBlock b = new CheckedBlock(name, PrimType.I8, new Store.View(PrimType.I8, bytes), bytes);
    // What is there besides may be compared and set with what is asked for.
    b.written.set((int) Math.max(0, size), bytes.length);
    return b;
  }

  /** A part of a block of bytes, to its end. */
  CheckedBlock from(long offset) {
    byte[] all = bytes;
    if (all == null || offset < 0 || offset > all.length - start) {
      throw new Fault("a part of " + this + ", from byte " + offset + " on");
    }
    CheckedBlock part = new CheckedBlock(name, elem, store, all);
    part.whole = whole == null ? this : whole;
    part.start = start + (int) offset;
    return part;
  }

  /** A block of bytes that holds elements. */
  static CheckedBlock bytes(String name, PrimType elem, Store elements) {
    CheckedBlock b = bytes(name, Math.multiplyExact(elements.size(), (long) elem.bytes()));
    Store view = b.view(elem);
    for (int i = 0; i < elements.size(); i++) view.set(i, elements.get(i));
    b.written.set(0, (int) b.length());
    return b;
  }

  /** A block whose elements have no values. */
  static CheckedBlock allocate(String name, PrimType elem, long size) {
    return new CheckedBlock(name, elem, Store.scratch(elem, Math.max(0, size)), null);
  }

  /** A block of these elements. */
  static CheckedBlock of(String name, PrimType elem, Store elements) {
    CheckedBlock b = new CheckedBlock(name, elem, elements, null);
    b.written.set(0, Math.toIntExact(elements.size()));
    return b;
  }

  /** The block, which nobody may write to or release. */
  CheckedBlock fixed(String why) {
    fixed = why;
    return this;
  }

  long length() {
    return store.size();
  }

  @Override
  public String toString() {
    return name + ", a block of " + length() + " " + elem;
  }

  // Elements

  /** Reads an element; says so in the execution if it has no value. */
  long read(long i, Execution x) {
    return read(elem, i, x);
  }

  /** Reads an element of a type, which is the block's unless that is bytes. */
  long read(PrimType type, long i, Execution x) {
    CheckedBlock all = whole;
    if (all != null) return all.read(type, inWhole(type, i), x);
    int at = at(type, i, "read");
    for (int k = at; k < at + units(type); k++) {
      noteRead(k, x.access);
      if (!written.get(k)) x.undefined = new Undefined(this, i);
    }
    return view(type).get((int) i);
  }

  /**
   * Writes an element.
   *
   * @param undefined why the value is none; null if it is one
   */
  void write(long i, long value, @Nullable Undefined undefined, Execution x) {
    write(elem, i, value, undefined, x);
  }

  /** Writes an element of a type, which is the block's unless that is bytes. */
  void write(PrimType type, long i, long value, @Nullable Undefined undefined, Execution x) {
    CheckedBlock all = whole;
    if (all != null) {
      all.write(type, inWhole(type, i), value, undefined, x);
      return;
    }
    int at = at(type, i, "written");
    if (fixed != null) throw new Fault("element " + i + " of " + this + ", is written: " + fixed);
    Store view = view(type);
    boolean same = undefined == null && view.get((int) i) == value;
    for (int k = at; k < at + units(type); k++) {
      noteWrite(k, same && written.get(k), x.access);
      written.set(k, undefined == null);
    }
    view.set((int) i, value);
  }

  /** The number of an element of a part in the whole. */
  private long inWhole(PrimType type, long i) {
    int size = Math.max(1, type.bytes());
    if (start % size != 0) throw new Fault("an element of " + type + " in the middle of another");
    if (i < 0) throw new Fault("element " + i + " of a part of " + this + ", is used");
    return i + start / size;
  }

  /** How many units, of which the block knows who accessed them, an element is. */
  private int units(PrimType type) {
    return bytes == null ? 1 : type.bytes();
  }

  /** The first unit of an element that is accessed. */
  private int at(PrimType type, long i, String what) {
    if (bytes == null) {
      if (type != elem) throw new Fault("an element of " + type + " of " + this + ", is " + what);
      check(i, what);
      return (int) i;
    }
    if (released) throw new Fault(this + ", is " + what + " after it was released");
    if (i < 0 || i >= bytes.length / Math.max(1, type.bytes())) {
      throw new Fault("element " + i + " of " + this + ", as " + type + ", is " + what);
    }
    return (int) i * type.bytes();
  }

  private Store view(PrimType type) {
    byte[] all = bytes;
    if (all == null) return store;
    return views.computeIfAbsent(type, t -> new Store.View(t, all));
  }

  /** Whether an element has a value. */
  boolean isWritten(int i) {
    return written.get(i);
  }

  /** A run of elements that is accessed. */
  void checkRun(long at, long count, String what) {
    checkRun(elem, at, count, what);
  }

  /** A run of elements of a type, which is the block's unless that is bytes. */
  void checkRun(PrimType type, long at, long count, String what) {
    if (released) throw new Fault(this + ", is " + what + " after it was released");
    long length = bytes == null ? length() : bytes.length / Math.max(1, type.bytes());
    if (count < 0 || at < 0 || at > length - count) {
      throw new Fault(count + " elements from " + at + " on of " + this + ", are " + what);
    }
  }

  private void check(long i, String what) {
    if (released) throw new Fault(this + ", is " + what + " after it was released");
    if (i < 0 || i >= length()) throw new Fault("element " + i + " of " + this + ", is " + what);
  }

  private void noteRead(int i, Accessor by) {
    if (by == Accessor.ALONE) return;
    @Nullable Accessor writer = writers == null ? null : writers[i];
    if (writer != null && !by.isOrderedAfter(writer)) throw race(i, "reads", "writes", by);
    Accessor.@Nullable Readers[] all = readers;
    if (all == null) all = readers = new Accessor.@Nullable Readers[(int) length()];
    Accessor.Readers before = all[i];
    all[i] = before == null ? by.only : before.and(by);
  }

  /** Chunks may write the same value: it does not matter which of them is last. */
  private void noteWrite(int i, boolean same, Accessor by) {
    if (by == Accessor.ALONE) return;
    @Nullable Accessor[] all = writers;
    if (all == null) all = writers = new @Nullable Accessor[(int) length()];
    Accessor writer = all[i];
    if (!same) {
      if (writer != null && !by.isOrderedAfter(writer)) throw race(i, "writes", "writes", by);
      Accessor.Readers before = readers == null ? null : readers[i];
      for (Accessor.Readers r = before; r != null; r = r.rest()) {
        if (!by.isOrderedAfter(r.first())) throw race(i, "writes", "reads", by);
      }
      if (readers != null) readers[i] = null;
    }
    all[i] = by;
  }

  private Fault race(int i, String one, String other, Accessor by) {
    return new Fault(
        "a race: one "
            + (by.isThread() ? "thread " : "chunk ")
            + one
            + " element "
            + i
            + " of "
            + this
            + ", another "
            + other);
  }

  // The whole

  /** Releases the block; returns whether it is gone now. */
  boolean release() {
    if (length() == 0 || pinned) return false;
    if (released) throw new Fault(this + ", is released twice");
    if (fixed != null) throw new Fault(this + ", is released: " + fixed);
    released = true;
    return true;
  }

  /** Keeps the block from being released. */
  void pin() {
    if (released) throw new Fault(this + ", is pinned after it was released");
    pinned = true;
  }

  boolean isPinned() {
    return pinned;
  }
}
