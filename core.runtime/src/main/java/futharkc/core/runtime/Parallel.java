package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Parallel regions: a range cut into chunks, over which a parallel stream runs on the context's
 * workers.
 *
 * <p>How a range is cut depends on its length, the grain and the number of threads only, never on
 * timing, so that floating-point results repeat exactly for one number of threads. Regions may
 * nest.
 */
public final class Parallel {
  /** How many chunks a worker gets at most where they need no combining afterwards. */
  private static final int CHUNKS_PER_THREAD = 8;

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
    if (chunks <= 1 || ctx.threads() == 1) {
      for (int c = 0; c < chunks; c++) {
        ctx.checkCancelled();
        body.run(c, chunkStart(n, chunks, c), chunkStart(n, chunks, c + 1));
      }
      return;
    }
    AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    IntStream.range(0, chunks)
        .parallel()
        .forEach(
            c -> {
              Failure known = failure.get();
              if (known != null && known.chunk < c) {
                return;
              }
              try {
                ctx.checkCancelled();
                body.run(c, chunkStart(n, chunks, c), chunkStart(n, chunks, c + 1));
              } catch (RuntimeException | Error e) {
                failure.accumulateAndGet(new Failure(c, e), Parallel::earlier);
              }
            });
    Failure first = failure.get();
    if (first != null) {
      first.rethrow();
    }
  }

  private static @Nullable Failure earlier(@Nullable Failure a, @Nullable Failure b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.chunk <= b.chunk ? a : b;
  }

  private record Failure(int chunk, Throwable thrown) {
    void rethrow() {
      if (thrown instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) thrown;
    }
  }
}
