package futharkc.core.runtime;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a compiled program: its worker threads, memory, tuning parameters, profile and
 * messages.
 *
 * <p>A context runs one call at a time; calls from several threads wait for each other, in order of
 * arrival. A call ends early if it is {@linkplain #cancel cancelled}, or if its calling thread is
 * interrupted. Compiled programs check for both at least every 100 ms.
 */
public final class Context implements AutoCloseable {
  /** The largest number of worker threads: the limit of a pool of the JVM. */
  public static final int MOST_THREADS = 32_767;

  /** The flag that long loops of generated code test. */
  public static final Cancelling CANCELLING = new Cancelling();

  private final FutharkProgram program;
  private final int threads;
  private final Scheduler scheduler;
  private final Memory memory;
  private final Profile profile = new Profile();
  private final TuningValues tuning;
  private HostTuning host;
  private volatile @Nullable Comparisons comparisons;
  private volatile @Nullable ObjIntConsumer<Value> events;
  private final boolean debugging;
  private volatile boolean logging;
  private final boolean profiling;
  private final PrintStream messages;
  private final ThreadLocal<StringBuilder> traced = ThreadLocal.withInitial(StringBuilder::new);
  private final @Nullable Accelerator accelerator;
  private final boolean ownsAccelerator;
  private boolean initialised;

  /** The value of {@link Accelerator#resets} when the program was initialised. */
  private int initialisedAt;

  private final CallQueue queue;
  private boolean closed;

  /** True while a thread waits to close the context; running calls end early. */
  private volatile boolean closing;

  private DeviceActivity activity = DeviceActivity.NONE;

  /** The running call, or the last one. */
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
    // Host code of a program with kernels has no parallel regions, and a hand-over to a worker
    // would cost more than it gains.
    threads = accelerator == null ? builder.threads : 1;
    scheduler =
        accelerator == null
            ? Scheduler.of(builder.scheduling, threads, queue::caller)
            : new CallerThread();
    memory = new Memory("default", Runtime.getRuntime().maxMemory() / 2, builder.debugging);
    tuning = builder.tuning;
    if (accelerator != null) {
      tuning.fit(accelerator, builder.messages);
      String note = accelerator.note();
      if (note != null) {
        builder.messages.println(note);
      }
    }
    host = tuning.host();
    debugging = builder.debugging;
    logging = builder.logging || builder.debugging;
    profiling = builder.profiling || builder.debugging;
    messages = builder.messages;
  }

  /**
   * Returns a builder of a context. A program has at most one context.
   *
   * @param messages the stream for messages and traces
   */
  public static Builder of(FutharkProgram program, PrintStream messages) {
    return new Builder(program, messages);
  }

  /** A builder of contexts. */
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

    /**
     * Sets the number of worker threads. The default is the number of processors.
     *
     * @throws IllegalArgumentException if the number is not from 1 to {@link #MOST_THREADS}
     */
    public Builder threads(int n) {
      if (n < 1 || n > MOST_THREADS) {
        throw new IllegalArgumentException("number of threads: " + n);
      }
      threads = n;
      return this;
    }

    /** Sets the method by which threads get the tasks of parallel regions. */
    public Builder scheduling(Scheduling how) {
      scheduling = how;
      return this;
    }

    /** Switches additional checks, logging and profiling on or off. */
    public Builder debugging(boolean on) {
      debugging = on;
      return this;
    }

    /** Switches logging on or off. */
    public Builder logging(boolean on) {
      logging = on;
      return this;
    }

    /** Switches the measurement of regions on or off. */
    public Builder profiling(boolean on) {
      profiling = on;
      return this;
    }

    /**
     * Sets the device for the program's kernels. Several programs may share the device, so closing
     * the context does not close it. By default the program opens its own device.
     */
    public Builder accelerator(Accelerator device) {
      accelerator = device;
      return this;
    }

    /** Sets the action that opens the device; closing the context closes the device. */
    public Builder accelerator(Supplier<? extends Accelerator> open) {
      opening = open;
      return this;
    }

    /**
     * Sets a tuning parameter, or, for a name such as {@code default_threshold}, all parameters of
     * a class that are not set otherwise. The value 0 stands for the default.
     *
     * @param name the name of the parameter or class
     * @param value the value
     * @return true if the program has the parameter, or the class exists
     */
    public boolean tuning(String name, long value) {
      return tuning.set(name, value, messages);
    }

    /**
     * Sets all tuning parameters of a class that are not set otherwise, such as {@code threshold},
     * for all arguments of the class.
     */
    public void tuningClass(String paramClass, long value) {
      tuning.setClass(paramClass, value);
    }

    /**
     * Creates the context.
     *
     * @throws FutharkError if the program needs a device, and no device can be opened
     */
    public Context build() {
      return new Context(this);
    }
  }

  /** A listener to comparisons of thresholds, which select versions of code. */
  public interface Comparisons {
    /**
     * Receives one comparison.
     *
     * @param parameter the name of the threshold
     * @param value the value that was compared with the threshold
     * @param reached true if the threshold is at most the value
     */
    void compared(String parameter, long value, boolean reached);
  }

  /**
   * Runs an entry point on the worker threads.
   *
   * @param entry the entry point
   * @param args one value for each parameter, of its type; arrays in other memories are copied to
   *     the program's
   * @return the result, of the entry point's result type
   * @throws FutharkError for a run-time error of the program, lack of memory included, and if the
   *     call is cancelled or this thread interrupted; its interrupt status stays set
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

  /**
   * Records a transferred array. A method instead of a lambda avoids the creation of a class in the
   * first call.
   */
  private static void keep(List<ArrayStore> transferred, Object block) {
    for (int i = transferred.size() - 1; i >= 0; i--) {
      if (transferred.get(i).block() == block) {
        transferred.remove(i);
      }
    }
  }

  /**
   * Runs an action on a worker thread. Calls from the action run on the same thread, which saves
   * the hand-over of tens of microseconds. Other threads' calls may wait meanwhile, and an
   * interrupt of the current thread has no effect.
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
   * Runs {@link FutharkProgram#initialise} unless the program is initialised. {@link #run} does
   * this too.
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
   * Waits for outstanding work of the device, such as copies of values, so that a measured call
   * does not include it.
   *
   * @throws FutharkError if the work has failed
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

  /** Performs the work of a call. */
  private Value[] perform(@Nullable EntryPoint entry, Value[] args) {
    DeviceActivity before = DeviceActivity.NONE;
    if (accelerator != null) {
      accelerator.profiling(profiling);
      before = accelerator.activity();
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
      throw first(e);
    } finally {
      if (!done) {
        undo.run();
      }
      if (accelerator != null) {
        activity = activity.plus(accelerator.activity().since(before));
      }
    }
  }

  /** Runs a call to its end, even after a cancellation, because the call uses its arguments. */
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
      throw interrupted
          ? new FutharkError("Interrupted.", "", FutharkError.Kind.STOPPED)
          : asError(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns a {@link ValueSpace#savepoint} of all memories that this context owns. */
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

  /**
   * Waits for the kernels of a call that has failed.
   *
   * @return the failure that comes first in the program: that of a kernel that the call had
   *     launched before the host failed, if there is one
   */
  private FutharkError first(FutharkError ofHost) {
    try {
      finish();
      return ofHost;
    } catch (FutharkError ofKernel) {
      return ofKernel;
    }
  }

  private RuntimeException asError(Throwable thrown) {
    Throwable t = thrown;
    for (; t != null; t = t.getCause()) {
      if (t instanceof FutharkError e) {
        return e;
      }
      if (t instanceof OutOfMemoryError e) {
        memory.clear();
        return FutharkError.of(e);
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

  /** Returns the program of this context. */
  public FutharkProgram program() {
    return program;
  }

  /** Returns the number of worker threads. */
  public int threads() {
    return threads;
  }

  /** Returns the scheduler of parallel regions. */
  Scheduler scheduler() {
    return scheduler;
  }

  /** Returns the host's memory. */
  public Memory memory() {
    return memory;
  }

  /** Returns the device for the program's kernels; null if the program has none. */
  public @Nullable Accelerator accelerator() {
    return accelerator;
  }

  /** Returns the memory of arguments and results: the device's if there is one. */
  public ValueSpace values() {
    return accelerator == null ? memory : accelerator;
  }

  /** Returns the use of each memory, the host's first. */
  public List<MemoryUse> memoryUse() {
    return accelerator == null
        ? List.of(memory.use())
        : List.of(memory.use(), accelerator.memoryUse());
  }

  /**
   * Returns the operations of this program's calls on its device, since the start or the last
   * reset. Transfers of arguments and results are not part of a call.
   */
  public DeviceActivity activity() {
    return activity;
  }

  /** Resets {@link #activity}. */
  public void resetActivity() {
    activity = DeviceActivity.NONE;
  }

  /** Resets the peaks of all memories to the current use. */
  public void resetPeaks() {
    memory.resetPeak();
    if (accelerator != null) {
      accelerator.resetPeak();
    }
  }

  /** Frees recycled memory. */
  public void trim() {
    memory.clear();
    if (accelerator != null) {
      accelerator.trim();
    }
  }

  /** Returns the profile; it is filled while {@link #profiling()}. */
  public Profile profile() {
    return profile;
  }

  /**
   * Returns the value of a tuning parameter.
   *
   * @param index the position in {@link FutharkProgram#tuningParameters}
   */
  public long tuning(int index) {
    return tuning.get(index);
  }

  /**
   * Returns the value of a tuning parameter whose default the program computes.
   *
   * @param index the position in {@link FutharkProgram#tuningParameters}
   * @param defaultValue the value if the parameter is 0 or not set
   */
  public long tuning(int index, long defaultValue) {
    long set = tuning.get(index);
    return set == 0 ? defaultValue : set;
  }

  /**
   * Tests whether a threshold is at most a value. The log records the comparison in the format of
   * tuning tools.
   *
   * @param index the position of the threshold in {@link FutharkProgram#tuningParameters}
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

  /** Sets the listener to comparisons; null for none. */
  public void setComparisons(@Nullable Comparisons listener) {
    comparisons = listener;
  }

  /**
   * Sets a tuning parameter; 0 stands for the default.
   *
   * @return true if the program has a parameter of that name
   */
  public boolean setTuning(String name, long value) {
    boolean known = tuning.set(name, value, messages);
    host = tuning.host();
    return known;
  }

  /** Returns the costs on the host, as the tuning parameters give them. */
  HostTuning host() {
    return host;
  }

  /** Tests whether additional, slow checks are on. */
  public boolean debugging() {
    return debugging;
  }

  /** Tests whether {@link #log} writes messages. */
  public boolean logging() {
    return logging;
  }

  /** Switches {@link #log} on or off. */
  public void setLogging(boolean on) {
    logging = on;
  }

  /** Tests whether regions are measured. */
  public boolean profiling() {
    return profiling;
  }

  /** Writes a line to the log if logging is on. */
  public void log(String line) {
    if (logging) {
      messages.println(line);
    }
  }

  /**
   * Writes a text that the program traces, independent of the settings. The text of a thread
   * appears when it ends with a line break, so that threads do not mix their lines.
   */
  public void trace(String text) {
    StringBuilder line = traced.get();
    line.append(text);
    if (text.endsWith("\n")) {
      messages.print(line);
      messages.flush();
      traced.remove();
    }
  }

  /**
   * Sets the listener to the operands of a debugger's events and to the events' numbers; null for
   * none. The program waits until the listener returns.
   */
  public void setEvents(@Nullable ObjIntConsumer<Value> listener) {
    events = listener;
  }

  /** Passes an operand of an event to the listener. */
  public void event(Value operand, int event) {
    ObjIntConsumer<Value> listener = events;
    if (listener != null) {
      listener.accept(operand, event);
    }
  }

  /** Returns the start time for {@link #endRegion}; 0 if profiling is off. */
  long beginRegion() {
    return profiling ? System.nanoTime() : 0;
  }

  /**
   * Records the end of a region.
   *
   * @param name the name of the region, the same at each run
   * @param provenance the source position of the region, or {@code unknown}
   * @param begin the result of {@link #beginRegion} before the region
   * @param tasks the number of tasks of the region
   */
  void endRegion(String name, String provenance, long begin, int tasks) {
    if (profiling) {
      Map<String, String> details = Map.of("tasks", Integer.toString(tasks));
      profile.record(
          new Profile.Event(name, provenance, begin, System.nanoTime() - begin, 0, details));
    }
  }

  /**
   * Makes the running call fail soon. Waiting and later calls are not affected. Another thread than
   * that of the call invokes this method.
   */
  public void cancel() {
    call.cancel();
  }

  /**
   * Checks for cancellation; called for each task of a parallel region, and by loops while {@link
   * Cancelling.Watch#on}.
   *
   * @throws FutharkError if the running call has been cancelled
   */
  public void checkCancelled() {
    call.check();
  }

  /**
   * Ends the running call and the worker threads, and closes the device if the context owns it.
   * Waiting calls fail.
   *
   * @throws IllegalStateException if the running call invokes this method
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
