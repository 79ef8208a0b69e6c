package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The code that accesses an element: a chunk of a parallel region, which may hold a lock, or a
 * thread of a GPU.
 */
final class Accessor {
  /** The accessor of code outside all parallel regions and kernels. */
  static final Accessor ALONE = new Accessor(null, null, false, false, 0);

  private final @Nullable Chunk chunk;
  private final @Nullable BarrierEpoch strand;
  private final boolean atomic;
  private final boolean locked;
  private final long key;

  /** A list of readers that contains only this accessor. */
  final Readers only = new Readers(this, null);

  private Accessor(
      @Nullable Chunk chunk,
      @Nullable BarrierEpoch strand,
      boolean atomic,
      boolean locked,
      long key) {
    this.chunk = chunk;
    this.strand = strand;
    this.atomic = atomic;
    this.locked = locked;
    this.key = key;
  }

  static Accessor of(Chunk chunk) {
    return new Accessor(chunk, null, false, false, 0);
  }

  static Accessor of(BarrierEpoch strand) {
    return new Accessor(null, strand, false, false, 0);
  }

  /** Returns this accessor while it holds the lock of a key. */
  Accessor locked(long key) {
    return new Accessor(chunk, strand, atomic, true, key);
  }

  /**
   * Returns this accessor during an atomic operation, which may run at the same time as other
   * atomic operations.
   */
  Accessor atomic() {
    return new Accessor(chunk, strand, true, locked, key);
  }

  @Nullable Chunk chunk() {
    return chunk;
  }

  /** Tests whether the accessor is a thread of a GPU. */
  boolean isThread() {
    return strand != null;
  }

  /**
   * Tests whether an earlier accessor has ended before this one begins, or excludes this one by a
   * lock or by atomic operations.
   */
  boolean isOrderedAfter(Accessor earlier) {
    if (atomic && earlier.atomic) {
      return true;
    }
    if (locked && earlier.locked && key == earlier.key) {
      return true;
    }
    return follows(earlier);
  }

  private boolean follows(Accessor earlier) {
    return Chunk.areOrdered(earlier.chunk, chunk)
        && BarrierEpoch.areOrdered(earlier.strand, strand);
  }

  /**
   * Tests whether every accessor that is ordered after this one is also ordered after the earlier
   * one. A list of readers then needs only this one.
   */
  private boolean standsFor(Accessor earlier) {
    return (!atomic || earlier.atomic)
        && (!locked || earlier.locked && key == earlier.key)
        && follows(earlier);
  }

  /** A linked list of the readers of one element. */
  record Readers(Accessor first, @Nullable Readers rest) {
    /** Returns this list with another reader, without the readers that the other one replaces. */
    Readers and(Accessor another) {
      if (first == another) {
        return this;
      }
      Readers kept = null;
      for (Readers r = this; r != null; r = r.rest) {
        if (!another.standsFor(r.first)) {
          kept = new Readers(r.first, kept);
        }
      }
      return kept == null ? another.only : new Readers(another, kept);
    }
  }
}
