package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Hands out tasks itself: a region's stream has a single element, which shares the tasks out to the
 * members, threads that take tasks of whatever regions are open, the elements of a parallel stream
 * that lasts as long as the context.
 *
 * <p>Each thread has a share of each region and gets the same part of a range each time, which it
 * may find in its cache.
 */
final class ChunkScheduler implements Scheduler {
  private final int threads;
  private final ForkJoinPool pool;
  private final Sleepers sleepers;

  /** The regions that are open, by the place of the thread that opened them: the innermost. */
  private final AtomicReferenceArray<@Nullable Shares> open;

  private boolean recruited;
  private volatile boolean closed;

  ChunkScheduler(int threads, Supplier<@Nullable Thread> caller) {
    this.threads = threads;
    this.pool = Worker.pool(threads, caller);
    this.sleepers = new Sleepers(threads);
    this.open = new AtomicReferenceArray<>(threads);
  }

  @Override
  public <T> Future<T> start(Callable<T> call) {
    return pool.submit(call);
  }

  @Override
  public int begin(Region region) {
    return Math.min(1, region.tasks());
  }

  /** Runs all tasks of a region; called by who runs the call, and by members from within a task. */
  @Override
  public void run(Region region, int element) {
    if (region.tasks() == 1) {
      region.run(0);
      return;
    }
    int place = Worker.current().place;
    Shares outer = open.get(place);
    Shares shares = new Shares(region, outer);
    open.set(place, shares);
    if (!recruited) {
      recruited = true;
      var unused = pool.submit(() -> IntStream.range(1, threads).parallel().forEach(this::serve));
    }
    sleepers.wake(region.tasks() - 1);
    shares.work(place);
    shares.await();
    open.set(place, outer);
  }

  @Override
  public void close() {
    closed = true;
    sleepers.wake(threads);
    pool.shutdown();
  }

  private void serve(int place) {
    Worker.current().place = place;
    while (!closed) {
      Shares shares = find();
      if (shares != null) {
        shares.work(place);
      } else if (!sleepers.comes(this::hasWork)) {
        sleepers.sleep(place, this::hasWork);
      }
    }
  }

  private boolean hasWork() {
    return closed || find() != null;
  }

  /** A region with tasks that nobody has taken. */
  private @Nullable Shares find() {
    for (int place = 0; place < threads; place++) {
      for (Shares s = open.get(place); s != null; s = s.outer) {
        if (s.hasTasks()) {
          return s;
        }
      }
    }
    return null;
  }

  /**
   * An open region: its tasks are shared out in advance; who has none left takes from others'
   * shares.
   */
  private final class Shares {
    /** Counters are so far apart that no two are in one pair of cache lines. */
    private static final int APART = 32;

    private final Region region;

    /** The region in one of whose tasks the same thread opened this one. */
    private final @Nullable Shares outer;

    private final int shares;

    /** The next task of each share. */
    private final AtomicIntegerArray next;

    private volatile @Nullable Thread waiting;

    Shares(Region region, @Nullable Shares outer) {
      this.region = region;
      this.outer = outer;
      shares = Math.min(region.tasks(), threads);
      next = new AtomicIntegerArray(shares * APART);
      for (int s = 1; s < shares; s++) {
        next.setPlain(s * APART, (int) Parallel.chunkStart(region.tasks(), shares, s));
      }
    }

    private int end(int share) {
      return (int) Parallel.chunkStart(region.tasks(), shares, share + 1);
    }

    boolean hasTasks() {
      for (int s = 0; s < shares; s++) {
        if (next.get(s * APART) < end(s)) {
          return true;
        }
      }
      return false;
    }

    /** Runs tasks until all are taken. */
    void work(int place) {
      for (int i = 0; i < shares; i++) {
        int share = (place + i) % shares;
        int end = end(share);
        while (next.get(share * APART) < end) {
          int task = next.getAndIncrement(share * APART);
          if (task < end) {
            region.run(task);
            if (region.finishes()) {
              LockSupport.unpark(waiting);
            }
          }
        }
      }
    }

    /** Waits for tasks that others run. */
    void await() {
      if (!sleepers.comes(region::isDone)) {
        waiting = Thread.currentThread();
        Sleepers.parkUntil(region::isDone);
      }
    }
  }
}
