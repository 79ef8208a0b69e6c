package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Parallel regions: a range cut into chunks, which the context's workers run, the elements of a
 * parallel stream.
 *
 * <p>How a range is cut depends on its length, the grain and the number of threads only, never on
 * timing, so that floating-point results repeat exactly for one number of threads. Regions may
 * nest.
 */
public final class Parallel {
  /** How many chunks a worker gets at most where they need no combining afterwards. */
  private static final int CHUNKS_PER_THREAD = 8;

  /** How many elementary operations are worth a chunk of their own. */
  private static final long WORTH_A_CHUNK = 30_000;

  /** How many elements stay in a cache. */
  private static final long CACHED = 32_768;

  /** How often to look before others may have the processor. */
  private static final int MAX_SPINS = 2000;

  private static final Object[] LOCKS = new Object[1024];

  static {
    for (int i = 0; i < LOCKS.length; i++) {
      LOCKS[i] = new Object();
    }
  }

  private Parallel() {}

  /** The body of a parallel region. */
  @FunctionalInterface
  public interface ChunkBody {
    /**
     * Runs one chunk. Chunks run in any order and at the same time.
     *
     * @param chunk number of the chunk, from 0
     * @param from first index
     * @param to index after the last
     */
    void run(int chunk, long from, long to);
  }

  /**
   * How many chunks to cut a range into where chunks are independent: several for each thread, for
   * balance, but none (but the only one) with less than {@code minGrain} iterations.
   *
   * @param n length of the range
   * @param minGrain least number of iterations that is worth a chunk, at least 1
   * @return at least 1, or 0 if the range is empty
   */
  public static int chunkCount(Context ctx, long n, long minGrain) {
    return chunkCount(ctx, n, minGrain, CHUNKS_PER_THREAD);
  }

  /**
   * As {@link #chunkCount(Context, long, long)}, with at most {@code perThread} chunks for each
   * thread: 1 where each chunk costs (a private histogram, another pass of a scan).
   */
  public static int chunkCount(Context ctx, long n, long minGrain, int perThread) {
    if (n <= 0) {
      return 0;
    }
    if (ctx.threads() == 1) {
      return 1;
    }
    long most = (long) ctx.threads() * perThread;
    return (int) Math.max(1, Math.min(most, n / Math.max(1, minGrain)));
  }

  /**
   * How many chunks to cut a range into, by what an iteration costs.
   *
   * @param n length of the range
   * @param cost of one iteration, in elementary operations
   * @param perThread how many chunks a thread gets at most; 0 for the chunks of {@link #chained},
   *     which are small enough to stay in a cache while they are passed over twice
   */
  public static int chunks(Context ctx, long n, long cost, int perThread) {
    long grain = WORTH_A_CHUNK / Math.max(1, cost) + 1;
    if (perThread > 0 || n <= 0 || ctx.threads() == 1) {
      return chunkCount(ctx, n, grain, perThread);
    }
    if (n < 2 * grain) {
      return 1;
    }
    long size = Math.max(grain, Math.min(CACHED, n / ctx.threads()));
    return (int) Math.min(1 << 20, (n + size - 1) / size);
  }

  /** The first index of a chunk, when a range of length {@code n} is cut into {@code chunks}. */
  public static long chunkStart(long n, int chunks, int chunk) {
    long size = n / chunks;
    return chunk * size + Math.min(chunk, n % chunks);
  }

  /** Runs a body over a range, in {@link #chunkCount(Context, long, long)} chunks. */
  public static void chunks(Context ctx, long n, long minGrain, ChunkBody body) {
    inChunks(ctx, n, chunkCount(ctx, n, minGrain), body);
  }

  /**
   * Runs a body over a range that is cut into a given number of chunks of nearly equal size.
   *
   * <p>If chunks fail, the error is that of the first of them in the order of the range.
   *
   * @param n length of the range
   * @param chunks number of chunks; where there are more than iterations, some are empty
   */
  public static void inChunks(Context ctx, long n, int chunks, ChunkBody body) {
    Team team = ctx.team();
    if (chunks <= 1 || team == null) {
      for (int c = 0; c < chunks; c++) {
        ctx.checkCancelled();
        body.run(c, chunkStart(n, chunks, c), chunkStart(n, chunks, c + 1));
      }
      return;
    }
    team.run(n, chunks, body);
  }

  /** The parts of a chained scan; each is run for each chunk. */
  public interface ChainedBody {
    /** Reduces the chunk. */
    void reduce(int chunk, long from, long to);

    /**
     * From what comes before the chunk and its reduction, computes what comes before the next
     * chunk.
     */
    void combine(int chunk, long from, long to);

    /** Scans the chunk, from what comes before it. */
    void scan(int chunk, long from, long to);
  }

  /**
   * A scan in one pass over memory: each worker takes the next chunk, reduces it, waits for what
   * comes before it, passes on what comes before the next one, and scans the chunk, which is still
   * in its cache.
   */
  public static void chained(Context ctx, long n, int chunks, ChainedBody body) {
    if (chunks <= 1 || ctx.threads() == 1) {
      if (chunks >= 1) {
        ctx.checkCancelled();
        body.scan(0, 0, n);
      }
      return;
    }
    AtomicInteger next = new AtomicInteger();
    AtomicInteger ready = new AtomicInteger();
    inChunks(
        ctx,
        ctx.threads(),
        ctx.threads(),
        (worker, first, last) -> {
          while (true) {
            int c = next.getAndIncrement();
            if (c >= chunks) {
              return;
            }
            long from = chunkStart(n, chunks, c);
            long to = chunkStart(n, chunks, c + 1);
            boolean done = false;
            try {
              if (c < chunks - 1) {
                body.reduce(c, from, to);
              }
              for (int spins = 0; ready.get() < c; spins++) {
                if (spins < MAX_SPINS) {
                  Thread.onSpinWait();
                } else {
                  Thread.yield();
                }
              }
              if (ready.get() > chunks) {
                return;
              }
              if (c < chunks - 1) {
                body.combine(c, from, to);
                ready.set(c + 1);
              }
              done = true;
              body.scan(c, from, to);
            } finally {
              if (!done) {
                ready.set(Integer.MAX_VALUE);
              }
            }
          }
        });
  }

  /** The object to synchronise on for updates with that key. */
  public static Object lock(long key) {
    return LOCKS[(int) (key * 0x9E3779B97F4A7C15L >>> 54)];
  }
}
