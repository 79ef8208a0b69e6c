package futharkc.backend.opencl.runtime;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.SharedLibrary;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The calls that are made for each launch, bound directly: the Java binding's cost more. */
final class OpenClFunctions {
  private static final MethodHandle SET_KERNEL_ARG =
      function("clSetKernelArg", JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle ENQUEUE_KERNEL =
      function(
          "clEnqueueNDRangeKernel",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          JAVA_INT,
          ADDRESS,
          ADDRESS);
  private static final MethodHandle EVENT_INFO =
      function("clGetEventProfilingInfo", JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle RELEASE_EVENT = function("clReleaseEvent", JAVA_LONG);

  private OpenClFunctions() {}

  /** Binds all of them, if that has not been done. */
  static void bind() {}

  private static MethodHandle function(String name, MemoryLayout... parameters) {
    return SharedLibrary.call(OpenClLibrary.candidates(), name, parameters);
  }

  static int setKernelArg(long kernel, int i, long size, MemorySegment value) {
    try {
      return (int) SET_KERNEL_ARG.invokeExact(kernel, i, size, value);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int enqueueKernel(
      long queue,
      long kernel,
      int dimensions,
      MemorySegment globalSize,
      MemorySegment localSize,
      MemorySegment event) {
    try {
      return (int)
          ENQUEUE_KERNEL.invokeExact(
              queue,
              kernel,
              dimensions,
              MemorySegment.NULL,
              globalSize,
              localSize,
              0,
              MemorySegment.NULL,
              event);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int eventInfo(long event, int what, MemorySegment value) {
    try {
      return (int) EVENT_INFO.invokeExact(event, what, 8L, value, MemorySegment.NULL);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int releaseEvent(long event) {
    try {
      return (int) RELEASE_EVENT.invokeExact(event);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }
}
