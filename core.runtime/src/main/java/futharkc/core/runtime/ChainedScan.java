package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A scan in one pass over memory. The tasks are workers: each takes the next chunk, reduces it,
 * waits for the prefix of all earlier chunks, and scans the chunk while it is in the cache.
 *
 * <p>A worker that has reduced a chunk combines the reductions of all chunks whose predecessors are
 * complete. A suspended worker therefore delays no other worker once its chunk is reduced. If each
 * worker combined for the next chunk only, a chain of suspended threads would delay all workers.
 *
 * <p>Workers take chunks in ascending order, independent of the order in which tasks start. A
 * worker waits only for chunks that running threads have taken, never for a task that has not
 * started. (A stream starts its elements in any order, and one thread may run several of them.)
 */
public abstract non-sealed class ChainedScan extends Region {
  /** The number of checks of the prefix before a waiting worker yields its processor. */
  private static final int MAX_SPINS = 2000;

  /**
   * The number of yields before a waiting worker sleeps; the thread for which the worker waits may
   * need the processor.
   */
  private static final int MAX_YIELDS = 100;

  /** The sleep between two checks of the prefix, in nanoseconds. */
  private static final long SLEEP_NANOS = 50_000;

  private final long n;
  private final int chunks;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * The number of leading chunks that have been combined: the prefixes of all chunks up to this
   * number are known.
   */
  private final AtomicInteger ready = new AtomicInteger();

  /**
   * The chunks that are reduced but not combined, in a ring: the entry at {@code c % length} is
   * {@code c + 1} if chunk {@code c} is reduced. At most one chunk for each worker, and one more,
   * is in this state.
   */
  private final AtomicIntegerArray reduced;

  /** True while a thread combines, and forever after a combination has failed. */
  private final AtomicBoolean combining = new AtomicBoolean();

  /**
   * Creates a scan over a range that is divided into chunks of nearly equal size.
   *
   * @param ctx the context of the running call
   * @param n the length of the range
   * @param chunks the number of chunks
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
   * Computes the prefix of the next chunk from the prefix and the reduction of this chunk. Any
   * worker may call this method.
   */
  protected abstract void combine(int chunk, long from, long to);

  /** Scans the chunk, starting from its prefix. */
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

  /** Runs a chunk unless an earlier chunk fails. */
  @SuppressWarnings(
      "ThreadPriorityCheck") // Yielding is only a hint; the thread sleeps if it does not help.
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
        LockSupport.parkNanos(this, SLEEP_NANOS);
      }
    }
    scan(c, start(c), start(c + 1));
  }

  private long start(int chunk) {
    return Parallel.chunkStart(n, chunks, chunk);
  }

  /** Combines chunks while the next one is reduced, unless another thread combines. */
  private void combineAll() {
    // A worker leaves its chunk to a thread that is combining; that thread checks again.
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
