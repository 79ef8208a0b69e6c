package futharkc.core.runtime.device;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.ArrayStore;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.CallQueue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.MemoryUse;
import futharkc.core.runtime.Profile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open device, with one queue: what is put into it is done in order, while the host goes on.
 *
 * <p>If a kernel does what it must not, such as writing outside of its blocks, the driver gives up
 * everything on the device. Then the device is opened again, and the error says so; blocks and
 * kernels from before that are lost, and using them is an error.
 *
 * <p>Offsets and sizes of blocks are in bytes. All methods may be called from any thread, one at a
 * time; those about values by any number of threads, also while programs run on the device.
 */
public final class Device implements Accelerator {
  private final DeviceApi api;
  private final DeviceInfo info;
  private final DeviceOptions options;
  private final BufferPool pool;
  private final CallQueue queue = new CallQueue();
  private final List<FailureWord> watched = new ArrayList<>();
  private final List<PendingTiming> timings = new ArrayList<>();
  private Driver driver;
  private boolean profiling;
  private int resets;
  private boolean closed;

  /** Why nothing can be done with it any more, though it is not closed; null if that is not so. */
  private @Nullable String gone;

  private final ScalarReads reads = new ScalarReads();

  /** How many kernels have been launched: what the host knows of blocks is true until the next. */
  private long epoch;

  /** Whether nothing has been put into the queue since the host has last waited for it. */
  private boolean idle;

  private record PendingTiming(
      long timing, String name, String provenance, long bytes, Map<String, String> details) {}

  private Device(DeviceApi api, DeviceInfo info, DeviceOptions options) {
    this.api = api;
    this.info = info;
    this.options = options;
    driver = api.open(info, options);
    pool = new BufferPool(this);
  }

  /**
   * Opens the device that the options ask for.
   *
   * @throws FutharkError if there is none like that, or it cannot be opened
   */
  public static Device open(DeviceApi api, DeviceOptions options) {
    DeviceInfo info = DeviceChoice.choose(api, options);
    try {
      return new Device(api, info, options);
    } catch (DriverException e) {
      throw new FutharkError("Device " + info.name() + " cannot be opened: " + e.getMessage(), "");
    }
  }

  /** What it is and can do. */
  public DeviceInfo info() {
    return info;
  }

  Driver driver() {
    return driver;
  }

