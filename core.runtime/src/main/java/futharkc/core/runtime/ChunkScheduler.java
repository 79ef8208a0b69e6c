package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that distributes the tasks of a region itself. A region is a stream of one element,
 * which distributes the tasks among threads. These threads are the elements of a parallel stream
 * that lasts as long as the context, and take tasks of any open region.
 *
 * <p>Each thread has a share of each region. It gets the same part of a range in each region, since
 * that part may be in its cache.
 */
final class ChunkScheduler implements Scheduler {
  private final int threads;
  private final ForkJoinPool pool;
  private final SpinThenPark waiters;

  /** The innermost open region of each thread, by thread index. */
  private final AtomicReferenceArray<@Nullable Open> open;

  private boolean recruited;
  private volatile boolean closed;

  ChunkScheduler(int threads, Supplier<@Nullable Thread> caller) {
    this.threads = threads;
    this.pool = Worker.pool(threads, caller);
    this.waiters = new SpinThenPark(threads);
    this.open = new AtomicReferenceArray<>(threads);
  }

  @Override
  public <T> Future<T> start(Callable<T> call) {
    return Worker.start(pool, call);
  }

  @Override
  public boolean isHere() {
    return Worker.isOf(pool);
  }

  @Override
  public int begin(Region region) {
    return Math.min(1, region.tasks());
  }

  /**
   * Runs all tasks of a region. The thread of the call and the other threads, from within tasks,
   * call this method.
   */
  @Override
  public void run(Region region, int element) {
    if (region.tasks() == 1) {
      region.run(0);
      return;
    }
    int place = Worker.current().place;
    Open outer = open.get(place);
    Open mine = new Open(region, outer);
    open.set(place, mine);
    if (!recruited) {
      recruited = true;
      var unused = pool.submit(() -> IntStream.range(1, threads).parallel().forEach(this::serve));
    }
    waiters.wake(region.tasks() - 1);
    mine.work(place);
    mine.await();
    open.set(place, outer);
  }

  @Override
  public void close() {
    closed = true;
    waiters.wake(threads);
    pool.shutdown();
  }

  private void serve(int place) {
    Worker.current().place = place;
    while (!closed) {
      Open found = find();
      if (found != null) {
        found.work(place);
      } else if (!waiters.spinUntil(this::hasWork)) {
        waiters.sleep(place, this::hasWork);
      }
    }
  }

  private boolean hasWork() {
    return closed || find() != null;
  }

  /** Returns an open region with tasks that no thread has taken; null if there is none. */
  private @Nullable Open find() {
    for (int place = 0; place < threads; place++) {
      for (Open o = open.get(place); o != null; o = o.outer) {
        if (o.hasTasks()) {
          return o;
        }
      }
    }
    return null;
  }

  /** An open region. */
  private final class Open {
    private final Region region;

    /** The enclosing region: the same thread opened it, and one of its tasks opened this one. */
    private final @Nullable Open outer;

    private volatile @Nullable Thread waiting;

    Open(Region region, @Nullable Open outer) {
      this.region = region;
      this.outer = outer;
      region.share(new WorkStealingRanges(region.tasks(), threads));
      region.expect(region.tasks());
    }

    boolean hasTasks() {
      return region.shares().hasTasks();
    }

    /** Runs tasks until all tasks are taken. */
    void work(int place) {
      region.shares().work(region, place, this::finish);
    }

    private void finish() {
      if (region.finishes()) {
        LockSupport.unpark(waiting);
      }
    }

    /** Waits for the tasks that other threads run. */
    void await() {
      if (!waiters.spinUntil(region::isDone)) {
        waiting = Thread.currentThread();
        SpinThenPark.parkUntil(region::isDone);
      }
    }
  }
}
