package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A block of an imperative program that checks accesses. The block records which elements have a
 * value, whether the block was released, and who accessed each element last.
 */
final class CheckedBlock {
  private final String name;
  private final PrimType elem;
  private final Store store;
  private final byte @Nullable [] bytes;
  private final Map<PrimType, Store> views = new EnumMap<>(PrimType.class);

  /**
   * The block that contains this one from byte {@link #start} on; null if this one is not contained
   * in another block.
   */
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

  /** Returns a block of bytes without values, which can hold elements of several types. */
  static CheckedBlock bytes(String name, long size) {
    byte[] bytes = new byte[Limits.length((Math.max(0, size) + 7) & -8, 1)];
    CheckedBlock b =
        new CheckedBlock(name, PrimType.I8, new Store.ByteView(PrimType.I8, bytes), bytes);
    // The padding has values, since a compare-and-set of a wider word may read it.
    b.written.set((int) Math.max(0, size), bytes.length);
    return b;
  }

  /**
   * Returns the rest of a block of bytes from an offset on. The rest shares the bytes with this
   * block.
   */
  CheckedBlock from(long offset) {
    byte[] all = bytes;
    if (all == null || offset < 0 || offset > all.length - start) {
      throw new Fault("byte " + offset + " is outside " + this);
    }
    CheckedBlock part = new CheckedBlock(name, elem, store, all);
    part.whole = whole == null ? this : whole;
    part.start = start + (int) offset;
    return part;
  }

  /** Returns a block of bytes that holds the given elements. */
  static CheckedBlock bytes(String name, PrimType elem, Store elements) {
    CheckedBlock b = bytes(name, Math.multiplyExact(elements.size(), (long) elem.bytes()));
    Store view = b.view(elem);
    for (int i = 0; i < elements.size(); i++) {
      view.set(i, elements.get(i));
    }
    b.written.set(0, (int) b.length());
    return b;
  }

  /** Returns a block whose elements have no values. */
  static CheckedBlock allocate(String name, PrimType elem, long size) {
    return new CheckedBlock(name, elem, Store.scratch(elem, Math.max(0, size)), null);
  }

  /** Returns a block with the given elements. */
  static CheckedBlock of(String name, PrimType elem, Store elements) {
    CheckedBlock b = new CheckedBlock(name, elem, elements, null);
    b.written.set(0, Math.toIntExact(elements.size()));
    return b;
  }

  /**
   * Forbids writing and releasing this block.
   *
   * @param why the reason, for the message
   * @return this block
   */
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

  // Accesses to elements

  /** Reads an element. If the element has no value, the execution records that. */
  long read(long i, Execution x) {
    return read(elem, i, x);
  }

  /**
   * Reads an element of a type. The type must be the block's element type unless the block consists
   * of bytes.
   */
  long read(PrimType type, long i, Execution x) {
    CheckedBlock all = whole;
    if (all != null) {
      return all.read(type, inWhole(type, i), x);
    }
    int at = at(type, i, "read");
    for (int k = at; k < at + units(type); k++) {
      noteRead(k, x.access);
      if (!written.get(k)) {
        x.undefined = new Undefined(this, i);
      }
    }
    return view(type).get((int) i);
  }

  /** Tests whether an element of a type is outside the block. */
  boolean isOutside(PrimType type, long i) {
    long length = bytes == null ? length() : bytes.length / Math.max(1, type.bytes());
    return whole == null && !released && (i < 0 || i >= length);
  }

  /** Reads an element of a type, as {@link #read}. An element outside the block has no value. */
  long requested(PrimType type, long i, Execution x) {
    if (isOutside(type, i)) {
      x.undefined = Undefined.OUTSIDE;
      return 0;
    }
    return read(type, i, x);
  }

  /**
   * Writes an element.
   *
   * @param undefined the reason why the written scalar has no value; null if it has one
   */
  void write(long i, long value, @Nullable Undefined undefined, Execution x) {
    write(elem, i, value, undefined, x);
  }

  /**
   * Writes an element of a type. The type must be the block's element type unless the block
   * consists of bytes.
   */
  void write(PrimType type, long i, long value, @Nullable Undefined undefined, Execution x) {
    CheckedBlock all = whole;
    if (all != null) {
      all.write(type, inWhole(type, i), value, undefined, x);
      return;
    }
    int at = at(type, i, "written");
    if (fixed != null) {
      throw new Fault("element " + i + " of " + this + ", is written: " + fixed);
    }
    Store view = view(type);
    boolean same = undefined == null && view.get((int) i) == value;
    for (int k = at; k < at + units(type); k++) {
      noteWrite(k, same && written.get(k), x.access);
      written.set(k, undefined == null);
    }
    view.set((int) i, value);
  }

