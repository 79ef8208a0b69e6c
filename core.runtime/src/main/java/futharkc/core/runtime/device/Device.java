package futharkc.core.runtime.device;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.ArrayStore;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.CacheFolder;
import futharkc.core.runtime.CallQueue;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.MemoryUse;
import futharkc.core.runtime.Profile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open device with one queue. The queue runs work in order, while the host continues.
 *
 * <p>After an illegal operation of a kernel, such as a write outside its blocks, the driver drops
 * everything on the device. The device is then opened again, and the error reports this. Blocks and
 * kernels from before are lost; using them is an error.
 *
 * <p>Offsets and sizes of blocks are in bytes. Any thread may call the methods, one thread at a
 * time. Several threads may call the methods on values concurrently, also while programs run.
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

  /** The reason why the device is unusable, though not closed; null if it is usable. */
  private @Nullable String gone;

  private final ScalarReads reads = new ScalarReads();

  /**
   * The number of kernel launches. The host's knowledge of block contents is valid until the next
   * launch.
   */
  private long epoch;

  // The counters of {@link #activity}; {@link ScalarReads} counts transfers to the host.
  private long elements;
  private long waits;
  private long writes;
  private long bytesWritten;

  /** True if the queue has been empty since the host last waited for it. */
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
   * Opens the device that the options select.
   *
   * @throws FutharkError if there is no such device, or it cannot be opened
   */
  public static Device open(DeviceApi api, DeviceOptions options) {
    DeviceInfo info = DeviceChoice.choose(api, options);
    try {
      return new Device(api, info, options);
    } catch (DriverException e) {
      throw new FutharkError("Device " + info.name() + " cannot be opened: " + e.getMessage(), "");
    }
  }

  /** Returns the properties of the device. */
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

  /** Returns the reason why kernels are compiled at each start although the user has a cache. */
  @Override
  public @Nullable String note() {
    String refusal = options.caching() ? CacheFolder.refusal("kernels") : null;
    return refusal == null
        ? null
        : "Note: the cache is not used. "
            + refusal
            + " FUTHARKC_CACHE can name a folder that only you can write to.";
  }

  // Kernels.

  /**
   * Loads the kernels of a program, from the cache if they are cached.
   *
   * @param source the kernels
   * @param macros the macros of the source text, with their values
   * @throws FutharkError if the kernels cannot be compiled or loaded
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
   * Compiles a program's kernels to a readable form, if the interface has one, for the {@code
   * --dump-} options.
   *
   * @param source the kernels
   * @param macros the macros of the source text, with their values
   * @throws FutharkError if the kernels cannot be compiled
   */
  public byte[] portable(KernelSource source, Map<String, Long> macros) {
    return guarded(() -> new KernelBinaries(this, source, macros).portable());
  }

  /** Enqueues a one-dimensional kernel launch: see the general form. */
  public void launch(Kernel kernel, int shared, long grid, int block, long bytes) {
    launch(kernel, shared, grid, 1, 1, block, 1, 1, bytes);
  }

  /**
   * Enqueues a kernel launch with the current {@link Kernel#arguments}. A launch without thread
   * blocks has no effect.
   *
   * @param kernel the kernel
   * @param shared the shared memory of a thread block in bytes
   * @param gridX the number of thread blocks in the first dimension
   * @param gridY the number of thread blocks in the second dimension
   * @param gridZ the number of thread blocks in the third dimension
   * @param blockX the number of threads in the first dimension of a thread block
   * @param blockY the number of threads in the second dimension of a thread block
   * @param blockZ the number of threads in the third dimension of a thread block
   * @param bytes the estimated memory traffic in bytes, for the report; 0 if unknown
   * @throws FutharkError if the sizes exceed the limits of the device or the kernel
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
      endReads();
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
   * Allocates a block for a program's array.
   *
   * @param bytes the least size in bytes; negative sizes count as 0
   * @param what the purpose, in words, such as {@code array xs}
   * @param place the source position, as in {@code file.fut:3:5-9}; empty if unknown
   * @throws FutharkError if there is not enough memory, or no block can be that long
   */
  public Buffer allocate(long bytes, String what, String place) {
    return guarded(() -> pool.allocate(driver, bytes, what, place));
  }

  /** Allocates a block for data of the run time itself, which reports do not count. */
  Buffer allocateOwn(long bytes, String what) {
    return guarded(() -> pool.allocateOwn(driver, bytes, what));
  }

  void release(Buffer buffer) {
    if (reads.arePending(buffer)) {
      guarded(this::issueReads);
    }
    pool.release(buffer);
  }

  /** Copies bytes of a block to another block, or within a block if the ranges do not overlap. */
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

  /** Copies bytes of a block to another block, or within a block; the ranges may overlap. */
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
   * Fills a range of a block with equal elements, or writes a scalar.
   *
   * @param buffer the block
   * @param offset the offset in bytes, a multiple of the width
   * @param width the size of an element in bytes: 1, 2, 4 or 8
   * @param bits the bits of the element
   * @param count the number of elements
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
    if (buffer.isReported()) {
      writes++;
      bytesWritten += width * count;
    }
  }

  /** Copies elements into a Java array, and waits for the transfer: see {@link ArrayStore#read}. */
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
    waits++;
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
    writes++;
    bytesWritten += (long) width * count;
  }

  /**
   * Waits for all enqueued work, and begins a statement on copies of blocks in the host's memory.
   *
   * @throws FutharkError if a kernel has failed
   */
  public HostCopies copies() {
    synchronise();
    return new HostCopies(this);
  }

  /** Copies a whole block to the host's memory, and waits for the transfer. */
  void read(Buffer buffer, MemorySegment target) {
    long source = buffer.handle();
    timed("copy_dev_to_host", target.byteSize(), () -> Transfers.read(driver, source, target));
  }

  /** Replaces a whole block by a copy in the host's memory. */
  void write(Buffer buffer, MemorySegment source) {
    long target = buffer.handle();
    timed("copy_host_to_dev", source.byteSize(), () -> Transfers.write(driver, target, source));
    buffer.change();
    if (buffer.isReported()) {
      writes++;
      bytesWritten += source.byteSize();
    }
  }

  // Scalars.

  /**
   * Reads a scalar, and waits for the transfer.
   *
   * @param buffer the block
   * @param offset the offset in bytes
   * @param width the size of the scalar in bytes
   * @return the bits, zero-extended
   * @throws FutharkError if a kernel has failed
   */
  public long readScalar(Buffer buffer, long offset, int width) {
    int i = ask(buffer, offset, width);
    await(i);
    return answer(i);
  }

  /**
   * Requests the current value of a scalar. Each request is awaited and answered once, unless the
   * call fails before. Several requests can share one wait. The value of a scalar outside the block
   * is undefined.
   *
   * @param buffer the block
   * @param offset the offset in bytes
   * @param width the size of the scalar in bytes
   * @return the number of the request, for {@link #await} and {@link #answer}
   */
  public int ask(Buffer buffer, long offset, int width) {
    buffer.handle();
    if (offset < 0 || offset > buffer.asked() - width) {
      return reads.know(0);
    }
    elements++;
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
   * Waits for requested scalars, but not for work that was enqueued after the requests. The host
   * does not wait if it knows all of the scalars from earlier reads.
   *
   * @throws FutharkError if the host waits, and a kernel has failed that was enqueued before the
   *     requests
   */
  public void await(int... requests) {
    checkOpen();
    ScalarReads.Batch last = null;
    for (int request : requests) {
      ScalarReads.Batch batch = reads.batch(request);
      if (batch != null && (last == null || reads.isLater(batch, last))) {
        last = batch;
      }
    }
    if (last == null) {
      return;
    }
    if (last.event() == 0) {
      synchronise();
      return;
    }
    try {
      waits++;
      driver.await(last.event());
      reads.settle(driver, last.event());
    } catch (DriverException e) {
      throw failure(e);
    }
    boolean hasFailed = false;
    for (int word : last.words()) {
      hasFailed |= (int) reads.answer(word) >= 0;
    }
    if (hasFailed) {
      synchronise();
    }
  }

  /** Returns the bits of a scalar that the host has awaited, zero-extended. */
  public long answer(int request) {
    return reads.answer(request);
  }

  /** Enqueues the transfers of requested scalars. */
  private void issueReads() {
    if (reads.pendingBytes() > 0) {
      enqueued("copy_scalar_from_dev", reads.pendingBytes(), () -> reads.issue(driver));
    }
  }

  /** Ends the batch of requested scalars, before other work is enqueued. */
  private void endReads() {
    if (!reads.areOpen()) {
      return;
    }
    int[] words = new int[watched.size()];
    for (int i = 0; i < words.length; i++) {
      if (reads.isFull(driver)) {
        awaitReads();
      }
      words[i] = reads.ask(driver, watched.get(i).buffer(), 0, Integer.BYTES, epoch);
    }
    issueReads();
    reads.end(driver.record(), words);
  }

  private void awaitReads() {
    issueReads();
    waits++;
    driver.synchronise();
    reads.settle(driver);
  }

  // Waiting.

  @Override
  public void synchronise() {
    checkOpen();
    if (idle && watched.isEmpty() && reads.areKnown()) {
      return;
    }
    try {
      FutharkError failure = null;
      do {
        List<Integer> words = new ArrayList<>();
        while (words.size() < watched.size() && !reads.isFull(driver)) {
          Buffer word = watched.get(words.size()).buffer();
          words.add(reads.ask(driver, word, 0, Integer.BYTES, epoch));
        }
        awaitReads();
        for (int i = 0; i < words.size(); i++) {
          int first = (int) reads.answer(words.get(i));
          FutharkError next = watched.get(i).failure(driver, first);
          failure = failure == null ? next : failure;
        }
        watched.subList(0, words.size()).clear();
      } while (!watched.isEmpty());
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
        yield new FutharkError("Out of memory. " + what, "", FutharkError.Kind.MEMORY);
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
              + ". Restart the process.";
      return new FutharkError(gone, "", FutharkError.Kind.DEVICE);
    }
    return new FutharkError(
        "Failure on the device: " + reason + ". The device has been opened again and is usable.",
        "",
        FutharkError.Kind.DEVICE);
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
    Runnable release = pool.savepoint();
    return () -> {
      reads.abandon(driver);
      release.run();
    };
  }

  // Reports.

  @Override
  public void profiling(boolean on) {
    profiling = on;
  }

  /** Enqueues work and measures it if profiling is on. */
  private void timed(String name, long bytes, Runnable work) {
    guarded(
        () -> {
          endReads();
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

  /** Adds the times of the work in the queue to a profile; all work must be finished. */
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
  public DeviceActivity activity() {
    return new DeviceActivity(
        epoch,
        reads.transfers(),
        elements,
        waits,
        writes,
        pool.copies(),
        reads.transferredBytes(),
        bytesWritten);
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
   * Waits for the running call, and closes the device. Later calls fail, and values on the device
   * are lost.
   *
   * @throws IllegalStateException if the running call invokes this method
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
