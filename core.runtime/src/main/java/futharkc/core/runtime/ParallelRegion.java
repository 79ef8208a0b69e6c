package futharkc.core.runtime;

/** A region whose tasks are the chunks of a range. */
public abstract non-sealed class ParallelRegion extends Region {
  private final long n;

  /**
   * Creates a region over a range that is divided into chunks of nearly equal size.
   *
   * @param ctx the context
   * @param n the length of the range
   * @param chunks the number of chunks; if there are more chunks than iterations, some are empty
   */
  protected ParallelRegion(Context ctx, long n, int chunks) {
    super(ctx, chunks);
    this.n = n;
  }

  /**
   * Runs one chunk. Chunks run concurrently and in any order.
   *
   * @param chunk the number of the chunk, from 0
   * @param from the first index
   * @param to the index after the last
   */
  protected abstract void run(int chunk, long from, long to);

  @Override
  final void run(int chunk) {
    if (hasFailedBefore(chunk)) {
      return;
    }
    try {
      context().checkCancelled();
      long from = Parallel.chunkStart(n, tasks(), chunk);
      run(chunk, from, Parallel.chunkStart(n, tasks(), chunk + 1));
    } catch (RuntimeException | Error e) {
      fail(chunk, e);
    }
  }
}
