package futharkc.core.runtime;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a parallel region: a number of tasks that may run at the same time, in any order.
 * Generated code makes an object of a subclass, gives it what the tasks need from outside, and runs
 * it as a parallel stream:
 *
 * <pre>{@code
 * IntStream.range(0, region.begin()).parallel().forEach(region);
 * region.end("segmap_12", "prog.fut:3:5-40");
 * }</pre>
 *
 * <p>Elements of the stream never throw. What a task throws is kept with its place in the order of
 * the range, and {@link #end} throws the first. A stream that failed itself would report any, and
 * go on with tasks of which nobody would know whether they still run.
 */
public abstract sealed class Region implements IntConsumer permits ParallelRegion, ChainedScan {
  private final Context ctx;
  private final int tasks;
  private final long begun;
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

  /** The thread that began the region. */
  private final Thread leader = Thread.currentThread();

  /** Of what there is to do for the scheduler, how many have been begun. */
  private final AtomicInteger started = new AtomicInteger();

  /** And how many are not done. */
  private final AtomicInteger unfinished = new AtomicInteger();

  private int parts;
  private @Nullable WorkStealingRanges shares;

  Region(Context ctx, int tasks) {
    this.ctx = ctx;
    this.tasks = tasks;
    this.begun = ctx.beginRegion();
  }

  /** Runs a task; what it throws is for the subclass to {@linkplain #fail keep}. */
  abstract void run(int task);

  /**
   * Opens the region.
   *
   * @return how many elements the stream is to have: one for each thread that may help, which runs
   *     tasks until none are left; fewer if the tasks run elsewhere than in the stream
   */
  public final int begin() {
    return ctx.scheduler().begin(this);
  }

  /** What an element of the stream does. */
  @Override
  public final void accept(int element) {
    ctx.scheduler().run(this, element);
  }

  /**
   * Closes the region, all of whose tasks are done.
   *
   * @param name of the region in profiles, the same at each run
   * @param place where it comes from in the source, or {@code unknown}
   * @throws FutharkError or what else the first task to fail, in the order of the range, has thrown
   */
  public final void end(String name, String place) {
    Failure first = failure.get();
    if (first != null) {
      first.rethrow();
    }
    ctx.endRegion(name, place, begun, tasks);
  }

  final Context context() {
    return ctx;
  }

  /** The number of tasks. */
  final int tasks() {
    return tasks;
  }

  /** Says what the scheduler counts: how many elements or tasks there are. */
  final void expect(int parts) {
    this.parts = parts;
    unfinished.set(parts);
  }

  /** Counts one that is about to be run; returns how many are left. */
  final int start() {
    return parts - started.incrementAndGet();
  }

  /** Counts one that is done; whether it was the last. */
  final boolean finishes() {
    return unfinished.decrementAndGet() == 0;
  }

  /** Whether all are done. */
  final boolean isDone() {
    return unfinished.get() == 0;
  }

  /** Runs all tasks on the current thread, in order. */
  final void runAll() {
    for (int task = 0; task < tasks; task++) {
      run(task);
    }
  }

  /** The tasks, as the scheduler has shared them out. */
  final WorkStealingRanges shares() {
    return Objects.requireNonNull(shares);
  }

  final void share(WorkStealingRanges shares) {
    this.shares = shares;
  }

  /** Whether this is the thread that began the region, and other threads run all that is left. */
  final boolean leaderWaits() {
    return Thread.currentThread() == leader && started.get() == parts && !isDone();
  }

  /** Whether something has failed at an earlier place, so that this one need not be tried. */
  final boolean hasFailedBefore(int place) {
    Failure known = failure.get();
    return known != null && known.place < place;
  }

  /** Keeps what was thrown, unless something has failed at an earlier place. */
  final void fail(int place, Throwable thrown) {
    failure.accumulateAndGet(new Failure(place, thrown), Failure::earlier);
  }

  /**
   * What has been thrown.
   *
   * @param place in the order of the range
   */
  private record Failure(int place, Throwable thrown) {
    static @Nullable Failure earlier(@Nullable Failure a, @Nullable Failure b) {
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return a.place <= b.place ? a : b;
    }

    void rethrow() {
      if (thrown instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) thrown;
    }
  }
}
