package futharkc.backend.cuda.runtime;

import static jcuda.driver.CUevent_flags.CU_EVENT_DISABLE_TIMING;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
import static jcuda.driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL;
import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;
import static jcuda.driver.CUresult.CUDA_SUCCESS;

import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.Driver;
import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.KernelArguments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * One CUDA device, in its own context. Blocks and functions are native addresses.
 *
 * <p>The stream and the default stream wait for each other, since transfers of Java arrays use the
 * default stream.
 */
final class CudaDriver implements Driver {
  private static final int STAGING_BYTES = 32 << 10;

  /** The size up to which the driver copies the source before it returns, in bytes. */
  private static final int SHORT_BYTES = 8 << 10;

  /** The handle of the default stream. */
  private static final long DEFAULT_STREAM = 0;

  /** The driver whose context is current in the thread. */
  private static final ThreadLocal<@Nullable CudaDriver> CURRENT = new ThreadLocal<>();

  private final DeviceInfo info;
  private final boolean unified;
  private final CudaObjects.Context context = new CudaObjects.Context();
  private final long contextAddress;
  private final CudaObjects.Stream stream = new CudaObjects.Stream();
  private final long streamAddress;
  private final Pointer stagingPointer = new Pointer();
  private final ByteBuffer staging;
  private final long stagingAddress;

  /** Memory through which short Java arrays are transferred; not pinned, see {@link #write}. */
  private final MemorySegment passage = Arena.ofAuto().allocate(SHORT_BYTES, Long.BYTES);

  private final Map<Long, CUmodule> modules = new HashMap<>();
  private long lastModule;
  private @Nullable Nvrtc nvrtc;

  /** The addresses of unused events without a time. */
  private final ArrayDeque<Long> freeMarks = new ArrayDeque<>();

  private final ArrayDeque<CUevent> freeEvents = new ArrayDeque<>();
  private final List<CUevent[]> timings = new ArrayList<>();
  private @Nullable CUevent begun;

  /**
   * The reference event of the device's clock; its time on this machine's clock is {@link
   * #epochNanos}.
   */
  private @Nullable CUevent epoch;

  private long epochNanos;

  CudaDriver(DeviceInfo info, boolean unified) {
    this.info = info;
    this.unified = unified;
    check(JCudaDriver.cuCtxCreate(context, 0, CudaApi.device(info.index())), "cuCtxCreate");
    contextAddress = context.address();
    CURRENT.set(this);
    check(JCudaDriver.cuStreamCreate(stream, 0), "cuStreamCreate");
    streamAddress = stream.address();
    check(JCudaDriver.cuMemAllocHost(stagingPointer, STAGING_BYTES), "cuMemAllocHost");
    staging = stagingPointer.getByteBuffer(0, STAGING_BYTES).order(ByteOrder.nativeOrder());
    stagingAddress = MemorySegment.ofBuffer(staging).address();
  }

  /** Makes the context current in this thread. */
  private void enter() {
    if (CURRENT.get() != this) {
      check(CudaFunctions.setContext(contextAddress), "cuCtxSetCurrent");
      CURRENT.set(this);
    }
  }

  private static void check(int status, String call) {
    if (status != CUDA_SUCCESS) {
      throw failure(status, call);
    }
  }

  static DriverException failure(int status, String call) {
    return new DriverException(kind(status), call + ": " + CUresult.stringFor(status));
  }

  private static DriverException.Kind kind(int status) {
    return switch (status) {
      case CUDA_ERROR_OUT_OF_MEMORY -> DriverException.Kind.MEMORY;
      case CUresult.CUDA_ERROR_INVALID_IMAGE,
          CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU,
          CUresult.CUDA_ERROR_INVALID_PTX,
          CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
          CUresult.CUDA_ERROR_INVALID_SOURCE,
          CUresult.CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
          CUresult.CUDA_ERROR_JIT_COMPILATION_DISABLED,
          CUresult.CUDA_ERROR_NOT_FOUND ->
          DriverException.Kind.BINARY;
      case CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUresult.CUDA_ERROR_INVALID_PC,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_UNKNOWN ->
          DriverException.Kind.LOST;
      default -> DriverException.Kind.OTHER;
    };
  }

  // Memory

  @Override
  public long allocate(long bytes) {
    enter();
    CudaObjects.DevicePointer place = new CudaObjects.DevicePointer();
    int status =
        unified
            ? JCudaDriver.cuMemAllocManaged(place, bytes, CU_MEM_ATTACH_GLOBAL)
            : JCudaDriver.cuMemAlloc(place, bytes);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    check(status, "cuMemAlloc");
    return place.address();
  }

  @Override
  public boolean blocksAreAddresses() {
    return true;
  }

