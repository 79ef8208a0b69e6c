package futharkc.core.runtime;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a compiled program runs: its worker threads, memory, tuning parameters, profile and
 * messages.
 *
 * <p>A context runs one call at a time; calls from several threads wait for each other, in the
 * order in which they came. A call ends early if it is {@linkplain #cancel cancelled}, or if the
 * thread that made it is interrupted: within 100 ms, which is how often compiled programs look.
 */
public final class Context implements AutoCloseable {
  /** Asked now and then by each loop of generated code that may be long. */
  public static final Cancelling CANCELLING = new Cancelling();

  private final FutharkProgram program;
  private final int threads;
  private final Scheduler scheduler;
  private final Memory memory;
  private final Profile profile = new Profile();
  private final TuningValues tuning;
  private HostTuning host;
  private volatile @Nullable Comparisons comparisons;
  private final boolean debugging;
  private final boolean logging;
  private final boolean profiling;
  private final PrintStream messages;
  private final @Nullable Accelerator accelerator;
  private final boolean ownsAccelerator;
  private boolean initialised;

  /** {@link Accelerator#resets} when the program was initialised. */
  private int initialisedAt;

  private final CallQueue queue;
  private boolean closed;

  /** Whether somebody waits to close the context: calls end. */
  private volatile boolean closing;

  /** The call that runs now, or the last one. */
  private volatile Call call = new Call(() -> new Value[0], false);

  private Context(Builder builder) {
    program = builder.program;
    Accelerator given = builder.accelerator;
    accelerator =
        given != null
            ? given
            : builder.opening != null ? builder.opening.get() : program.openAccelerator();
    ownsAccelerator = given == null;
    queue = accelerator == null ? new CallQueue() : accelerator.queue();
    // Host code of a program with kernels has no parallel regions, and a call is not worth a hop.
    threads = accelerator == null ? builder.threads : 1;
    scheduler =
        accelerator == null
            ? Scheduler.of(builder.scheduling, threads, queue::caller)
            : new CallerThread();
    memory = new Memory("default", Runtime.getRuntime().maxMemory() / 2, builder.debugging);
    tuning = builder.tuning;
    if (accelerator != null) {
      tuning.fit(accelerator, builder.messages);
    }
    host = tuning.host();
    debugging = builder.debugging;
    logging = builder.logging || builder.debugging;
    profiling = builder.profiling || builder.debugging;
    messages = builder.messages;
  }

  /** Starts the set-up of a context for a program, whose only context it will be. */
  public static Builder of(FutharkProgram program, PrintStream messages) {
    return new Builder(program, messages);
  }

  /** The settings of a context that is to be. */
  public static final class Builder {
    private final FutharkProgram program;
    private final PrintStream messages;
    private final TuningValues tuning;
    private int threads = Runtime.getRuntime().availableProcessors();
    private Scheduling scheduling = Scheduling.DEFAULT;
    private boolean debugging;
    private boolean logging;
    private boolean profiling;
    private @Nullable Accelerator accelerator;
    private @Nullable Supplier<? extends Accelerator> opening;

    private Builder(FutharkProgram program, PrintStream messages) {
      this.program = program;
      this.messages = messages;
      tuning = new TuningValues(program);
    }

    /** Sets the number of worker threads, at least 1; by default that of the processors. */
    public Builder threads(int n) {
      if (n < 1) {
        throw new IllegalArgumentException("number of threads: " + n);
      }
      threads = n;
      return this;
    }

    /** Sets how the tasks of parallel regions come to the threads. */
    public Builder scheduling(Scheduling how) {
      scheduling = how;
      return this;
    }

    /** Whether to check more, log, and profile. */
    public Builder debugging(boolean on) {
      debugging = on;
      return this;
    }

    /** Whether to log what happens. */
    public Builder logging(boolean on) {
      logging = on;
      return this;
    }

    /** Whether to record the time of each region. */
    public Builder profiling(boolean on) {
      profiling = on;
      return this;
    }

    /**
     * Sets the device for the program's kernels, which several programs may share: it is not closed
     * with the context. By default the program opens one of its own.
     */
    public Builder accelerator(Accelerator device) {
      accelerator = device;
      return this;
    }

    /** Sets how the device is opened, which is the context's own then. */
    public Builder accelerator(Supplier<? extends Accelerator> open) {
      opening = open;
      return this;
    }

    /**
     * Sets a tuning parameter, 0 means its default; or those of a class that are not set, such as
     * {@code default_threshold}.
     *
     * @return whether the program has a parameter of that name, or there is such a class
     */
    public boolean tuning(String name, long value) {
      return tuning.set(name, value, messages);
    }

    /**
     * Sets all tuning parameters of a class that are not set, such as {@code threshold}, whatever
     * it says in parentheses.
     */
    public void tuningClass(String paramClass, long value) {
      tuning.setClass(paramClass, value);
    }

    /**
     * Makes the context.
     *
     * @throws FutharkError if the program needs a device, and none can be opened
     */
    public Context build() {
      return new Context(this);
    }
  }

  /** Whoever is told which versions of code are chosen. */
  public interface Comparisons {
    /**
     * A threshold has been compared.
     *
     * @param parameter its name
     * @param value what it was compared with
     * @param reached whether the threshold is at most the value
     */
    void compared(String parameter, long value, boolean reached);
  }

  /**
   * Runs an entry point on the worker threads.
   *
   * @param args one value for each parameter, of its type; arrays that are not where the program
   *     needs them are copied there
   * @return the result, of the entry point's result type
   * @throws FutharkError for a run-time error of the program, lack of memory among them, or if the
   *     call was cancelled or this thread interrupted, which it still is
   * @throws IllegalArgumentException if the arguments do not have the parameters' types
   * @throws IllegalStateException if the context has been closed
   */
  public Value run(EntryPoint entry, Value... args) {
    Value[] flatArgs = Opaques.flatten(entry, args);
    takeTurn();
    try {
      return Opaques.compose(entry.result(), runFlat(entry, flatArgs));
    } finally {
      queue.pass();
    }
  }

  private Value[] runFlat(EntryPoint entry, Value[] args) {
    if (accelerator == null) {
      return finished(entry, args);
    }
    List<ArrayStore> transferred = new ArrayList<>(0);
    try {
      for (int i = 0; i < args.length; i++) {
        if (args[i] instanceof ArrayValue given) {
          ArrayValue there = accelerator.adopt(given);
          args[i] = there;
          if (there != given) {
            transferred.add(there.store());
          }
        }
      }
      Value[] results = finished(entry, args);
      for (Value result : results) {
        if (result instanceof ArrayValue array) {
          keep(transferred, array.store().block());
        }
      }
      return results;
    } finally {
      for (ArrayStore store : transferred) {
        accelerator.release(store);
      }
    }
  }

  /** Without a lambda, which the JVM would make in the first call. */
  private static void keep(List<ArrayStore> transferred, Object block) {
    for (int i = transferred.size() - 1; i >= 0; i--) {
      if (transferred.get(i).block() == block) {
        transferred.remove(i);
      }
    }
  }

  /**
   * Does something on a worker thread, where the calls that it makes run, too: to hand a call over
   * to another thread takes tens of microseconds. Calls of other threads may wait meanwhile, and an
   * interrupt of the current thread ends nothing.
   */
  public <T> T inside(Supplier<T> work) {
    Future<T> future = scheduler.start(work::get);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof RuntimeException x ? x : new IllegalStateException(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Runs {@link FutharkProgram#initialise} unless that has been done; {@link #run} does as well.
   */
  public void initialise() {
    takeTurn();
    try {
      if (!isInitialised()) {
        var unused = finished(null, new Value[0]);
      }
    } finally {
      queue.pass();
    }
  }

  /**
   * Waits for what is under way on the device, such as copies of values: so that the time of a call
   * is its own.
   *
   * @throws FutharkError if something has failed there
   */
  public void settle() {
    if (accelerator == null) {
      return;
    }
    takeTurn();
    try {
      accelerator.synchronise();
    } finally {
      queue.pass();
    }
  }

  private void takeTurn() {
    queue.take();
    if (closed) {
      queue.pass();
      throw new IllegalStateException("the context has been closed");
    }
  }

  /** What a call does. */
  private Value[] perform(@Nullable EntryPoint entry, Value[] args) {
    if (accelerator != null) {
      accelerator.profiling(profiling);
    }
    Runnable undo = isInitialised() ? savepoint() : memory.savepoint();
    boolean done = false;
    try {
      if (!isInitialised()) {
        program.initialise(this);
        setInitialised();
        undo = savepoint();
      }
      Value[] results = entry == null ? args : entry.call(this, args);
      finish();
      done = true;
      return results;
    } catch (FutharkError e) {
      abandon();
      throw e;
    } finally {
      if (!done) {
        undo.run();
      }
    }
  }

  /** Runs a call to its end. It ends even if it is cancelled: its arguments are in use. */
  private Value[] finished(@Nullable EntryPoint entry, Value[] args) {
    Call mine = new Call(() -> perform(entry, args), accelerator != null);
    call = mine;
    if (closing) {
      mine.cancel();
    }
    if (scheduler.isHere()) {
      try {
        return mine.call();
      } catch (RuntimeException | Error e) {
        throw asError(e);
      }
    }
    Future<Value[]> future = scheduler.start(mine);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
          mine.cancel();
        }
      }
    } catch (ExecutionException e) {
      throw interrupted ? new FutharkError("Interrupted.") : asError(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link ValueSpace#savepoint}, of all memories that are this context's own. */
  private Runnable savepoint() {
    Runnable host = memory.savepoint();
    Runnable device = accelerator == null ? () -> {} : accelerator.savepoint();
    return () -> {
      device.run();
      host.run();
    };
  }

  private boolean isInitialised() {
    return initialised && (accelerator == null || accelerator.resets() == initialisedAt);
  }

  private void setInitialised() {
    initialised = true;
    initialisedAt = accelerator == null ? 0 : accelerator.resets();
  }

  /** Waits for the kernels of a call. */
  private void finish() {
    if (accelerator != null) {
      accelerator.synchronise();
      if (profiling) {
        accelerator.report(profile);
      }
    }
  }

  /** Waits for the kernels of a call that has failed, of which they are a part. */
  private void abandon() {
    try {
      finish();
    } catch (FutharkError later) {
      // The first failure is the one to report.
    }
  }

  private RuntimeException asError(Throwable thrown) {
    Throwable t = thrown;
    for (; t != null; t = t.getCause()) {
      if (t instanceof FutharkError e) {
        return e;
      }
      if (t instanceof OutOfMemoryError) {
        memory.clear();
        return new FutharkError(
            "Out of memory: the Java heap is limited to "
                + Runtime.getRuntime().maxMemory()
                + " bytes.");
      }
      if (t instanceof StackOverflowError) {
        return new FutharkError("Stack overflow: the recursion is too deep.");
      }
      if (t.getCause() == null) {
        break;
      }
    }
    return t instanceof RuntimeException e
        ? e
        : new IllegalStateException("the program failed: " + thrown, thrown);
  }

  /** The program that runs here. */
  public FutharkProgram program() {
    return program;
  }

  /** The number of worker threads. */
  public int threads() {
    return threads;
  }

  /** Who runs the parallel regions. */
  Scheduler scheduler() {
    return scheduler;
  }

  /** The host's memory. */
  public Memory memory() {
    return memory;
  }

  /** The device that the program's kernels run on; null if it has none. */
  public @Nullable Accelerator accelerator() {
    return accelerator;
  }

  /** Where the arrays of arguments and results lie: on the device, if there is one. */
  public ValueSpace values() {
    return accelerator == null ? memory : accelerator;
  }

  /** How much of each memory has been used: the host's first. */
  public List<MemoryUse> memoryUse() {
    return accelerator == null
        ? List.of(memory.use())
        : List.of(memory.use(), accelerator.memoryUse());
  }

  /** Lets the peaks of all memories start again from what is in use now. */
  public void resetPeaks() {
    memory.resetPeak();
    if (accelerator != null) {
      accelerator.resetPeak();
    }
  }

  /** Gives back the memory that is kept for later. */
  public void trim() {
    memory.clear();
    if (accelerator != null) {
      accelerator.trim();
    }
  }

  /** What has been measured, when {@link #profiling()}. */
  public Profile profile() {
    return profile;
  }

  /**
   * The value of a tuning parameter, by its position in {@link FutharkProgram#tuningParameters}.
   */
  public long tuning(int index) {
    return tuning.get(index);
  }

  /**
   * As {@link #tuning(int)}, for a parameter whose default the program computes.
   *
   * @param defaultValue its value if it is 0, or nobody sets it
   */
  public long tuning(int index, long defaultValue) {
    long set = tuning.get(index);
    return set == 0 ? defaultValue : set;
  }

  /**
   * Whether a tuning parameter, a threshold, is at most a value; the log says so in the form that
   * tuning tools read.
   */
  public boolean isReached(int index, long value) {
    boolean reached = tuning.get(index) <= value;
    if (logging) {
      log("Compared " + tuning.name(index) + " <= " + value + ": " + reached + ".");
    }
    Comparisons listener = comparisons;
    if (listener != null) {
      listener.compared(tuning.name(index), value, reached);
    }
    return reached;
  }

  /** Sets who is told of comparisons from now on; null: nobody. */
  public void setComparisons(@Nullable Comparisons listener) {
    comparisons = listener;
  }

  /**
   * Sets a tuning parameter; 0 means its default.
   *
   * @return whether the program has a parameter of that name
   */
  public boolean setTuning(String name, long value) {
    boolean known = tuning.set(name, value, messages);
    host = tuning.host();
    return known;
  }

  /** What the tuning parameters say about the run time on the host. */
  HostTuning host() {
    return host;
  }

  /** Whether to make additional checks, at the cost of speed. */
  public boolean debugging() {
    return debugging;
  }

  /** Whether to log what happens with {@link #log}. */
  public boolean logging() {
    return logging;
  }

  /** Whether regions are to be measured. */
  public boolean profiling() {
    return profiling;
  }

  /** Writes a line to the log if there is one. */
  public void log(String line) {
    if (logging) {
      messages.println(line);
    }
  }

  /**
   * Writes a traced value, whatever the settings.
   *
   * @param tag what was traced
   */
  public void trace(String tag, String value) {
    messages.println(tag + ": " + value);
  }

  /** The time to hand to {@link #endRegion}; 0 when not profiling. */
  long beginRegion() {
    return profiling ? System.nanoTime() : 0;
  }

  /**
   * Records that a region has run.
   *
   * @param name of the region, the same at each run
   * @param provenance where it comes from in the source, or {@code unknown}
   * @param begin what {@link #beginRegion} returned before the region
   * @param tasks how many tasks it had
   */
  void endRegion(String name, String provenance, long begin, int tasks) {
    if (profiling) {
      Map<String, String> details = Map.of("tasks", Integer.toString(tasks));
      profile.record(
          new Profile.Event(name, provenance, begin, System.nanoTime() - begin, 0, details));
    }
  }

  /**
   * Makes the call that runs now fail soon; for other threads. Calls that wait for their turn, and
   * later ones, do not notice.
   */
  public void cancel() {
    call.cancel();
  }

  /**
   * Called for each task of a parallel region, and by loops when there is reason to.
   *
   * @throws FutharkError if the call that runs now has been cancelled
   */
  public void checkCancelled() {
    call.check();
  }

  /**
   * Ends the call that runs now and the worker threads, and gives up the device if it is this
   * context's own. Calls that wait for their turn fail.
   *
   * @throws IllegalStateException if the call that runs does it itself
   */
  @Override
  public void close() {
    if (queue.worksForCaller()) {
      throw new IllegalStateException("a call cannot close its own context");
    }
    closing = true;
    cancel();
    queue.exclusively(
        () -> {
          if (closed) {
            return;
          }
          closed = true;
          program.close();
          if (accelerator != null && ownsAccelerator) {
            accelerator.close();
          }
          scheduler.close();
        });
  }
}
