package futharkc.core.runtime;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run the parallel regions of one call of an entry point: the leader, which runs
 * the call, and the members, which are the elements of a parallel stream and take chunks of
 * whatever regions are open.
 *
 * <p>Regions often follow each other within microseconds, and waking a thread takes tens of them.
 * So members look for the next region for a while before they sleep, and whoever has opened a
 * region looks for a while whether its last chunks are done.
 */
final class Team {
  /** How long to look before sleeping, in nanoseconds: about what sleeping and waking cost. */
  private static final long PATIENCE = 100_000;

  /** How often to look before looking at the clock. */
  private static final int LOOKS = 64;

  private final Context context;
  private final ForkJoinPool pool;
  private final int threads;
  private final long patience;

  /** The regions that are open, by the place of the thread that opened them: the innermost. */
  private final AtomicReferenceArray<@Nullable Region> open;

  /** The members that sleep, by their places. */
  private final AtomicReferenceArray<@Nullable Thread> asleep;

  private final AtomicInteger sleepers = new AtomicInteger();
  private boolean gathered;
  private volatile boolean dismissed;

  /** A worker of a context's pool. */
  static final class Worker extends ForkJoinWorkerThread {
    /** Its place in the team that it is in; the leader's is 0. */
    private int place;

    Worker(ForkJoinPool pool) {
      super(pool);
      setName("futhark-worker-" + getPoolIndex());
      setDaemon(true);
    }
  }

  /**
   * A team led by the current thread, a {@link Worker}.
   *
   * @param pool of as many workers as the context has threads, the leader among them
   */
  Team(Context context, ForkJoinPool pool) {
    this.context = context;
    this.pool = pool;
    this.threads = context.threads();
    this.patience = threads <= Runtime.getRuntime().availableProcessors() ? PATIENCE : 0;
    this.open = new AtomicReferenceArray<>(threads);
    this.asleep = new AtomicReferenceArray<>(threads);
    worker().place = 0;
  }

  private static Worker worker() {
    return (Worker) Thread.currentThread();
  }

  /** Runs all chunks of a region; called by the leader, and by members from within a chunk. */
  void run(long n, int chunks, Parallel.ChunkBody body) {
    int place = worker().place;
    Region outer = open.get(place);
    Region region = new Region(n, chunks, body, outer);
    open.set(place, region);
    if (!gathered) {
      gathered = true;
      var unused = pool.submit(() -> IntStream.range(1, threads).parallel().forEach(this::serve));
    }
    wake(chunks - 1);
    region.work(place);
    region.await();
    open.set(place, outer);
    region.rethrow();
  }

  /** The call has ended: members leave. */
  void dismiss() {
    dismissed = true;
    wake(threads);
  }

  private void wake(int most) {
    int left = most;
    for (int place = 1; place < threads && left > 0 && sleepers.get() > 0; place++) {
      Thread member = asleep.get(place);
      if (member != null && asleep.compareAndSet(place, member, null)) {
        sleepers.decrementAndGet();
        LockSupport.unpark(member);
        left--;
      }
    }
  }

  private void serve(int place) {
    worker().place = place;
    while (!dismissed) {
      Region region = find();
      if (region != null) {
        region.work(place);
      } else if (!comes(() -> dismissed || find() != null)) {
        sleep(place);
      }
    }
  }

  /** A region with chunks that nobody has taken. */
  private @Nullable Region find() {
    for (int place = 0; place < threads; place++) {
      for (Region r = open.get(place); r != null; r = r.outer) {
        if (r.hasChunks()) {
          return r;
        }
      }
    }
    return null;
  }

  /** Looks for a while whether something comes to be. */
  private boolean comes(BooleanSupplier what) {
    long start = System.nanoTime();
    while (patience > 0) {
      for (int i = 0; i < LOOKS; i++) {
        if (what.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
      if (System.nanoTime() - start > patience) {
        break;
      }
    }
    return what.getAsBoolean();
  }

  private void sleep(int place) {
    Thread self = Thread.currentThread();
    sleepers.incrementAndGet();
    asleep.set(place, self);
    // Whoever opened a region before it saw this thread asleep relies on this look.
    if ((dismissed || find() != null) && asleep.compareAndSet(place, self, null)) {
      sleepers.decrementAndGet();
    }
    parkUntil(() -> asleep.get(place) == null);
  }

  private void parkUntil(BooleanSupplier done) {
    boolean interrupted = false;
    while (!done.getAsBoolean()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A parallel region: its chunks are shared out in advance, so that a thread gets the same part of
   * a range each time and finds it in its cache; who has none left takes from others' shares.
   */
  private final class Region {
    /** Counters are so far apart that no two are in one pair of cache lines. */
    private static final int APART = 32;

    private final long n;
    private final int chunks;
    private final Parallel.ChunkBody body;

    /** The region in whose chunk the same thread opened this one. */
    private final @Nullable Region outer;

    private final int shares;

    /** The next chunk of each share. */
    private final AtomicIntegerArray next;

    private final AtomicInteger unfinished;
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    private volatile @Nullable Thread waiting;

    Region(long n, int chunks, Parallel.ChunkBody body, @Nullable Region outer) {
      this.n = n;
      this.chunks = chunks;
      this.body = body;
      this.outer = outer;
      shares = Math.min(chunks, threads);
      next = new AtomicIntegerArray(shares * APART);
      for (int s = 1; s < shares; s++) {
        next.setPlain(s * APART, (int) Parallel.chunkStart(chunks, shares, s));
      }
      unfinished = new AtomicInteger(chunks);
    }

    private int end(int share) {
      return (int) Parallel.chunkStart(chunks, shares, share + 1);
    }

    boolean hasChunks() {
      for (int s = 0; s < shares; s++) {
        if (next.get(s * APART) < end(s)) {
          return true;
        }
      }
      return false;
    }

    /** Runs chunks until all are taken. */
    void work(int place) {
      for (int i = 0; i < shares; i++) {
        int share = (place + i) % shares;
        int end = end(share);
        while (next.get(share * APART) < end) {
          int chunk = next.getAndIncrement(share * APART);
          if (chunk < end) {
            run(chunk);
          }
        }
      }
    }

    private void run(int chunk) {
      Failure known = failure.get();
      if (known == null || known.chunk > chunk) {
        try {
          context.checkCancelled();
          long from = Parallel.chunkStart(n, chunks, chunk);
          body.run(chunk, from, Parallel.chunkStart(n, chunks, chunk + 1));
        } catch (RuntimeException | Error e) {
          failure.accumulateAndGet(new Failure(chunk, e), Failure::earlier);
        }
      }
      if (unfinished.decrementAndGet() == 0) {
        LockSupport.unpark(waiting);
      }
    }

    /** Waits for chunks that others run. */
    void await() {
      BooleanSupplier done = () -> unfinished.get() == 0;
      if (!comes(done)) {
        waiting = Thread.currentThread();
        parkUntil(done);
      }
    }

    void rethrow() {
      Failure first = failure.get();
      if (first != null) {
        first.rethrow();
      }
    }
  }

  /** What a chunk has thrown. */
  private record Failure(int chunk, Throwable thrown) {
    static @Nullable Failure earlier(@Nullable Failure a, @Nullable Failure b) {
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return a.chunk <= b.chunk ? a : b;
    }

    void rethrow() {
      if (thrown instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) thrown;
    }
  }
}