  @Override
  public void free(long block) {
    enter();
    check(JCudaDriver.cuMemFree(new CudaObjects.DevicePointer(block)), "cuMemFree");
  }

  @Override
  public long freeMemory() {
    enter();
    long[] free = new long[1];
    long[] total = new long[1];
    return JCudaDriver.cuMemGetInfo(free, total) == CUDA_SUCCESS ? free[0] : -1;
  }

  @Override
  public void write(long block, long offset, Buffer source, long at, long bytes) {
    enter();
    if (bytes <= SHORT_BYTES) {
      MemorySegment.copy(MemorySegment.ofBuffer(source), at, passage, 0, bytes);
      // The driver copies short sources before it returns, so that no thread waits for the device.
      check(
          CudaFunctions.copyToDevice(block + offset, passage.address(), bytes, streamAddress),
          "cuMemcpyHtoDAsync");
      return;
    }
    Pointer from = Pointer.to(source).withByteOffset(at);
    check(
        JCudaDriver.cuMemcpyHtoD(new CudaObjects.DevicePointer(block + offset), from, bytes),
        "cuMemcpyHtoD");
    // The copy may still be running. Waiting for it keeps it out of measurements of the next call.
    check(CudaFunctions.synchronise(DEFAULT_STREAM), "cuStreamSynchronize");
  }

  @Override
  public void read(long block, long offset, Buffer target, long at, long bytes) {
    enter();
    check(
        JCudaDriver.cuMemcpyDtoH(
            Pointer.to(target).withByteOffset(at),
            new CudaObjects.DevicePointer(block + offset),
            bytes),
        "cuMemcpyDtoH");
  }

  @Override
  public ByteBuffer staging() {
    return staging;
  }

  @Override
  public void readLater(long block, long offset, long at, long bytes) {
    enter();
    check(
        CudaFunctions.copyToHost(stagingAddress + at, block + offset, bytes, streamAddress),
        "cuMemcpyDtoHAsync");
  }

  @Override
  public void copy(long to, long toOffset, long from, long fromOffset, long bytes) {
    enter();
    check(
        CudaFunctions.copyOnDevice(to + toOffset, from + fromOffset, bytes, streamAddress),
        "cuMemcpyDtoDAsync");
  }

  @Override
  public void fill(long block, long offset, int width, long bits, long count) {
    enter();
    long target = block + offset;
    int value = (int) bits;
    int status =
        switch (width) {
          case 1 -> CudaFunctions.fillBytes(target, value & 0xff, count, streamAddress);
          case 2 -> CudaFunctions.fillShorts(target, value & 0xffff, count, streamAddress);
          case 4 -> CudaFunctions.fillInts(target, value, count, streamAddress);
          default -> fillLongs(target, bits, count);
        };
    check(status, "cuMemsetAsync");
  }

  /**
   * Fills with 8-byte elements. CUDA has no such call, so the lower and upper halves are filled
   * separately.
   */
  private int fillLongs(long target, long bits, long count) {
    int low = (int) bits;
    int high = (int) (bits >> 32);
    if (low == high) {
      return CudaFunctions.fillInts(target, low, 2 * count, streamAddress);
    }
    int status =
        JCudaDriver.cuMemsetD2D32Async(
            new CudaObjects.DevicePointer(target), 8, low, 1, count, stream);
    return status != CUDA_SUCCESS
        ? status
        : JCudaDriver.cuMemsetD2D32Async(
            new CudaObjects.DevicePointer(target + 4), 8, high, 1, count, stream);
  }

  @Override
  public void synchronise() {
    enter();
    check(CudaFunctions.synchronise(streamAddress), "cuStreamSynchronize");
  }