  /** Returns the index, in the containing block, of an element of this block. */
  private long inWhole(PrimType type, long i) {
    int size = Math.max(1, type.bytes());
    if (start % size != 0) {
      throw new Fault("an element of " + type + " in the middle of another");
    }
    if (i < 0) {
      throw new Fault("element " + i + " of a part of " + this + ", is used");
    }
    return i + start / size;
  }

  /**
   * Returns the number of units that an element occupies. A unit is a byte in a block of bytes, and
   * an element otherwise; accesses are recorded by unit.
   */
  private int units(PrimType type) {
    return bytes == null ? 1 : type.bytes();
  }

  /** Checks an access and returns the first unit of the element. */
  private int at(PrimType type, long i, String what) {
    if (bytes == null) {
      if (type != elem) {
        throw new Fault("an element of " + type + " of " + this + ", is " + what);
      }
      check(i, what);
      return (int) i;
    }
    if (released) {
      throw new Fault(this + ", is " + what + " after it was released");
    }
    if (i < 0 || i >= bytes.length / Math.max(1, type.bytes())) {
      throw new Fault("element " + i + " of " + this + ", as " + type + ", is " + what);
    }
    return (int) i * type.bytes();
  }

  private Store view(PrimType type) {
    byte[] all = bytes;
    if (all == null) {
      return store;
    }
    return views.computeIfAbsent(type, t -> new Store.ByteView(t, all));
  }

  /** Tests whether an element has a value. */
  boolean isWritten(int i) {
    return written.get(i);
  }

  /** Checks an access to consecutive elements. */
  void checkRun(long at, long count, String what) {
    checkRun(elem, at, count, what);
  }

  /**
   * Checks an access to consecutive elements of a type. The type must be the block's element type
   * unless the block consists of bytes.
   */
  void checkRun(PrimType type, long at, long count, String what) {
    if (released) {
      throw new Fault(this + ", is " + what + " after it was released");
    }
    long length = bytes == null ? length() : bytes.length / Math.max(1, type.bytes());
    if (count < 0 || at < 0 || at > length - count) {
      throw new Fault(count + " elements from " + at + " on of " + this + ", are " + what);
    }
  }

  private void check(long i, String what) {
    if (released) {
      throw new Fault(this + ", is " + what + " after it was released");
    }
    if (i < 0 || i >= length()) {
      throw new Fault("element " + i + " of " + this + ", is " + what);
    }
  }

  private void noteRead(int i, Accessor by) {
    if (by == Accessor.ALONE) {
      return;
    }
    @Nullable Accessor writer = writers == null ? null : writers[i];
    if (writer != null && !by.isOrderedAfter(writer)) {
      throw race(i, "reads", "writes", by);
    }
    Accessor.@Nullable Readers[] all = readers;
    if (all == null) {
      all = readers = new Accessor.@Nullable Readers[(int) length()];
    }
    Accessor.Readers before = all[i];
    all[i] = before == null ? by.only : before.and(by);
  }

  /**
   * Records a write. Unordered chunks may write the same value, since their order does not change
   * the result.
   */
  private void noteWrite(int i, boolean same, Accessor by) {
    if (by == Accessor.ALONE) {
      return;
    }
    @Nullable Accessor[] all = writers;
    if (all == null) {
      all = writers = new @Nullable Accessor[(int) length()];
    }
    Accessor writer = all[i];
    if (!same) {
      if (writer != null && !by.isOrderedAfter(writer)) {
        throw race(i, "writes", "writes", by);
      }
      Accessor.Readers before = readers == null ? null : readers[i];
      for (Accessor.Readers r = before; r != null; r = r.rest()) {
        if (!by.isOrderedAfter(r.first())) {
          throw race(i, "writes", "reads", by);
        }
      }
      if (readers != null) {
        readers[i] = null;
      }
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

  // Release and pinning

  /**
   * Releases the block. Empty and pinned blocks stay alive.
   *
   * @return true if the block was alive and is released now
   */
  boolean release() {
    if (length() == 0 || pinned) {
      return false;
    }
    if (released) {
      throw new Fault(this + ", is released twice");
    }
    if (fixed != null) {
      throw new Fault(this + ", is released: " + fixed);
    }
    released = true;
    return true;
  }

  /** Prevents the release of the block. */
  void pin() {
    if (released) {
      throw new Fault(this + ", is pinned after it was released");
    }
    pinned = true;
  }

  boolean isPinned() {
    return pinned;
  }
}
