package futharkc.core.runtime;

/** A region whose tasks are the chunks of a range. */
public abstract non-sealed class ParallelRegion extends Region {
  private final long n;

  /**
   * A region over a range that is cut into chunks of nearly equal size.
   *
   * @param n length of the range
   * @param chunks number of chunks; where there are more than iterations, some are empty
   */
  protected ParallelRegion(Context ctx, long n, int chunks) {
    super(ctx, chunks);
    this.n = n;
  }

  /**
   * Runs one chunk. Chunks run in any order and at the same time.
   *
   * @param chunk number of the chunk, from 0
   * @param from first index
   * @param to index after the last
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
