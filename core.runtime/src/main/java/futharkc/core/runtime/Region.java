package futharkc.core.runtime;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a parallel region: tasks that may run concurrently and in any order. Generated code
 * creates an object of a subclass with the free variables of the tasks, and runs it as a parallel
 * stream:
 *
 * <pre>{@code
 * IntStream.range(0, region.begin()).parallel().forEach(region);
 * region.end("segmap_12", "prog.fut:3:5-40");
 * }</pre>
 *
 * <p>Elements of the stream never throw. The region keeps an exception of a task with the task's
 * position in the range, and {@link #end} throws the first one. A stream with failing elements
 * would report any of their exceptions, and return while other tasks still run.
 */
public abstract sealed class Region implements IntConsumer permits ParallelRegion, ChainedScan {
  private final Context ctx;
  private final int tasks;
  private final long begun;
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

  /** The thread that opened the region. */
  private final Thread leader = Thread.currentThread();

  /**
   * The number of started units. The units, which the scheduler defines, are stream elements or
   * tasks.
   */
  private final AtomicInteger started = new AtomicInteger();

  /** The number of unfinished units. */
  private final AtomicInteger unfinished = new AtomicInteger();

  private int parts;
  private @Nullable WorkStealingRanges shares;

  Region(Context ctx, int tasks) {
    this.ctx = ctx;
    this.tasks = tasks;
    this.begun = ctx.beginRegion();
  }

  /** Runs a task. The subclass passes exceptions to {@link #fail}. */
  abstract void run(int task);

  /**
   * Opens the region.
   *
   * @return the length of the stream: one element for each thread that may help, or fewer if the
   *     scheduler runs the tasks outside the stream; an element runs tasks until none are left
   */
  public final int begin() {
    return ctx.scheduler().begin(this);
  }

  /** Runs an element of the stream. */
  @Override
  public final void accept(int element) {
    ctx.scheduler().run(this, element);
  }

  /**
   * Closes the region after all tasks have finished.
   *
   * @param name the name of the region in profiles, the same at each run
   * @param place the source position of the region, or {@code unknown}
   * @throws FutharkError or another exception of the first failed task, in the order of the range
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

  /** Returns the number of tasks. */
  final int tasks() {
    return tasks;
  }

  /** Sets the number of units. */
  final void expect(int parts) {
    this.parts = parts;
    unfinished.set(parts);
  }

  /** Counts a unit as started; returns the number of units that are not started. */
  final int start() {
    return parts - started.incrementAndGet();
  }

  /** Counts a unit as finished; returns true for the last one. */
  final boolean finishes() {
    return unfinished.decrementAndGet() == 0;
  }

  /** Tests whether all units are finished. */
  final boolean isDone() {
    return unfinished.get() == 0;
  }

  /** Runs all tasks on the current thread, in order. */
  final void runAll() {
    for (int task = 0; task < tasks; task++) {
      run(task);
    }
  }

  /** Returns the shares of the tasks that the scheduler has assigned to threads. */
  final WorkStealingRanges shares() {
    return Objects.requireNonNull(shares);
  }

  final void share(WorkStealingRanges shares) {
    this.shares = shares;
  }

  /**
   * Tests whether the current thread opened the region, and other threads run all unfinished units.
   */
  final boolean leaderWaits() {
    return Thread.currentThread() == leader && started.get() == parts && !isDone();
  }

  /**
   * Tests whether a task at an earlier position has failed, so that later tasks are unnecessary.
   */
  final boolean hasFailedBefore(int place) {
    Failure known = failure.get();
    return known != null && known.place < place;
  }

  /** Keeps an exception unless a task at an earlier position has failed. */
  final void fail(int place, Throwable thrown) {
    failure.accumulateAndGet(new Failure(place, thrown), Failure::earlier);
  }

  /**
   * An exception of a task.
   *
   * @param place the position of the task in the range
   * @param thrown the exception
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
