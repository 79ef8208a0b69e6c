package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A scan in one pass over memory. Its tasks are workers: each takes the next chunk, reduces it,
 * waits for what comes before it, and scans the chunk, which is still in its cache.
 *
 * <p>What comes before a chunk is there as soon as all chunks before it are reduced: whoever
 * reduces the last of them combines for all whose chunks have been reduced meanwhile. So one who
 * sleeps, or has no processor, once his chunk is reduced holds up nobody. (If each combined for the
 * next one, all would wait for a chain of threads that wake each other.)
 *
 * <p>Chunks are taken in order, whoever comes first: a worker waits only for chunks that have been
 * taken by threads that run, never for a task that nobody has begun. (A stream's tasks begin in any
 * order, and one thread may come to run them all.)
 */
public abstract non-sealed class ChainedScan extends Region {
  /** How often to look before others may have the processor. */
  private static final int MAX_SPINS = 2000;

  /** How often to offer it to others before sleeping: who is waited for may have to share it. */
  private static final int MAX_YIELDS = 100;

  /** How many nanoseconds to sleep between two looks then. */
  private static final long NAP = 50_000;

  private final long n;
  private final int chunks;
  private final AtomicInteger next = new AtomicInteger();

  /** For how many chunks it is known what comes before them, but for the first; only ever grows. */
  private final AtomicInteger ready = new AtomicInteger();

  /**
   * Of the chunks that are taken and not combined, which are reduced: one more than their numbers,
   * at the remainders of these. They follow each other, and a worker has one of them, but for the
   * one of the first, which may have taken the next.
   */
  private final AtomicIntegerArray reduced;

  /** Whether a thread combines; for good once that has failed. */
  private final AtomicBoolean combining = new AtomicBoolean();

  /**
   * A scan over a range that is cut into chunks of nearly equal size.
   *
   * @param n length of the range
   * @param chunks number of chunks
   */
  protected ChainedScan(Context ctx, long n, int chunks) {
    super(ctx, Math.min(chunks, ctx.threads()));
    this.n = n;
    this.chunks = chunks;
    this.reduced = new AtomicIntegerArray(Math.min(chunks, ctx.threads()) + 1);
  }

  /** Reduces the chunk. */
  protected abstract void reduce(int chunk, long from, long to);

  /**
   * From what comes before the chunk and its reduction, computes what comes before the next chunk;
   * called by any worker.
   */
  protected abstract void combine(int chunk, long from, long to);

  /** Scans the chunk, from what comes before it. */
  protected abstract void scan(int chunk, long from, long to);

  @Override
  final void run(int worker) {
    for (int c = next.getAndIncrement(); c < chunks; c = next.getAndIncrement()) {
      if (hasFailedBefore(c)) {
        return;
      }
      try {
        context().checkCancelled();
        runChunk(c);
      } catch (RuntimeException | Error e) {
        fail(c, e);
      }
    }
  }

  /** Runs a chunk, unless an earlier one fails. */
  @SuppressWarnings("ThreadPriorityCheck") // Yielding is only a hint: it naps after that.
  private void runChunk(int c) {
    if (c < chunks - 1) {
      reduce(c, start(c), start(c + 1));
      reduced.set(c % reduced.length(), c + 1);
      combineAll();
    }
    for (int spins = 0; ready.get() < c; spins++) {
      if (hasFailedBefore(c)) {
        return;
      }
      context().checkCancelled();
      if (spins < MAX_SPINS) {
        Thread.onSpinWait();
      } else if (spins < MAX_SPINS + MAX_YIELDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(this, NAP);
      }
    }
    scan(c, start(c), start(c + 1));
  }

  private long start(int chunk) {
    return Parallel.chunkStart(n, chunks, chunk);
  }

  /** Combines as long as the next chunk is reduced, unless another thread does. */
  private void combineAll() {
    // Who reduces a chunk while another thread combines leaves it to that one, which looks again.
    while (isReduced(ready.get()) && combining.compareAndSet(false, true)) {
      for (int c = ready.get(); isReduced(c); c++) {
        try {
          combine(c, start(c), start(c + 1));
        } catch (RuntimeException | Error e) {
          fail(c, e);
          return;
        }
        ready.set(c + 1);
      }
      combining.set(false);
    }
  }

  private boolean isReduced(int chunk) {
    return reduced.get(chunk % reduced.length()) == chunk + 1;
  }
}
