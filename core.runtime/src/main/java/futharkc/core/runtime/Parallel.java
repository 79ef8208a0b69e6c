package futharkc.core.runtime;

/**
 * How parallel {@linkplain Region regions} cut their ranges into chunks, and locks for what they
 * share.
 *
 * <p>How a range is cut depends on its length, the cost of an iteration and the number of threads
 * only, never on timing, so that floating-point results repeat exactly for one number of threads.
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
   * How many chunks to cut a range into: several for each thread, for balance, but none (but the
   * only one) with less than {@code minGrain} iterations. Where there are more chunks than threads,
   * each thread gets as many.
   *
   * @param n length of the range
   * @param minGrain least number of iterations that is worth a chunk, at least 1
   * @param perThread how many chunks a thread gets at most: 1 where each chunk costs (a private
   *     histogram, another pass of a scan)
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
   * How many chunks to cut a range into, by what an iteration costs.
   *
   * @param n length of the range
   * @param cost of one iteration, in elementary operations
   * @param perThread how many chunks a thread gets at most; 0 for the chunks of a {@link
   *     ChainedScan}, which are small enough to stay in a cache while they are passed over twice
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
   * How long a region takes, roughly, in elementary operations: as long as the thread with the most
   * iterations, and a little longer for each thread that helps. A region with little work runs on
   * fewer threads, at last on one.
   *
   * @param n length of the range
   * @param cost of one iteration, in elementary operations
   * @param passes how often the region goes over the range if it is cut up
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
   * The first index of a chunk, when a range of length {@code n} is cut into {@code chunks}. Longer
   * ones, by one, are between the others: what a thread gets first, several chunks next to each
   * other, is as much as others get.
   */
  public static long chunkStart(long n, int chunks, int chunk) {
    return n / chunks * chunk + n % chunks * chunk / chunks;
  }

  /** The object to synchronise on for updates with that key. */
  public static Object lock(long key) {
    return LOCKS[(int) (key * 0x9E3779B97F4A7C15L >>> 54)];
  }
}
