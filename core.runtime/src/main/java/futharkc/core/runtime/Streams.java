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
 * Regions are parallel streams in a pool of their own.
 *
 * <p>A stream has an element for each thread that may help: whoever runs it takes chunks until none
 * are left, its own share first. (Were the chunks the elements, the stream would be cut into four
 * leaves for each thread at the most, and one that got five would take a quarter longer.) Two
 * things are added, since a thread of a pool sleeps as soon as it finds nothing, and waking it
 * takes tens of microseconds:
 *
 * <ul>
 *   <li>All threads of the pool but one, which is left to run calls, are {@linkplain Member
 *       members}: they look for parts of streams for a while before they sleep.
 *   <li>Who has opened a region and finds that others run all that is left of it looks for a while
 *       whether they are done.
 * </ul>
 */
final class Streams implements Scheduler {
  /** How many nanoseconds to wait for threads that start, in all and between two looks. */
  private static final long MOST_TO_START = 30_000_000_000L;

  private static final long SOME_TO_START = 20_000;

  private final int threads;
  private final ForkJoinPool pool;
  private final SpinThenPark sleepers;

  /** How many members are at their places. */
  private final AtomicInteger members = new AtomicInteger();

  private boolean recruited;
  private volatile boolean calling;
  private volatile boolean closed;

  Streams(int threads, Supplier<@Nullable Thread> caller) {
    this.threads = threads;
    this.sleepers = new SpinThenPark(threads);
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
   * Starts the members and waits until they are at their places: were there parts of streams
   * already, a thread could take one of those first and be missing.
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
    // The thread has put aside all other parts that it had: whoever looks finds them.
    sleepers.wake(region.start());
    region.shares().work(region, Worker.current().place, () -> {});
    if (!region.finishes() && region.leaderWaits()) {
      var unused = sleepers.comes(region::isDone);
    }
  }

  @Override
  public void close() {
    closed = true;
    sleepers.wake(threads);
    pool.shutdown();
  }

  /**
   * What a thread of the pool does from the first region on: runs parts of streams, and looks for
   * some before it sleeps. It is at the bottom of the thread's stack: anywhere else, what it comes
   * to run would hold up what the thread has begun.
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
        if (!sleepers.comes(this::finds)) {
          sleepers.sleep(place, this::finds);
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

    /** Takes a part of a stream if there is one; whether there was, or no more are to come. */
    private boolean finds() {
      // At other times there is more to find: other members, and calls, for the thread that is
      // left.
      if (part == null && calling && members.get() == threads - 1) {
        part = pollTask();
      }
      return part != null || closed;
    }

    /** Runs a part without waiting for those that it leaves to others. */
    private static void compute(CountedCompleter<?> part) {
      try {
        part.compute();
      } catch (RuntimeException | Error e) {
        part.completeExceptionally(e);
      }
    }
  }
}
