package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/** Who reads and writes: a chunk, perhaps while it holds a lock, or a thread of a GPU. */
final class Access {
  /** Outside all parallel regions. */
  static final Access ALONE = new Access(null, null, false, false, 0);

  private final @Nullable Chunk chunk;
  private final @Nullable Strand strand;
  private final boolean atomic;
  private final boolean locked;
  private final long key;

  /** This as the only one of several readers. */
  final Readers only = new Readers(this, null);

  private Access(
      @Nullable Chunk chunk, @Nullable Strand strand, boolean atomic, boolean locked, long key) {
    this.chunk = chunk;
    this.strand = strand;
    this.atomic = atomic;
    this.locked = locked;
    this.key = key;
  }

  static Access of(Chunk chunk) {
    return new Access(chunk, null, false, false, 0);
  }

  static Access of(Strand strand) {
    return new Access(null, strand, false, false, 0);
  }

  /** The same while it holds the lock of a key. */
  Access locked(long key) {
    return new Access(chunk, strand, atomic, true, key);
  }

  /** The same by an operation that expects others to do the same. */
  Access atomic() {
    return new Access(chunk, strand, true, locked, key);
  }

  @Nullable Chunk chunk() {
    return chunk;
  }

  /** Whether it is of a thread of a GPU. */
  boolean isThread() {
    return strand != null;
  }

  /** Whether an earlier one is at an end before this one begins, or keeps it out. */
  boolean isOrderedAfter(Access earlier) {
    if (atomic && earlier.atomic) return true;
    if (locked && earlier.locked && key == earlier.key) return true;
    return follows(earlier);
  }

  private boolean follows(Access earlier) {
    return Chunk.areOrdered(earlier.chunk, chunk) && Strand.areOrdered(earlier.strand, strand);
  }

  /** Whether whatever is ordered after this one is ordered after the earlier one, too. */
  private boolean standsFor(Access earlier) {
    return (!atomic || earlier.atomic)
        && (!locked || earlier.locked && key == earlier.key)
        && follows(earlier);
  }

  /** Several accesses. */
  record Readers(Access first, @Nullable Readers rest) {
    /** These and another one, without those that it stands for. */
    Readers and(Access another) {
      if (first == another) return this;
      Readers kept = null;
      for (Readers r = this; r != null; r = r.rest) {
        if (!another.standsFor(r.first)) kept = new Readers(r.first, kept);
      }
      return kept == null ? another.only : new Readers(another, kept);
    }
  }
}
