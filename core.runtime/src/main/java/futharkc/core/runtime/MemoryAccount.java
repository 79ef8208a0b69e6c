package futharkc.core.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of blocks. Those of large blocks, and of blocks of the thread that runs a call,
 * at once; helpers in parallel regions, which may make and release small blocks in loops, count
 * small ones by themselves and hand on what has come together: if all took one lock, they would do
 * little else. So a peak may be off by {@link #HANDED_ON} for each helper; between calls, all other
 * figures are exact.
 */
final class MemoryAccount {
  /** How many bytes a helper counts by itself at most. */
  private static final long HANDED_ON = 16 << 10;

  private final List<Batch> batches = new ArrayList<>();
  private long allocated;
  private long freed;
  private long peak;
  private long allocations;

  /** What a helper has counted and not handed on. Others read it when the helper does nothing. */
  static final class Batch {
    private final MemoryAccount owner;
    private long allocated;
    private long freed;
    private long allocations;

    Batch(MemoryAccount owner) {
      this.owner = owner;
    }
  }

  /** Counts a block that has been made. */
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

  /** Counts a block that has been released. */
  void free(long bytes, boolean small) {
    Batch batch = small ? batch() : null;
    if (batch == null) {
      count(0, bytes, 0);
    } else {
      batch.freed += bytes;
      handOnIfMuch(batch);
    }
  }

  /** The current thread's own batch, if it is a helper. */
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

  /** Between calls: says how many bytes are live. */
  synchronized void setLive(long bytes) {
    handOnAll();
    freed = allocated - bytes;
  }

  /** Between calls: lets the peak start again from what is live now. */
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
