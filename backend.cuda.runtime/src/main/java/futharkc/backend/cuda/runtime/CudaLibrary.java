package futharkc.backend.cuda.runtime;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.NativeBinding;
import futharkc.core.runtime.device.SharedLibrary;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/** The library of NVIDIA's driver, and its Java binding, JCuda. */
public final class CudaLibrary {
  /** The oldest CUDA version that a driver must support, in the driver's format. */
  public static final int OLDEST = 11_040;

  private static final String BINDING = "12.6.0";

  private CudaLibrary() {}

  /**
   * Returns the file names of the driver's library, in the order of the search. The environment
   * variable {@code FUTHARKC_CUDA_DRIVER} replaces them.
   */
  public static List<String> candidates() {
    String named = System.getenv("FUTHARKC_CUDA_DRIVER");
    if (named != null && !named.isEmpty()) {
      return List.of(named);
    }
    return NativeBinding.platform().startsWith("windows")
        ? List.of("nvcuda.dll")
        : List.of(
            "libcuda.so.1",
            "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
            "/usr/lib64/libcuda.so.1",
            "/usr/local/nvidia/lib64/libcuda.so.1",
            "/usr/lib/wsl/lib/libcuda.so.1",
            "/run/opengl-driver/lib/libcuda.so.1");
  }

  /** Returns the library; null if there is none. */
  public static @Nullable SharedLibrary find() {
    return SharedLibrary.find(candidates());
  }

  /**
   * Returns the newest CUDA version that a driver supports, such as 13000.
   *
   * @throws FutharkError if the driver does not report its version
   */
  public static int version(SharedLibrary library) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(JAVA_INT);
      int status =
          (int)
              library
                  .function("cuDriverGetVersion", FunctionDescriptor.of(JAVA_INT, ADDRESS))
                  .invoke(version);
      if (status != 0) {
        throw new FutharkError("CUDA: cuDriverGetVersion: " + CUresult.stringFor(status));
      }
      return version.get(JAVA_INT, 0);
    } catch (FutharkError e) {
      throw e;
    } catch (Throwable e) {
      throw new FutharkError("CUDA: " + library.name() + " does not work: " + e.getMessage());
    }
  }

  /** Returns the version of the installed driver; {@link Integer#MAX_VALUE} if there is none. */
  static int installedVersion() {
    SharedLibrary library = find();
    return library == null ? Integer.MAX_VALUE : version(library);
  }

  /** Returns the text of a version, such as 12.4. */
  static String text(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  /**
   * Loads the library and its binding.
   *
   * @return the driver's {@link #version}
   * @throws FutharkError if there is no driver, it is too old, or the binding does not support this
   *     machine
   */
  static int load() {
    if (!SharedLibrary.load(candidates())) {
      throw missing(candidates());
    }
    String platform = NativeBinding.platform();
    String file =
        platform.startsWith("windows")
            ? "JCudaDriver-" + BINDING + "-" + platform + ".dll"
            : "libJCudaDriver-" + BINDING + "-" + platform + ".so";
    NativeBinding.initialise(
        "jcuda.driver.JCudaDriver", CUresult.class.getClassLoader(), file, new Packed(file));
    int[] version = new int[1];
    int status = JCudaDriver.cuDriverGetVersion(version);
    if (status != CUresult.CUDA_SUCCESS) {
      throw new FutharkError("CUDA: cuDriverGetVersion: " + CUresult.stringFor(status));
    }
    checkVersion(version[0]);
    return version[0];
  }

  /**
   * Initialises the binding's logger, which takes some milliseconds, while another thread loads the
   * driver's library.
   */
  static void prepare() {
    try {
      Class.forName("jcuda.LibUtils", true, CUresult.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // The logger is initialised later.
    }
  }

  /** The resource of this module that contains the binding's native library. */
  private record Packed(String file) implements Supplier<@Nullable InputStream> {
    @Override
    public @Nullable InputStream get() {
      return CudaLibrary.class.getResourceAsStream("lib/" + file);
    }
  }

  static FutharkError missing(List<String> candidates) {
    return new FutharkError(
        "The CUDA driver was not found. Looked for "
            + String.join(", ", candidates)
            + ". Install NVIDIA's driver, or add its folder to LD_LIBRARY_PATH; or compile the"
            + " program for OpenCL or multicore.");
  }

  private static void checkVersion(int version) {
    if (version < OLDEST) {
      throw new FutharkError(
          "The CUDA driver is too old: it supports CUDA up to version "
              + text(version)
              + ", and "
              + text(OLDEST)
              + " is needed. Install a newer driver; or compile the program for OpenCL or"
              + " multicore.");
    }
  }
}
