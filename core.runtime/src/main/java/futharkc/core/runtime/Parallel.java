package futharkc.core.runtime;

/**
 * The division of ranges of parallel {@linkplain Region regions} into chunks, and locks for shared
 * data.
 *
 * <p>The division depends only on the length of the range, the cost of an iteration and the number
 * of threads. Floating-point results are therefore the same in each run with the same number of
 * threads.
 */
public final class Parallel {
  private static final Object[] LOCKS = new Object[1024];

  static {
    for (int i = 0; i < LOCKS.length; i++) {
      LOCKS[i] = new Object();
    }
  }

  private Parallel() {}

  /**
   * Returns the number of chunks of a range. Each thread gets several chunks, for load balance, but
   * a chunk has at least {@code minGrain} iterations unless it is the only one. If there are more
   * chunks than threads, all threads get the same number.
   *
   * @param ctx the context
   * @param n the length of the range
   * @param minGrain the least number of iterations that is worth a chunk, at least 1
   * @param perThread the largest number of chunks of a thread: 1 if each chunk has a cost of its
   *     own (a private histogram, another pass of a scan)
   * @return at least 1, or 0 if the range is empty
   */
  public static int chunkCount(Context ctx, long n, long minGrain, int perThread) {
    if (n <= 0) {
      return 0;
    }
    if (ctx.threads() == 1) {
      return 1;
    }
    int threads = ctx.threads();
    long chunks = Math.min((long) threads * perThread, n / Math.max(1, minGrain));
    boolean canBeUneven = chunks > threads && chunks < n;
    return (int) Math.max(1, canBeUneven ? chunks - chunks % threads : chunks);
  }

  /**
   * Returns the number of chunks of a range, from the cost of an iteration.
   *
   * @param ctx the context
   * @param n the length of the range
   * @param cost the cost of one iteration, in elementary operations
   * @param perThread the largest number of chunks of a thread; 0 for a {@link ChainedScan}, whose
   *     chunks must fit in a cache between two passes
   */
  public static int chunks(Context ctx, long n, long cost, int perThread) {
    long grain = ctx.host().chunkOperations() / Math.max(1, cost) + 1;
    if (perThread > 0 || n <= 0 || ctx.threads() == 1) {
      return chunkCount(ctx, n, grain, perThread);
    }
    if (n < 2 * grain) {
      return 1;
    }
    long size = Math.max(grain, Math.min(ctx.host().cachedElements(), n / ctx.threads()));
    return (int) Math.min(1 << 20, (n + size - 1) / size);
  }

  /**
   * Estimates the time of a region in elementary operations. This is the time of the thread with
   * the most iterations, plus a cost for each helping thread. A region with little work runs on
   * fewer threads.
   *
   * @param ctx the context
   * @param n the length of the range
   * @param cost the cost of one iteration, in elementary operations
   * @param passes the number of passes over the range if it is divided
   */
  public static long time(Context ctx, long n, long cost, int passes) {
    long grain = ctx.host().chunkOperations() / Math.max(1, cost) + 1;
    long workers = Math.max(1, Math.min(ctx.threads(), n / grain));
    long longest = (n + workers - 1) / workers * cost;
    return workers == 1
        ? longest
        : passes * longest + (workers - 1) * ctx.host().sharingOperations();
  }

  /**
   * Returns the first index of a chunk. If the chunks differ in length, the longer ones (by one
   * iteration) are distributed evenly, so that neighbouring chunks of each thread have the same
   * total length.
   *
   * @param n the length of the range
   * @param chunks the number of chunks
   * @param chunk the number of the chunk, from 0
   */
  public static long chunkStart(long n, int chunks, int chunk) {
    return n / chunks * chunk + n % chunks * chunk / chunks;
  }

  /** Returns the lock for updates with a key. */
  public static Object lock(long key) {
    return LOCKS[(int) (key * 0x9E3779B97F4A7C15L >>> 54)];
  }
}
