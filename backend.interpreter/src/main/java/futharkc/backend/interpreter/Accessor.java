package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/** Who reads and writes: a chunk, perhaps while it holds a lock, or a thread of a GPU. */
final class Accessor {
  /** Outside all parallel regions. */
  static final Accessor ALONE = new Accessor(null, null, false, false, 0);

  private final @Nullable Chunk chunk;
  private final @Nullable BarrierEpoch strand;
  private final boolean atomic;
  private final boolean locked;
  private final long key;

  /** This as the only one of several readers. */
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

  /** The same while it holds the lock of a key. */
  Accessor locked(long key) {
    return new Accessor(chunk, strand, atomic, true, key);
  }

  /** The same by an operation that expects others to do the same. */
  Accessor atomic() {
    return new Accessor(chunk, strand, true, locked, key);
  }

  @Nullable Chunk chunk() {
    return chunk;
  }

  /** Whether it is of a thread of a GPU. */
  boolean isThread() {
    return strand != null;
  }

  /** Whether an earlier one is at an end before this one begins, or keeps it out. */
  boolean isOrderedAfter(Accessor earlier) {
    if (atomic && earlier.atomic) return true;
    if (locked && earlier.locked && key == earlier.key) return true;
    return follows(earlier);
  }

  private boolean follows(Accessor earlier) {
    return Chunk.areOrdered(earlier.chunk, chunk)
        && BarrierEpoch.areOrdered(earlier.strand, strand);
  }

  /** Whether whatever is ordered after this one is ordered after the earlier one, too. */
  private boolean standsFor(Accessor earlier) {
    return (!atomic || earlier.atomic)
        && (!locked || earlier.locked && key == earlier.key)
        && follows(earlier);
  }

  /** Several accesses. */
  record Readers(Accessor first, @Nullable Readers rest) {
    /** These and another one, without those that it stands for. */
    Readers and(Accessor another) {
      if (first == another) return this;
      Readers kept = null;
      for (Readers r = this; r != null; r = r.rest) {
        if (!another.standsFor(r.first)) kept = new Readers(r.first, kept);
      }
      return kept == null ? another.only : new Readers(another, kept);
    }
  }
}
