package futharkc.backend.opencl.runtime;

import static org.jocl.CL.CL_BUFFER_CREATE_TYPE_REGION;
import static org.jocl.CL.CL_DEVICE_SINGLE_FP_CONFIG;
import static org.jocl.CL.CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
import static org.jocl.CL.CL_INVALID_BINARY;
import static org.jocl.CL.CL_INVALID_COMMAND_QUEUE;
import static org.jocl.CL.CL_KERNEL_LOCAL_MEM_SIZE;
import static org.jocl.CL.CL_KERNEL_WORK_GROUP_SIZE;
import static org.jocl.CL.CL_MEM_OBJECT_ALLOCATION_FAILURE;
import static org.jocl.CL.CL_MEM_READ_WRITE;
import static org.jocl.CL.CL_OUT_OF_HOST_MEMORY;
import static org.jocl.CL.CL_OUT_OF_RESOURCES;
import static org.jocl.CL.CL_PROFILING_COMMAND_END;
import static org.jocl.CL.CL_PROFILING_COMMAND_START;
import static org.jocl.CL.CL_PROGRAM_BINARIES;
import static org.jocl.CL.CL_PROGRAM_BINARY_SIZES;
import static org.jocl.CL.CL_PROGRAM_BUILD_LOG;
import static org.jocl.CL.CL_QUEUE_PROFILING_ENABLE;
import static org.jocl.CL.CL_SUCCESS;

import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.Driver;
import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.KernelArguments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.cl_buffer_region;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_program;
import org.jspecify.annotations.Nullable;

/** One OpenCL device. Handles are the native pointers of OpenCL objects. */
final class OpenClDriver implements Driver {
  private static final int STAGING_BYTES = 32 << 10;
  private static final long FILLED_AT_A_TIME = 1 << 30;

  /** The alignment of sub-buffers that all devices accept, in bytes. */
  private static final long PART_ALIGNMENT = 4096;

  /** The status of NVIDIA's driver after a kernel has accessed memory outside its blocks. */
  private static final int NVIDIA_ILLEGAL_ACCESS = -9999;

  private final DeviceInfo info;
  private final cl_device_id device;

  /** True if {@link SignalTermination} ends the process after a signal. */
  private final boolean endsBySignal;

  private final cl_context context;
  private final Map<Long, cl_mem> blocks = new HashMap<>();
  private final Map<Long, cl_program> programs = new HashMap<>();
  private final Map<Long, cl_kernel> kernels = new HashMap<>();
  private final ByteBuffer staging;
  private final Pointer stagingPointer;

  /** Native memory for the sizes of a launch, and for results of calls. */
  private final ByteBuffer sizes;

  private final long sizesAddress;

  private cl_command_queue queue;
  private boolean measures;
  private boolean measuring;
  private final List<Long> events = new ArrayList<>();
  private final Map<Long, List<Long>> timings = new HashMap<>();
  private long lastTiming;

  /** The difference between this machine's clock and the device's, in nanoseconds. */
  private long clockOffset;

  /** The last compiled binary, whose program is loaded without another compilation. */
  private byte @Nullable [] compiled;

  private @Nullable cl_program compiledProgram;

  OpenClDriver(DeviceInfo info, cl_device_id device, boolean ownProcess) {
    this.info = info;
    endsBySignal = ownProcess && info.kind() == DeviceInfo.Kind.CPU;
    this.device = device;
    int[] status = new int[1];
    context =
        CL.clCreateContext(
            new cl_context_properties(), 1, new cl_device_id[] {device}, null, null, status);
    check(status[0], "clCreateContext");
    queue = newQueue(false);
    Arena arena = Arena.ofAuto();
    staging = arena.allocate(STAGING_BYTES, 64).asByteBuffer().order(ByteOrder.nativeOrder());
    stagingPointer = Pointer.toBuffer(staging);
    MemorySegment words = arena.allocate(8 * 8, 8);
    sizes = words.asByteBuffer().order(ByteOrder.nativeOrder());
    sizesAddress = words.address();
    if (endsBySignal) {
      SignalTermination.opened();
    }
  }

