package futharkc.backend.opencl.runtime;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.NativeBinding;
import futharkc.core.runtime.device.SharedLibrary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The system's OpenCL library, which passes calls to drivers, and its Java binding, JOCL. */
public final class OpenClLibrary {
  private OpenClLibrary() {}

  /** Returns the file names of the library, in the order of the search. */
  public static List<String> candidates() {
    String platform = NativeBinding.platform();
    if (platform.startsWith("windows")) {
      return List.of("OpenCL.dll");
    }
    if (platform.startsWith("apple")) {
      return List.of("/System/Library/Frameworks/OpenCL.framework/Versions/Current/OpenCL");
    }
    List<String> names = new ArrayList<>(List.of("libOpenCL.so.1", "libOpenCL.so"));
    for (String folder :
        List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/local/cuda/lib64",
            "/usr/local/nvidia/lib64",
            "/opt/rocm/lib",
            "/opt/intel/oneapi/compiler/latest/lib")) {
      names.add(folder + "/libOpenCL.so.1");
    }
    return names;
  }

  /** Returns the library; null if there is none. */
  public static @Nullable SharedLibrary find() {
    return SharedLibrary.find(candidates());
  }

  /**
   * Loads the library and its binding.
   *
   * @throws FutharkError if there is no library, or the binding does not support this machine
   */
  static void load() {
    if (!SharedLibrary.load(candidates())) {
      throw new FutharkError(
          "OpenCL is not installed. Looked for "
              + String.join(", ", candidates())
              + ". Install a device's driver, or for CPUs PoCL (Debian: apt-get install"
              + " ocl-icd-libopencl1 pocl-opencl-icd).");
    }
    String platform = NativeBinding.platform();
    String file =
        platform.startsWith("windows")
            ? "JOCL_2_0_6-" + platform + ".dll"
            : "libJOCL_2_0_6-" + platform + (platform.startsWith("apple") ? ".dylib" : ".so");
    Class<?> binding = org.jocl.Sizeof.class;
    NativeBinding.initialise(
        "org.jocl.CL",
        binding.getClassLoader(),
        file,
        () -> binding.getResourceAsStream("/lib/" + file));
  }
}