  @Override
  public long record() {
    enter();
    Long event = freeMarks.poll();
    if (event == null) {
      CudaObjects.Event made = new CudaObjects.Event();
      check(JCudaDriver.cuEventCreate(made, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
      event = made.address();
    }
    check(CudaFunctions.record(event, streamAddress), "cuEventRecord");
    return event;
  }

  @Override
  public void await(long event) {
    enter();
    check(CudaFunctions.await(event), "cuEventSynchronize");
  }

  /** Keeps the event for {@link #record}; {@link #close} destroys it with the context. */
  @Override
  public void discard(long event) {
    freeMarks.add(event);
  }

  // Kernels

  private synchronized Nvrtc compiler() {
    Nvrtc known = nvrtc;
    if (known != null) {
      return known;
    }
    Nvrtc.Search search = Nvrtc.search(CudaLibrary.installedVersion());
    Nvrtc found = search.found();
    if (found == null) {
      throw new DriverException(
          DriverException.Kind.NO_COMPILER,
          "NVRTC, CUDA's compiler of kernels, was not found. " + search.explanation());
    }
    nvrtc = found;
    return found;
  }

  /** Returns true: NVRTC compiles different programs in several threads concurrently. */
  @Override
  public boolean compilesConcurrently() {
    return true;
  }

  @Override
  public byte[] compile(String source, List<String> options) {
    return compiler().compile(source, options, CudaApi.capability(info));
  }

  @Override
  public boolean checksPortable() {
    return true;
  }

  @Override
  public byte[] portable(String source, List<String> options) {
    return compiler().ptx(source, options, CudaApi.capability(info));
  }

  @Override
  public long load(byte[] binary) {
    enter();
    CUmodule module = new CUmodule();
    // Text must end in a zero byte, and a binary must not.
    byte[] terminated = Arrays.copyOf(binary, binary.length + 1);
    int status = JCudaDriver.cuModuleLoadData(module, terminated);
    if (status != CUDA_SUCCESS) {
      throw new DriverException(
          kind(status),
          "cuModuleLoadData: "
              + CUresult.stringFor(status)
              + (status == CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION
                  ? ": the compiler is newer than the driver; install a newer driver, or set"
                      + " CUDA_HOME to an older CUDA"
                  : ""));
    }
    modules.put(++lastModule, module);
    return lastModule;
  }

  @Override
  public void unload(long module) {
    enter();
    CUmodule loaded = modules.remove(module);
    if (loaded != null) {
      check(JCudaDriver.cuModuleUnload(loaded), "cuModuleUnload");
    }
  }

  @Override
  public NativeKernel kernel(long module, String name) {
    enter();
    CudaObjects.Function function = new CudaObjects.Function();
    check(
        JCudaDriver.cuModuleGetFunction(function, modules.get(module), name),
        "cuModuleGetFunction " + name);
    int shared = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    // The driver requires a request for more than 48 KiB.
    check(
        JCudaDriver.cuFuncSetAttribute(
            function,
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            Math.max(0, info.limits().sharedMemory() - shared)),
        "cuFuncSetAttribute");
    return new NativeKernel(
        function.address(),
        attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        shared,
        attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS));
  }

  private static int attribute(CudaObjects.Function function, int what) {
    int[] value = new int[1];
    check(JCudaDriver.cuFuncGetAttribute(value, what, function), "cuFuncGetAttribute");
    return value[0];
  }

  @Override
  public void launch(
      long kernel,
      KernelArguments arguments,
      int shared,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ) {
    enter();
    int status =
        CudaFunctions.launch(
            kernel,
            gridX,
            gridY,
            gridZ,
            blockX,
            blockY,
            blockZ,
            Math.max(shared, 0),
            streamAddress,
            arguments.addresses());
    check(status, "cuLaunchKernel");
  }

  // Measurements

  private CUevent recorded() {
    CUevent event = freeEvents.poll();
    if (event == null) {
      event = new CUevent();
      check(JCudaDriver.cuEventCreate(event, 0), "cuEventCreate");
    }
    check(JCudaDriver.cuEventRecord(event, stream), "cuEventRecord");
    return event;
  }

  @Override
  public void beginTiming() {
    enter();
    if (epoch == null) {
      epoch = recorded();
      synchronise();
      epochNanos = System.nanoTime();
    }
    begun = recorded();
  }

  @Override
  public long endTiming() {
    enter();
    CUevent start = begun;
    if (start == null) {
      throw new IllegalStateException("nothing is being measured");
    }
    begun = null;
    timings.add(new CUevent[] {start, recorded()});
    return timings.size();
  }

  @Override
  public Timing timing(long timing) {
    enter();
    CUevent[] pair = timings.get((int) timing - 1);
    long start = epochNanos + nanos(epoch, pair[0]);
    long nanos = nanos(pair[0], pair[1]);
    freeEvents.add(pair[0]);
    freeEvents.add(pair[1]);
    timings.set((int) timing - 1, new CUevent[0]);
    if (timing == timings.size()) {
      timings.clear();
    }
    return new Timing(start, nanos);
  }

  private static long nanos(@Nullable CUevent from, CUevent to) {
    float[] millis = new float[1];
    check(JCudaDriver.cuEventElapsedTime(millis, from, to), "cuEventElapsedTime");
    return (long) (millis[0] * 1e6);
  }

  /** Closes the context and all resources in it. */
  @Override
  public void close() {
    // An error has no consequence while the device is closing.
    CudaFunctions.setContext(contextAddress);
    JCudaDriver.cuMemFreeHost(stagingPointer);
    JCudaDriver.cuCtxDestroy(context);
    CURRENT.remove();
  }
}