  private cl_command_queue newQueue(boolean profiling) {
    int[] status = new int[1];
    @SuppressWarnings(
        "deprecation") // OpenCL 1.2 does not have the function that replaces this one.
    cl_command_queue made =
        CL.clCreateCommandQueue(context, device, profiling ? CL_QUEUE_PROFILING_ENABLE : 0, status);
    check(status[0], "clCreateCommandQueue");
    return made;
  }

  private static void check(int status, String call) {
    if (status != CL_SUCCESS) {
      throw failure(status, call);
    }
  }

  /** Returns the error of a call with a status other than success. */
  static DriverException failure(int status, String call) {
    DriverException.Kind kind =
        switch (status) {
          case CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY ->
              DriverException.Kind.MEMORY;
          case CL_INVALID_BINARY -> DriverException.Kind.BINARY;
          case CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, NVIDIA_ILLEGAL_ACCESS ->
              DriverException.Kind.LOST;
          default -> DriverException.Kind.OTHER;
        };
    return new DriverException(kind, call + ": " + CL.stringFor_errorCode(status));
  }

  // Memory

  @Override
  public long allocate(long bytes) {
    int[] status = new int[1];
    cl_mem block = CL.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, null, status);
    if (status[0] == CL_SUCCESS && info.kind() == DeviceInfo.Kind.GPU) {
      // Drivers allocate memory at its first use; the write reports a lack of memory now.
      status[0] =
          CL.clEnqueueWriteBuffer(
              queue, block, true, bytes - 1, 1, Pointer.to(new byte[1]), 0, null, null);
      if (status[0] != CL_SUCCESS) {
        CL.clReleaseMemObject(block);
      }
    }
    switch (status[0]) {
      case CL_SUCCESS -> {
        blocks.put(block.getNativePointer(), block);
        return block.getNativePointer();
      }
      case CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES -> {
        return 0;
      }
      default -> throw failure(status[0], "clCreateBuffer");
    }
  }

  @Override
  public void free(long block) {
    check(CL.clReleaseMemObject(block(block)), "clReleaseMemObject");
    blocks.remove(block);
  }

  private cl_mem block(long handle) {
    cl_mem block = blocks.get(handle);
    if (block == null) {
      throw new IllegalArgumentException("no block " + handle);
    }
    return block;
  }

  @Override
  public long freeMemory() {
    return -1;
  }

  @Override
  public void write(long block, long offset, Buffer source, long at, long bytes) {
    cl_event event = newEvent();
    check(
        CL.clEnqueueWriteBuffer(
            queue,
            block(block),
            true,
            offset,
            bytes,
            Pointer.to(source).withByteOffset(at),
            0,
            null,
            event),
        "clEnqueueWriteBuffer");
    record(event);
  }

  @Override
  public void read(long block, long offset, Buffer target, long at, long bytes) {
    cl_event event = newEvent();
    check(
        CL.clEnqueueReadBuffer(
            queue,
            block(block),
            true,
            offset,
            bytes,
            Pointer.to(target).withByteOffset(at),
            0,
            null,
            event),
        "clEnqueueReadBuffer");
    record(event);
  }

  @Override
  public ByteBuffer staging() {
    return staging;
  }

  @Override
  public void readLater(long block, long offset, long at, long bytes) {
    cl_event event = newEvent();
    check(
        CL.clEnqueueReadBuffer(
            queue,
            block(block),
            false,
            offset,
            bytes,
            stagingPointer.withByteOffset(at),
            0,
            null,
            event),
        "clEnqueueReadBuffer");
    record(event);
  }

  @Override
  public void copy(long to, long toOffset, long from, long fromOffset, long bytes) {
    cl_event event = newEvent();
    check(
        CL.clEnqueueCopyBuffer(
            queue, block(from), block(to), fromOffset, toOffset, bytes, 0, null, event),
        "clEnqueueCopyBuffer");
    record(event);
  }

  @Override
  public void fill(long block, long offset, int width, long bits, long count) {
    fill(block, offset, width, bits, count, FILLED_AT_A_TIME);
  }

  /**
   * Fills a block in steps. NVIDIA's driver counts elements in 32 bits, from the start of the
   * buffer, also for ranges far from it. Each step therefore fills a sub-buffer, whose positions
   * start at 0.
   *
   * @param block the block
   * @param offset the offset in bytes
   * @param width the size of an element in bytes
   * @param bits the bits of the element
   * @param count the number of elements
   * @param most the largest number of bytes of a step
   */
  void fill(long block, long offset, int width, long bits, long count, long most) {
    byte[] pattern = new byte[width];
    for (int i = 0; i < width; i++) {
      pattern[i] = (byte) (bits >> 8 * i);
    }
    long end = offset + width * count;
    if (end <= most) {
      fill(block(block), pattern, offset, width * count);
      return;
    }
    for (long at = offset; at < end; ) {
      long origin = at / PART_ALIGNMENT * PART_ALIGNMENT;
      long next = Math.min(end, origin + most);
      int[] status = new int[1];
      cl_mem part =
          CL.clCreateSubBuffer(
              block(block),
              CL_MEM_READ_WRITE,
              CL_BUFFER_CREATE_TYPE_REGION,
              new cl_buffer_region(origin, next - origin),
              status);
      check(status[0], "clCreateSubBuffer");
      try {
        fill(part, pattern, at - origin, next - at);
      } finally {
        // Commands in the queue keep a reference to the sub-buffer.
        CL.clReleaseMemObject(part);
      }
      at = next;
    }
  }

  private void fill(cl_mem block, byte[] pattern, long offset, long bytes) {
    cl_event event = newEvent();
    check(
        CL.clEnqueueFillBuffer(
            queue, block, Pointer.to(pattern), pattern.length, offset, bytes, 0, null, event),
        "clEnqueueFillBuffer");
    record(event);
  }

  @Override
  public void synchronise() {
    check(CL.clFinish(queue), "clFinish");
  }

  @Override
  public long record() {
    int status = OpenClFunctions.enqueueMarker(queue.getNativePointer(), sizesAddress + 56);
    check(status, "clEnqueueMarkerWithWaitList");
    return sizes.getLong(56);
  }

  @Override
  public void await(long event) {
    sizes.putLong(56, event);
    check(OpenClFunctions.awaitEvent(sizesAddress + 56), "clWaitForEvents");
  }

  @Override
  public void discard(long event) {
    check(OpenClFunctions.releaseEvent(event), "clReleaseEvent");
  }

  // Kernels

  @Override
  public byte[] compile(String source, List<String> options) {
    cl_program program = program(source, options);
    byte[] binary = binary(program);
    forgetCompiled();
    compiled = binary;
    compiledProgram = program;
    return binary;
  }

  /** Tests whether the driver caches compiled kernels. PoCL does so by default. */
  @Override
  public boolean keepsCompiled() {
    return info.platform().startsWith("Portable Computing Language")
        && !"0".equals(System.getenv("POCL_KERNEL_CACHE"));
  }

  @Override
  public long compileAndLoad(String source, List<String> options) {
    cl_program program = program(source, options);
    programs.put(program.getNativePointer(), program);
    return program.getNativePointer();
  }

  private cl_program program(String source, List<String> options) {
    int[] status = new int[1];
    cl_program program =
        CL.clCreateProgramWithSource(context, 1, new String[] {source}, null, status);
    check(status[0], "clCreateProgramWithSource");
    List<String> all = new ArrayList<>(options);
    if ((OpenClApi.number(device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
        != 0) {
      all.add("-cl-fp32-correctly-rounded-divide-sqrt");
    }
    int built = build(program, String.join(" ", all));
    if (built != CL_SUCCESS) {
      if (endsBySignal) {
        SignalTermination.awaitSignal();
      }
      String log = buildLog(program);
      CL.clReleaseProgram(program);
      throw new DriverException(
          DriverException.Kind.COMPILATION,
          "clBuildProgram: " + CL.stringFor_errorCode(built) + "\n" + log);
    }
    return program;
  }

  /** Tests whether several threads may compile concurrently; some drivers do not allow this. */
  @Override
  public boolean compilesConcurrently() {
    return false;
  }

  @Override
  public boolean checksPortable() {
    return false;
  }

  @Override
  public byte[] portable(String source, List<String> options) {
    return compile(source, options);
  }

  private int build(cl_program program, String options) {
    return CL.clBuildProgram(program, 1, new cl_device_id[] {device}, options, null, null);
  }

  private String buildLog(cl_program program) {
    long[] size = new long[1];
    CL.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, null, size);
    byte[] log = new byte[(int) size[0]];
    CL.clGetProgramBuildInfo(
        program, device, CL_PROGRAM_BUILD_LOG, log.length, Pointer.to(log), null);
    return new String(log, StandardCharsets.UTF_8).replace("\0", "").strip();
  }

  private static byte[] binary(cl_program program) {
    long[] size = new long[1];
    check(
        CL.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, 8, Pointer.to(size), null),
        "clGetProgramInfo");
    byte[] binary = new byte[(int) size[0]];
    check(
        CL.clGetProgramInfo(program, CL_PROGRAM_BINARIES, 8, Pointer.to(Pointer.to(binary)), null),
        "clGetProgramInfo");
    return binary;
  }

  private void forgetCompiled() {
    if (compiledProgram != null) {
      CL.clReleaseProgram(compiledProgram);
    }
    compiled = null;
    compiledProgram = null;
  }

  @Override
  public long load(byte[] binary) {
    cl_program program = compiledProgram;
    if (program != null && binary == compiled) {
      compiled = null;
      compiledProgram = null;
    } else {
      program = fromBinary(binary);
    }
    programs.put(program.getNativePointer(), program);
    return program.getNativePointer();
  }

  /**
   * Returns the status of the creation of a program from a binary: the call may succeed although
   * the device rejects its binary.
   */
  static int firstFailure(int status, int binaryStatus) {
    return status != CL_SUCCESS ? status : binaryStatus;
  }

  private cl_program fromBinary(byte[] binary) {
    int[] status = new int[1];
    int[] binaryStatus = new int[1];
    cl_program program =
        CL.clCreateProgramWithBinary(
            context,
            1,
            new cl_device_id[] {device},
            new long[] {binary.length},
            new byte[][] {binary},
            binaryStatus,
            status);
    int result = firstFailure(status[0], binaryStatus[0]);
    if (result == CL_SUCCESS) {
      result = build(program, "");
      if (result != CL_SUCCESS) {
        CL.clReleaseProgram(program);
      }
    }
    if (result != CL_SUCCESS) {
      throw new DriverException(
          DriverException.Kind.BINARY,
          "clCreateProgramWithBinary: " + CL.stringFor_errorCode(result));
    }
    return program;
  }

  @Override
  public void unload(long module) {
    cl_program program = programs.remove(module);
    if (program != null) {
      check(CL.clReleaseProgram(program), "clReleaseProgram");
    }
  }

  @Override
  public NativeKernel kernel(long module, String name) {
    int[] status = new int[1];
    cl_kernel kernel = CL.clCreateKernel(programs.get(module), name, status);
    check(status[0], "clCreateKernel " + name);
    kernels.put(kernel.getNativePointer(), kernel);
    long[] number = new long[1];
    check(
        CL.clGetKernelWorkGroupInfo(
            kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 8, Pointer.to(number), null),
        "clGetKernelWorkGroupInfo");
    int threads = (int) number[0];
    check(
        CL.clGetKernelWorkGroupInfo(
            kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, 8, Pointer.to(number), null),
        "clGetKernelWorkGroupInfo");
    return new NativeKernel(kernel.getNativePointer(), threads, (int) number[0], 0);
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
    int n = arguments.count();
    for (int i = 0; i < n; i++) {
      int status = OpenClFunctions.setKernelArg(kernel, i, arguments.size(i), arguments.address(i));
      check(status, "clSetKernelArg");
    }
    if (shared >= 0) {
      // OpenCL does not allow a size of 0.
      check(OpenClFunctions.setKernelArg(kernel, n, Math.max(shared, 4), 0), "clSetKernelArg");
    }
    sizes.putLong(0, (long) gridX * blockX);
    sizes.putLong(8, (long) gridY * blockY);
    sizes.putLong(16, (long) gridZ * blockZ);
    sizes.putLong(24, blockX);
    sizes.putLong(32, blockY);
    sizes.putLong(40, blockZ);
    int dimensions = gridZ > 1 || blockZ > 1 ? 3 : gridY > 1 || blockY > 1 ? 2 : 1;
    int status =
        OpenClFunctions.enqueueKernel(
            queue.getNativePointer(),
            kernel,
            dimensions,
            sizesAddress,
            sizesAddress + 24,
            measuring ? sizesAddress + 48 : 0);
    check(status, "clEnqueueNDRangeKernel");
    if (measuring) {
      events.add(sizes.getLong(48));
    }
  }

  // Measurements

  private @Nullable cl_event newEvent() {
    return measuring ? new cl_event() : null;
  }

  private void record(@Nullable cl_event event) {
    if (event != null) {
      events.add(event.getNativePointer());
    }
  }

  @Override
  public void beginTiming() {
    if (!measures) {
      // A queue with measurements is slower, so a new queue replaces the old one.
      synchronise();
      check(CL.clReleaseCommandQueue(queue), "clReleaseCommandQueue");
      queue = newQueue(true);
      measures = true;
      measuring = true;
      calibrate();
    }
    measuring = true;
  }

  private void calibrate() {
    cl_event event = new cl_event();
    check(CL.clEnqueueMarkerWithWaitList(queue, 0, null, event), "clEnqueueMarkerWithWaitList");
    synchronise();
    long now = System.nanoTime();
    clockOffset = now - time(event.getNativePointer(), CL_PROFILING_COMMAND_END);
    OpenClFunctions.releaseEvent(event.getNativePointer());
  }

  @Override
  public long endTiming() {
    measuring = false;
    timings.put(++lastTiming, List.copyOf(events));
    events.clear();
    return lastTiming;
  }

  @Override
  public Timing timing(long timing) {
    List<Long> measured = timings.remove(timing);
    if (measured == null || measured.isEmpty()) {
      return new Timing(0, 0);
    }
    long start = time(measured.getFirst(), CL_PROFILING_COMMAND_START);
    long nanos = 0;
    for (long event : measured) {
      nanos += time(event, CL_PROFILING_COMMAND_END) - time(event, CL_PROFILING_COMMAND_START);
      OpenClFunctions.releaseEvent(event);
    }
    return new Timing(start + clockOffset, nanos);
  }

  private long time(long event, int what) {
    check(OpenClFunctions.eventInfo(event, what, sizesAddress + 56), "clGetEventProfilingInfo");
    return sizes.getLong(56);
  }

  @Override
  public void close() {
    // An error has no consequence while the device is closing.
    CL.clFinish(queue);
    forgetCompiled();
    blocks.values().forEach(CL::clReleaseMemObject);
    kernels.values().forEach(CL::clReleaseKernel);
    programs.values().forEach(CL::clReleaseProgram);
    CL.clReleaseCommandQueue(queue);
    CL.clReleaseContext(context);
    if (endsBySignal) {
      SignalTermination.closed();
    }
  }
}
