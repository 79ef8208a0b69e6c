package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/** Who reads and writes: a chunk, perhaps while it holds a lock. */
final class Access {
  /** Outside all parallel regions. */
  static final Access ALONE = new Access(null, false, 0);

  private final @Nullable Chunk chunk;
  private final boolean locked;
  private final long key;

  /** This as the only one of several readers. */
  final Readers only = new Readers(this, null);

  private Access(@Nullable Chunk chunk, boolean locked, long key) {
    this.chunk = chunk;
    this.locked = locked;
    this.key = key;
  }

  static Access of(Chunk chunk) {
    return new Access(chunk, false, 0);
  }

  /** The same while it holds the lock of a key. */
  Access locked(long key) {
    return new Access(chunk, true, key);
  }

  @Nullable Chunk chunk() {
    return chunk;
  }

  /** Whether an earlier one is at an end before this one begins, or keeps it out. */
  boolean isOrderedAfter(Access earlier) {
    if (locked && earlier.locked && key == earlier.key) return true;
    return Chunk.areOrdered(earlier.chunk, chunk);
  }

  /** Whether whatever is ordered after this one is ordered after the earlier one, too. */
  private boolean standsFor(Access earlier) {
    return (!locked || earlier.locked && key == earlier.key)
        && Chunk.areOrdered(earlier.chunk, chunk);
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
