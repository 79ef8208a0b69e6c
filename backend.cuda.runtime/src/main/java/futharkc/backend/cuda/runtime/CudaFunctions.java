package futharkc.backend.cuda.runtime;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.SharedLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions that each call of a program uses, bound directly, which is faster than through the
 * Java binding. Addresses are passed as numbers, which is faster than as memory segments.
 */
final class CudaFunctions {
  private static final MethodHandle LAUNCH =
      SharedLibrary.call(
          JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
          JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle COPY =
      SharedLibrary.call(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL =
      SharedLibrary.call(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle WITH_HANDLE = SharedLibrary.call(JAVA_LONG);
  private static final MethodHandle RECORD = SharedLibrary.call(JAVA_LONG, JAVA_LONG);

  private static final MemorySegment LAUNCH_KERNEL = function("cuLaunchKernel");
  private static final MemorySegment COPY_TO_HOST = function("cuMemcpyDtoHAsync_v2");
  private static final MemorySegment COPY_TO_DEVICE = function("cuMemcpyHtoDAsync_v2");
  private static final MemorySegment COPY_ON_DEVICE = function("cuMemcpyDtoDAsync_v2");
  private static final MemorySegment FILL_BYTES = function("cuMemsetD8Async");
  private static final MemorySegment FILL_SHORTS = function("cuMemsetD16Async");
  private static final MemorySegment FILL_INTS = function("cuMemsetD32Async");
  private static final MemorySegment SYNCHRONISE = function("cuStreamSynchronize");
  private static final MemorySegment RECORD_EVENT = function("cuEventRecord");
  private static final MemorySegment AWAIT_EVENT = function("cuEventSynchronize");
  private static final MemorySegment SET_CONTEXT = function("cuCtxSetCurrent");

  private CudaFunctions() {}

  private static MemorySegment function(String name) {
    return SharedLibrary.address(CudaLibrary.candidates(), name);
  }

  /** Makes each kind of call a number of times, to a function without effect. */
  static void warmUp(int times) {
    MemorySegment nothing = SharedLibrary.nothing();
    for (int i = 0; i < times; i++) {
      launch(nothing, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0);
      copy(nothing, 0, 0, 0, 0);
      fill(nothing, 0, 0, 0, 0);
      withHandle(nothing, 0);
      record(nothing, 0, 0);
    }
  }

  static int launch(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int shared,
      long stream,
      long arguments) {
    return launch(
        LAUNCH_KERNEL,
        function,
        gridX,
        gridY,
        gridZ,
        blockX,
        blockY,
        blockZ,
        shared,
        stream,
        arguments);
  }

  static int copyToHost(long target, long source, long bytes, long stream) {
    return copy(COPY_TO_HOST, target, source, bytes, stream);
  }

  /**
   * Copies from host memory that is not pinned. Short sources have been copied when the method
   * returns.
   */
  static int copyToDevice(long target, long source, long bytes, long stream) {
    return copy(COPY_TO_DEVICE, target, source, bytes, stream);
  }

  static int copyOnDevice(long target, long source, long bytes, long stream) {
    return copy(COPY_ON_DEVICE, target, source, bytes, stream);
  }

  static int fillBytes(long target, int bits, long count, long stream) {
    return fill(FILL_BYTES, target, bits, count, stream);
  }

  static int fillShorts(long target, int bits, long count, long stream) {
    return fill(FILL_SHORTS, target, bits, count, stream);
  }

  static int fillInts(long target, int bits, long count, long stream) {
    return fill(FILL_INTS, target, bits, count, stream);
  }

  static int synchronise(long stream) {
    return withHandle(SYNCHRONISE, stream);
  }

  /** Enqueues an event. */
  static int record(long event, long stream) {
    return record(RECORD_EVENT, event, stream);
  }

  /** Waits until an event has happened. */
  static int await(long event) {
    return withHandle(AWAIT_EVENT, event);
  }

  static int setContext(long context) {
    return withHandle(SET_CONTEXT, context);
  }

  private static int launch(
      MemorySegment call,
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int shared,
      long stream,
      long arguments) {
    try {
      return (int)
          LAUNCH.invokeExact(
              call, function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream,
              arguments, 0L);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  private static int copy(MemorySegment call, long to, long from, long bytes, long stream) {
    try {
      return (int) COPY.invokeExact(call, to, from, bytes, stream);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  private static int fill(MemorySegment call, long to, int bits, long count, long stream) {
    try {
      return (int) FILL.invokeExact(call, to, bits, count, stream);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  private static int record(MemorySegment call, long event, long stream) {
    try {
      return (int) RECORD.invokeExact(call, event, stream);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  private static int withHandle(MemorySegment call, long handle) {
    try {
      return (int) WITH_HANDLE.invokeExact(call, handle);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }
}
