package futharkc.core.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that runs regions as parallel streams in a thread pool of the context.
 *
 * <p>A stream has one element for each thread. The thread that runs the element takes chunks until
 * none are left, from its own share first. (If the chunks were the elements, Java would split the
 * stream into at most four leaves per thread, too few for load balance.) A pool thread parks as
 * soon as it finds no work, and waking it takes tens of microseconds. The scheduler therefore adds
 * spinning:
 *
 * <ul>
 *   <li>All pool threads but one, which runs calls, are {@linkplain Member members}: they spin for
 *       stream elements before they park.
 *   <li>The thread that opened a region spins while other threads finish its last chunks.
 * </ul>
 */
final class Streams implements Scheduler {
  /** The longest wait for starting threads, in nanoseconds. */
  private static final long MOST_TO_START = 30_000_000_000L;

  private static final long SOME_TO_START = 20_000;

  private final int threads;
  private final ForkJoinPool pool;
  private final SpinThenPark waiters;

  /** The number of started members. */
  private final AtomicInteger members = new AtomicInteger();

  private boolean recruited;
  private volatile boolean calling;
  private volatile boolean closed;

  Streams(int threads, Supplier<@Nullable Thread> caller) {
    this.threads = threads;
    this.waiters = new SpinThenPark(threads);
    this.pool = Worker.pool(threads, caller);
  }

  @Override
  public <T> Future<T> start(Callable<T> call) {
    return Worker.start(
        pool,
        () -> {
          calling = true;
          try {
            return call.call();
          } finally {
            calling = false;
          }
        });
  }

  @Override
  public boolean isHere() {
    return Worker.isOf(pool);
  }

  @Override
  public int begin(Region region) {
    if (region.tasks() < 2) {
      return region.tasks();
    }
    if (!recruited) {
      recruited = true;
      recruit();
    }
    int elements = Math.min(region.tasks(), threads);
    region.share(new WorkStealingRanges(region.tasks(), threads));
    region.expect(elements);
    return elements;
  }

  /**
   * Starts the members and waits for them. If stream elements existed already, a starting thread
   * could run one first and be missing as a member.
   */
  private void recruit() {
    for (int place = 1; place < threads; place++) {
      var unused = pool.externalSubmit(new Member(place));
    }
    long start = System.nanoTime();
    while (members.get() < threads - 1) {
      if (System.nanoTime() - start > MOST_TO_START) {
        throw new FutharkError("Cannot start " + threads + " threads.");
      }
      LockSupport.parkNanos(SOME_TO_START);
    }
  }

  @Override
  public void run(Region region, int element) {
    if (region.tasks() == 1) {
      region.run(0);
      return;
    }
    // The thread has already queued all its other elements, so that spinning members find them.
    waiters.wake(region.start());
    region.shares().work(region, Worker.current().place, () -> {});
    if (!region.finishes() && region.leaderWaits()) {
      var unused = waiters.spinUntil(region::isDone);
    }
  }

  @Override
  public void close() {
    closed = true;
    waiters.wake(threads);
    pool.shutdown();
  }

  /**
   * A task that occupies a pool thread from the first region on: it runs stream elements, and spins
   * before it parks. The task is at the bottom of the thread's stack; elsewhere, a stream element
   * would delay the code that the thread has started.
   */
  private final class Member extends RecursiveAction {
    private static final long serialVersionUID = 1;

    private final int place;
    private transient @Nullable ForkJoinTask<?> part;

    Member(int place) {
      this.place = place;
    }

    @Override
    protected void compute() {
      Worker.current().place = place;
      members.getAndIncrement();
      while (!closed) {
        if (!waiters.spinUntil(this::finds)) {
          waiters.sleep(place, this::finds);
        }
        ForkJoinTask<?> mine = part;
        part = null;
        if (mine instanceof CountedCompleter<?> p) {
          compute(p);
        } else if (mine != null) {
          mine.quietlyInvoke();
        }
      }
    }

    /**
     * Takes a stream element if there is one; returns true if it has one, or the scheduler is
     * closed.
     */
    private boolean finds() {
      // Outside calls, the queue may contain other members and calls, which are for the remaining
      // thread.
      if (part == null && calling && members.get() == threads - 1) {
        part = pollTask();
      }
      return part != null || closed;
    }

    /** Runs a part of a stream without waiting for the parts that it leaves to other threads. */
    private static void compute(CountedCompleter<?> part) {
      try {
        part.compute();
      } catch (RuntimeException | Error e) {
        part.completeExceptionally(e);
      }
    }
  }
}