  DeviceOptions options() {
    return options;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public int resets() {
    return resets;
  }

  // Kernels.

  /**
   * Loads the kernels of a program, from the cache if they are there.
   *
   * @param macros that the source's text is compiled with
   * @throws FutharkError if they cannot be compiled, or loaded
   */
  public KernelProgram load(KernelSource source, Map<String, Long> macros) {
    if (source.doubles() != null && !info.limits().f64()) {
      throw new FutharkError(
          "Device "
              + info.name()
              + " does not compute in double precision, which the program needs: in "
              + source.doubles()
              + ".");
    }
    return guarded(() -> new KernelProgram(this, source, macros));
  }

  /**
   * A program's kernels, compiled anew to what can be read where there is such a form, as {@code
   * --dump-} options write them.
   *
   * @throws FutharkError if they cannot be compiled
   */
  public byte[] portable(KernelSource source, Map<String, Long> macros) {
    return guarded(() -> new KernelBinaries(this, source, macros).portable());
  }

  /** Puts a one-dimensional kernel into the queue: see the general form. */
  public void launch(Kernel kernel, int shared, long grid, int block, long bytes) {
    launch(kernel, shared, grid, 1, 1, block, 1, 1, bytes);
  }

  /**
   * Puts a kernel into the queue, with its {@link Kernel#arguments} as they are now. Without thread
   * blocks nothing happens.
   *
   * @param shared bytes of shared memory for each thread block
   * @param bytes how much the kernel moves to and from memory, as far as the sizes of what it reads
   *     and writes tell, for the report; 0 if not known
   * @throws FutharkError if the sizes are more than the device or the kernel can take
   */
  public void launch(
      Kernel kernel,
      int shared,
      long gridX,
      long gridY,
      long gridZ,
      int blockX,
      int blockY,
      int blockZ,
      long bytes) {
    if (gridX <= 0 || gridY <= 0 || gridZ <= 0) {
      return;
    }
    if (!kernel.isLoaded()) {
      guarded(kernel::loaded);
    }
    DeviceInfo.Limits limits = info.limits();
    if (gridX > limits.gridX()
        || gridY > limits.gridYz()
        || gridZ > limits.gridYz()
        || (long) blockX * blockY * blockZ > kernel.blockThreads()
        || blockX <= 0
        || blockY <= 0
        || blockZ <= 0
        || shared > kernel.sharedMemory()) {
      throw tooLarge(kernel, shared, gridX, gridY, gridZ, blockX, blockY, blockZ);
    }
    long handle = kernel.handle();
    long timing = 0;
    try {
      flush();
      idle = false;
      epoch++;
      if (profiling) {
        driver.beginTiming();
      }
      driver.launch(
          handle,
          kernel.arguments(),
          kernel.takesShared() ? Math.max(shared, 0) : -1,
          (int) gridX,
          (int) gridY,
          (int) gridZ,
          blockX,
          blockY,
          blockZ);
      if (profiling) {
        timing = driver.endTiming();
      }
    } catch (DriverException e) {
      throw failure(e);
    }
    if (profiling) {
      Map<String, String> details = new LinkedHashMap<>();
      details.put("kernel", kernel.name());
      details.put("grid", "(" + gridX + "," + gridY + "," + gridZ + ")");
      details.put("block", "(" + blockX + "," + blockY + "," + blockZ + ")");
      details.put("shared memory", Integer.toString(shared));
      timings.add(new PendingTiming(timing, kernel.name(), kernel.provenance(), bytes, details));
    }
  }

  private FutharkError tooLarge(
      Kernel kernel,
      int shared,
      long gridX,
      long gridY,
      long gridZ,
      int blockX,
      int blockY,
      int blockZ) {
    DeviceInfo.Limits limits = info.limits();
    return new FutharkError(
        String.format(
            "Kernel %s cannot be launched on device %s with %d*%d*%d thread blocks of %d*%d*%d"
                + " threads and %d bytes of shared memory: the limits are %d*%d*%d thread blocks,"
                + " %d threads, and %d bytes.",
            kernel.name(),
            info.name(),
            gridX,
            gridY,
            gridZ,
            blockX,
            blockY,
            blockZ,
            shared,
            limits.gridX(),
            limits.gridYz(),
            limits.gridYz(),
            kernel.blockThreads(),
            kernel.sharedMemory()),
        "");
  }

  // Memory.

  /**
   * A block of {@code bytes} or more; below 0 counts as 0.
   *
   * @param what it is for, in words, such as {@code array xs}
   * @param place in the program, as in {@code file.fut:3:5-9}; empty if not known
   * @throws FutharkError if there is not enough memory, or no block can be that long
   */
  public Buffer allocate(long bytes, String what, String place) {
    return guarded(() -> pool.allocate(driver, bytes, what, place));
  }

  /** Likewise, for what the run time keeps for itself: reports don't count it. */
  Buffer allocateOwn(long bytes, String what) {
    return guarded(() -> pool.allocateOwn(driver, bytes, what));
  }

  void release(Buffer buffer) {
    if (reads.arePending()) {
      guarded(this::flush);
    }
    pool.release(buffer);
  }

  /** Copies part of a block into another one, or to where they do not overlap. */
  public void copy(Buffer to, long toOffset, Buffer from, long fromOffset, long bytes) {
    if (bytes <= 0) {
      return;
    }
    long target = to.handle();
    long source = from.handle();
    timed(
        "copy_dev_to_dev",
        2 * bytes,
        () -> driver.copy(target, toOffset, source, fromOffset, bytes));
    to.change();
    pool.countCopy(bytes);
  }

  /** Copies part of a block into another one, or to any other place in it. */
  public void move(Buffer to, long toOffset, Buffer from, long fromOffset, long bytes) {
    long distance = Math.abs(toOffset - fromOffset);
    if (to != from || distance >= bytes) {
      copy(to, toOffset, from, fromOffset, bytes);
    } else if (distance > 0) {
      Buffer between = allocate(bytes, "a copy within a block", "");
      copy(between, 0, from, fromOffset, bytes);
      copy(to, toOffset, between, 0, bytes);
      release(between);
    }
  }

  /**
   * Fills part of a block with equal elements, or writes a scalar.
   *
   * @param width bytes of an element: 1, 2, 4 or 8; the offset is a multiple
   * @param bits the element
   */
  public void fill(Buffer buffer, long offset, int width, long bits, long count) {
    if (count <= 0) {
      return;
    }
    long target = buffer.handle();
    timed(
        count == 1 ? "copy_scalar_to_dev" : "fill",
        width * count,
        () -> driver.fill(target, offset, width, bits, count));
    buffer.write(offset, width, bits, count, epoch);
  }

  /** Copies elements into a Java array, and waits for that: see {@link ArrayStore#read}. */
  void read(Buffer buffer, ElemType type, long from, Object target, int at, int count) {
    if (count == 0) {
      return;
    }
    int width = type.bytes();
    long source = buffer.handle();
    timed(
        "copy_dev_to_host",
        (long) width * count,
        () -> Transfers.read(driver, source, width, from, target, at, count));
    if (!watched.isEmpty()) {
      synchronise();
    }
  }

  /** Copies elements from a Java array: see {@link ArrayStore#write}. */
  public void write(Buffer buffer, ElemType type, long to, Object source, int at, int count) {
    if (count == 0) {
      return;
    }
    int width = type.bytes();
    long target = buffer.handle();
    timed(
        "copy_host_to_dev",
        (long) width * count,
        () -> Transfers.write(driver, target, width, to, source, at, count));
    buffer.change();
  }

  // Scalars.

  /**
   * Reads a scalar, and waits for that.
   *
   * @param width its size in bytes
   * @return its bits, zero-extended
   * @throws FutharkError if a kernel has failed
   */
  public long readScalar(Buffer buffer, long offset, int width) {
    int i = fetch(buffer, offset, width);
    awaitFetched();
    return fetched(i);
  }

  /**
   * Asks for a scalar, as it is now: several can be asked for before one wait, which is {@link
   * #awaitFetched}.
   *
   * @return what {@link #fetched} takes
   */
  public int fetch(Buffer buffer, long offset, int width) {
    buffer.handle();
    ByteBuffer seen = buffer.seen(offset, width, epoch);
    if (seen != null) {
      return reads.know(ScalarReads.bits(seen, buffer.seenAt(offset), width));
    }
    if (reads.isFull(driver)) {
      guarded(this::awaitReads);
    }
    return reads.ask(driver, buffer, offset, width, epoch);
  }

  /**
   * Waits for the scalars that were asked for; not at all if the host knows them from an earlier
   * read, since no kernel has been launched.
   *
   * @throws FutharkError if it waits, and a kernel has failed
   */
  public void awaitFetched() {
    if (reads.areKnown()) {
      checkOpen();
      reads.finish();
    } else {
      synchronise();
    }
  }

  /** The bits of a scalar that was asked for before the last wait, zero-extended. */
  public long fetched(int i) {
    return reads.bits(i);
  }

  /** Puts the transfers of scalars that were asked for into the queue. */
  private void flush() {
    if (reads.arePending()) {
      enqueued("copy_scalar_from_dev", reads.pendingBytes(), () -> reads.issue(driver));
    }
  }

  private void awaitReads() {
    flush();
    driver.synchronise();
    reads.settle(driver);
  }

  // Waiting.

  @Override
  public void synchronise() {
    checkOpen();
    if (idle && watched.isEmpty() && reads.areKnown()) {
      reads.finish();
      return;
    }
    try {
      FutharkError failure = null;
      do {
        int words = 0;
        int first = 0;
        for (; words < watched.size() && !reads.isFull(driver); words++) {
          Buffer word = watched.get(words).buffer();
          int read = reads.ask(driver, word, 0, Integer.BYTES, epoch);
          first = words == 0 ? read : first;
        }
        awaitReads();
        for (int i = 0; i < words; i++) {
          FutharkError next = watched.get(i).failure(driver, (int) reads.bits(first + i));
          failure = failure == null ? next : failure;
        }
        watched.subList(0, words).clear();
      } while (!watched.isEmpty());
      reads.finish();
      idle = failure == null;
      if (failure != null) {
        throw failure;
      }
    } catch (DriverException e) {
      throw failure(e);
    }
  }

  void watch(FailureWord word) {
    watched.add(word);
  }

  // Failures of the driver.

  private interface Work<T> {
    T run();
  }

  private <T> T guarded(Work<T> work) {
    checkOpen();
    try {
      return work.run();
    } catch (DriverException e) {
      throw failure(e);
    }
  }

  private void guarded(Runnable work) {
    checkOpen();
    try {
      work.run();
    } catch (DriverException e) {
      throw failure(e);
    }
  }

  private void checkOpen() {
    if (gone != null) {
      throw new FutharkError(gone);
    }
    if (closed) {
      throw new IllegalStateException("device " + info.name() + " has been closed");
    }
  }

  private FutharkError failure(DriverException e) {
    String what = "Device " + info.name() + ": " + e.getMessage();
    return switch (e.kind()) {
      case LOST -> lost(e);
      case COMPILATION ->
          new FutharkError(
              "The program's kernels do not compile for device "
                  + info.name()
                  + ":\n"
                  + e.getMessage());
      case MEMORY -> {
        pool.trim(driver);
        yield new FutharkError("Out of memory. " + what);
      }
      case NO_COMPILER, BINARY, OTHER -> new FutharkError(what);
    };
  }

  private FutharkError lost(DriverException e) {
    String reason =
        "a kernel left device "
            + info.name()
            + " unusable ("
            + e.getMessage()
            + "), and all values on it are gone";
    pool.lose(reason);
    watched.forEach(FailureWord::forget);
    watched.clear();
    timings.clear();
    reads.forget();
    idle = false;
    resets++;
    try {
      driver.close();
      driver = api.open(info, options);
    } catch (DriverException | FutharkError again) {
      gone =
          "Failure on the device: "
              + reason
              + ". It cannot be opened again: "
              + again.getMessage()
              + ". The process has to be started anew.";
      return new FutharkError(gone);
    }
    return new FutharkError(
        "Failure on the device: " + reason + ". It has been opened again, and can be used.");
  }

  // Values.

  @Override
  public CallQueue queue() {
    return queue;
  }

  @Override
  public ArrayValue adopt(ArrayValue array) {
    return isHere(array.store()) ? array : copy(array);
  }

  private boolean isHere(ArrayStore store) {
    return store instanceof DeviceArray there && there.buffer().device() == this;
  }

  @Override
  public ArrayValue copy(ArrayValue array) {
    ArrayValue[] copy = new ArrayValue[1];
    queue.exclusively(() -> copy[0] = copyNow(array));
    return copy[0];
  }

  private ArrayValue copyNow(ArrayValue array) {
    Buffer buffer = allocate(array.bytes(), "a value", "");
    try {
      if (array.store() instanceof DeviceArray there && there.buffer().device() == this) {
        copy(buffer, 0, there.buffer(), 0, array.bytes());
      } else {
        write(buffer, array.elemType(), 0, array.data(), 0, array.length());
      }
    } catch (FutharkError e) {
      release(buffer);
      throw e;
    }
    return new ArrayValue(array.elemType(), array.shape(), new DeviceArray(buffer));
  }

  @Override
  public void release(ArrayStore store) {
    if (store instanceof DeviceArray there && there.buffer().device() == this) {
      queue.exclusively(() -> release(there.buffer()));
    }
  }

  @Override
  public Runnable savepoint() {
    return pool.savepoint();
  }

  // Reports.

  @Override
  public void profiling(boolean on) {
    profiling = on;
  }

  /** Puts something into the queue. */
  private void timed(String name, long bytes, Runnable work) {
    guarded(
        () -> {
          flush();
          enqueued(name, bytes, work);
        });
  }

  private void enqueued(String name, long bytes, Runnable work) {
    idle = false;
    if (!profiling) {
      work.run();
      return;
    }
    driver.beginTiming();
    work.run();
    long timing = driver.endTiming();
    timings.add(new PendingTiming(timing, name, "unknown", bytes, Map.of()));
  }

  /** Hands over the times of what is in the queue, which must be empty. */
  @Override
  public void report(Profile profile) {
    for (PendingTiming t : timings) {
      Driver.Timing measured = guarded(() -> driver.timing(t.timing));
      profile.record(
          new Profile.Event(
              t.name, t.provenance, measured.start(), measured.nanos(), t.bytes, t.details));
    }
    timings.clear();
  }

  @Override
  public long tuningDefault(String paramClass) {
    return TuningDefaults.value(paramClass, info);
  }

  @Override
  public long tuningMaximum(String paramClass) {
    return TuningDefaults.maximum(paramClass, info);
  }

  @Override
  public MemoryUse memoryUse() {
    return pool.use();
  }

  @Override
  public void resetPeak() {
    queue.exclusively(pool::resetPeak);
  }

  @Override
  public void trim() {
    queue.exclusively(() -> guarded(() -> pool.trim(driver)));
  }

  /**
   * Waits for the call that runs, if there is one, and closes the device: later calls, and values
   * that are left there, are errors.
   *
   * @throws IllegalStateException if a call does it itself
   */
  @Override
  public void close() {
    if (queue.worksForCaller()) {
      throw new IllegalStateException("a call cannot close its own device");
    }
    queue.exclusively(this::closeNow);
  }

  private void closeNow() {
    if (!closed) {
      closed = true;
      pool.lose("device " + info.name() + " has been closed");
      if (gone == null) {
        driver.close();
      }
    }
  }
}
