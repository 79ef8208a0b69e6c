package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A block of an imperative program. It knows which elements have a value, whether it was released,
 * and who accessed each element last.
 */
final class CheckedBlock {
  private final String name;
  private final PrimType elem;
  private final Store store;
  private final BitSet written = new BitSet();
  private boolean released;
  private boolean pinned;
  private @Nullable String fixed;
  private @Nullable Access @Nullable [] writers;
  private Access.@Nullable Readers @Nullable [] readers;

  private CheckedBlock(String name, PrimType elem, Store store) {
    this.name = name;
    this.elem = elem;
    this.store = store;
  }

  /** A block whose elements have no values. */
  static CheckedBlock allocate(String name, PrimType elem, long size) {
    return new CheckedBlock(name, elem, Store.scratch(elem, Math.max(0, size)));
  }

  /** A block of these elements. */
  static CheckedBlock of(String name, PrimType elem, Store elements) {
    CheckedBlock b = new CheckedBlock(name, elem, elements);
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
    check(i, "read");
    int k = (int) i;
    noteRead(k, x.access);
    if (!written.get(k)) x.undefined = new Undefined(this, i);
    return store.get(k);
  }

  /**
   * Writes an element.
   *
   * @param undefined why the value is none; null if it is one
   */
  void write(long i, long value, @Nullable Undefined undefined, Execution x) {
    check(i, "written");
    if (fixed != null) throw new Fault("element " + i + " of " + this + ", is written: " + fixed);
    int k = (int) i;
    boolean same = undefined == null && written.get(k) && store.get(k) == value;
    noteWrite(k, same, x.access);
    written.set(k, undefined == null);
    store.set(k, value);
  }

  /** Whether an element has a value. */
  boolean isWritten(int i) {
    return written.get(i);
  }

  /** A run of elements that is accessed. */
  void checkRun(long at, long count, String what) {
    if (released) throw new Fault(this + ", is " + what + " after it was released");
    if (count < 0 || at < 0 || at > length() - count) {
      throw new Fault(count + " elements from " + at + " on of " + this + ", are " + what);
    }
  }

  private void check(long i, String what) {
    if (released) throw new Fault(this + ", is " + what + " after it was released");
    if (i < 0 || i >= length()) throw new Fault("element " + i + " of " + this + ", is " + what);
  }

  private void noteRead(int i, Access by) {
    if (by == Access.ALONE) return;
    @Nullable Access writer = writers == null ? null : writers[i];
    if (writer != null && !by.isOrderedAfter(writer)) throw race(i, "reads", "writes");
    Access.@Nullable Readers[] all = readers;
    if (all == null) all = readers = new Access.@Nullable Readers[(int) length()];
    Access.Readers before = all[i];
    all[i] = before == null ? by.only : before.and(by);
  }

  /** Chunks may write the same value: it does not matter which of them is last. */
  private void noteWrite(int i, boolean same, Access by) {
    if (by == Access.ALONE) return;
    @Nullable Access[] all = writers;
    if (all == null) all = writers = new @Nullable Access[(int) length()];
    Access writer = all[i];
    if (!same) {
      if (writer != null && !by.isOrderedAfter(writer)) throw race(i, "writes", "writes");
      Access.Readers before = readers == null ? null : readers[i];
      for (Access.Readers r = before; r != null; r = r.rest()) {
        if (!by.isOrderedAfter(r.first())) throw race(i, "writes", "reads");
      }
      if (readers != null) readers[i] = null;
    }
    all[i] = by;
  }

  private Fault race(int i, String one, String other) {
    return new Fault(
        "a race: one chunk " + one + " element " + i + " of " + this + ", another " + other);
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
