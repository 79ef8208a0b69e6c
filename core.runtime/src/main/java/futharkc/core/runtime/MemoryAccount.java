package futharkc.core.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A counter of the bytes in blocks. Large blocks, and all blocks of the thread that runs a call,
 * are counted at once. Helper threads in parallel regions may create small blocks in loops; each
 * helper counts its own in a batch, since a common lock would be a bottleneck. The peak may
 * therefore be wrong by {@link #HANDED_ON} bytes for each helper. Between calls all other figures
 * are exact.
 */
final class MemoryAccount {
  /** The largest size of a batch, in bytes. */
  private static final long HANDED_ON = 16 << 10;

  private final List<Batch> batches = new ArrayList<>();
  private long allocated;
  private long freed;
  private long peak;
  private long allocations;

  /**
   * The bytes that one helper has counted since it last added its batch to the totals. Other
   * threads read the batch while the helper is idle.
   */
  static final class Batch {
    private final MemoryAccount owner;
    private long allocated;
    private long freed;
    private long allocations;

    Batch(MemoryAccount owner) {
      this.owner = owner;
    }
  }

  /** Counts a new block. */
  void allocate(long bytes, boolean small) {
    Batch batch = small ? batch() : null;
    if (batch == null) {
      count(bytes, 0, 1);
    } else {
      batch.allocated += bytes;
      batch.allocations++;
      handOnIfMuch(batch);
    }
  }

  /** Counts a released block. */
  void free(long bytes, boolean small) {
    Batch batch = small ? batch() : null;
    if (batch == null) {
      count(0, bytes, 0);
    } else {
      batch.freed += bytes;
      handOnIfMuch(batch);
    }
  }

  /** Returns the current thread's batch; null if the thread is not a helper. */
  private @Nullable Batch batch() {
    if (!(Thread.currentThread() instanceof Worker worker) || worker.place == 0) {
      return null;
    }
    Batch batch = worker.batch;
    if (batch == null) {
      batch = new Batch(this);
      worker.batch = batch;
      synchronized (this) {
        batches.add(batch);
      }
    }
    return batch.owner == this ? batch : null;
  }

  private void handOnIfMuch(Batch batch) {
    if (Math.abs(batch.allocated - batch.freed) > HANDED_ON) {
      handOn(batch);
    }
  }

  private void handOn(Batch batch) {
    count(batch.allocated, batch.freed, batch.allocations);
    batch.allocated = 0;
    batch.freed = 0;
    batch.allocations = 0;
  }

  private synchronized void count(long more, long less, long blocks) {
    allocated += more;
    freed += less;
    allocations += blocks;
    peak = Math.max(peak, allocated - freed);
  }

  private synchronized void handOnAll() {
    batches.forEach(this::handOn);
  }

  /** Sets the number of live bytes; called between calls. */
  synchronized void setLive(long bytes) {
    handOnAll();
    freed = allocated - bytes;
  }

  /** Resets the peak to the current use; called between calls. */
  synchronized void resetPeak() {
    handOnAll();
    peak = allocated - freed;
  }

  synchronized long live() {
    return allocated() - freed();
  }

  synchronized long allocated() {
    long sum = allocated;
    for (Batch b : batches) {
      sum += b.allocated;
    }
    return sum;
  }

  synchronized long freed() {
    long sum = freed;
    for (Batch b : batches) {
      sum += b.freed;
    }
    return sum;
  }

  synchronized long allocations() {
    long sum = allocations;
    for (Batch b : batches) {
      sum += b.allocations;
    }
    return sum;
  }

  synchronized long peak() {
    return Math.max(peak, live());
  }
}
