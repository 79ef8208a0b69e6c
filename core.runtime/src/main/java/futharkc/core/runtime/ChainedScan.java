package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A scan in one pass over memory. Its tasks are workers: each takes the next chunk, reduces it,
 * waits for what comes before it, passes on what comes before the next one, and scans the chunk,
 * which is still in its cache.
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
   * A scan over a range that is cut into chunks of nearly equal size.
   *
   * @param n length of the range
   * @param chunks number of chunks
   */
  protected ChainedScan(Context ctx, long n, int chunks) {
    super(ctx, Math.min(chunks, ctx.threads()));
    this.n = n;
    this.chunks = chunks;
  }

  /** Reduces the chunk. */
  protected abstract void reduce(int chunk, long from, long to);

  /**
   * From what comes before the chunk and its reduction, computes what comes before the next chunk.
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
        if (!runChunk(c)) {
          return;
        }
      } catch (RuntimeException | Error e) {
        fail(c, e);
        return;
      }
    }
  }

  /** Runs a chunk; whether what comes before it was to be had. */
  @SuppressWarnings("ThreadPriorityCheck") // Yielding is only a hint: it naps after that.
  private boolean runChunk(int c) {
    long from = Parallel.chunkStart(n, chunks, c);
    long to = Parallel.chunkStart(n, chunks, c + 1);
    boolean last = c == chunks - 1;
    if (!last) {
      reduce(c, from, to);
    }
    for (int spins = 0; ready.get() < c; spins++) {
      if (hasFailedBefore(c)) {
        return false;
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
    if (!last) {
      combine(c, from, to);
      ready.set(c + 1);
    }
    scan(c, from, to);
    return true;
  }
}
