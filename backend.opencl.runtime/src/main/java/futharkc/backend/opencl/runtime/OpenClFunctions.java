package futharkc.backend.opencl.runtime;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.SharedLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions that each launch calls, bound directly, which is faster than through the Java
 * binding. Addresses are passed as numbers, which is faster than as memory segments.
 */
final class OpenClFunctions {
  private static final MethodHandle ARGUMENT =
      SharedLibrary.call(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ENQUEUE =
      SharedLibrary.call(
          JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle INFO =
      SharedLibrary.call(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle WITH_HANDLE = SharedLibrary.call(JAVA_LONG);
  private static final MethodHandle MARKER =
      SharedLibrary.call(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle WAIT = SharedLibrary.call(JAVA_INT, JAVA_LONG);

  private static final MemorySegment SET_KERNEL_ARG = function("clSetKernelArg");
  private static final MemorySegment ENQUEUE_KERNEL = function("clEnqueueNDRangeKernel");
  private static final MemorySegment EVENT_INFO = function("clGetEventProfilingInfo");
  private static final MemorySegment RELEASE_EVENT = function("clReleaseEvent");
  private static final MemorySegment ENQUEUE_MARKER = function("clEnqueueMarkerWithWaitList");
  private static final MemorySegment WAIT_FOR_EVENTS = function("clWaitForEvents");

  private OpenClFunctions() {}

  private static MemorySegment function(String name) {
    return SharedLibrary.address(OpenClLibrary.candidates(), name);
  }

  /** Makes the calls of a launch a number of times, to a function without effect. */
  static void warmUp(int times) {
    MemorySegment nothing = SharedLibrary.nothing();
    for (int i = 0; i < times; i++) {
      setKernelArg(nothing, 0, 0, 8, 0);
      enqueueKernel(nothing, 0, 0, 1, 0, 0, 0);
    }
  }

  static int setKernelArg(long kernel, int i, long size, long value) {
    return setKernelArg(SET_KERNEL_ARG, kernel, i, size, value);
  }

  private static int setKernelArg(MemorySegment call, long kernel, int i, long size, long value) {
    try {
      return (int) ARGUMENT.invokeExact(call, kernel, i, size, value);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int enqueueKernel(
      long queue, long kernel, int dimensions, long globalSize, long localSize, long event) {
    return enqueueKernel(ENQUEUE_KERNEL, queue, kernel, dimensions, globalSize, localSize, event);
  }

  private static int enqueueKernel(
      MemorySegment call,
      long queue,
      long kernel,
      int dimensions,
      long globalSize,
      long localSize,
      long event) {
    try {
      return (int)
          ENQUEUE.invokeExact(
              call, queue, kernel, dimensions, 0L, globalSize, localSize, 0, 0L, event);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int eventInfo(long event, int what, long value) {
    try {
      return (int) INFO.invokeExact(EVENT_INFO, event, what, 8L, value, 0L);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  /**
   * Enqueues a marker behind all work in the queue.
   *
   * @param event the address for the marker's event
   */
  static int enqueueMarker(long queue, long event) {
    try {
      return (int) MARKER.invokeExact(ENQUEUE_MARKER, queue, 0, 0L, event);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  /**
   * Waits for one event.
   *
   * @param event the address of the event
   */
  static int awaitEvent(long event) {
    try {
      return (int) WAIT.invokeExact(WAIT_FOR_EVENTS, 1, event);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int releaseEvent(long event) {
    try {
      return (int) WITH_HANDLE.invokeExact(RELEASE_EVENT, event);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }
}
