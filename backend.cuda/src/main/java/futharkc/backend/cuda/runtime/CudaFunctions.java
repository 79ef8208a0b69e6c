package futharkc.backend.cuda.runtime;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.SharedLibrary;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The calls for launches and scalars, bound directly: the Java binding's cost twice as much. */
final class CudaFunctions {
  private static final MethodHandle LAUNCH =
      function(
          "cuLaunchKernel",
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          ADDRESS,
          ADDRESS);
  private static final MethodHandle COPY_TO_HOST =
      function("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SYNCHRONISE = function("cuStreamSynchronize", JAVA_LONG);
  private static final MethodHandle SET_CONTEXT = function("cuCtxSetCurrent", JAVA_LONG);

  private CudaFunctions() {}

  /** Binds all of them, if that has not been done. */
  static void bind() {}

  private static MethodHandle function(String name, MemoryLayout... parameters) {
    return SharedLibrary.call(CudaLibrary.candidates(), name, parameters);
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
      MemorySegment arguments) {
    try {
      return (int)
          LAUNCH.invokeExact(
              function,
              gridX,
              gridY,
              gridZ,
              blockX,
              blockY,
              blockZ,
              shared,
              stream,
              arguments,
              MemorySegment.NULL);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int copyToHost(MemorySegment target, long source, long bytes, long stream) {
    try {
      return (int) COPY_TO_HOST.invokeExact(target, source, bytes, stream);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int synchronise(long stream) {
    try {
      return (int) SYNCHRONISE.invokeExact(stream);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }

  static int setContext(long context) {
    try {
      return (int) SET_CONTEXT.invokeExact(context);
    } catch (Throwable e) {
      throw DriverException.broken(e);
    }
  }
}
