package futharkc.backend.cuda.runtime;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.SharedLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NVRTC, which compiles CUDA C++ for a device; it does not need a device itself.
 *
 * <p>The library is bound directly, in any version: a Java binding would require the version it was
 * built with.
 */
public final class Nvrtc {
  private static final int SUCCESS = 0;
  private static final int COMPILATION_FAILED = 6;

  private final SharedLibrary library;
  private final int version;
  private final int[] capabilities;

  private Nvrtc(SharedLibrary library) {
    this.library = library;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(JAVA_INT, 2);
      check(call("nvrtcVersion", numbers, numbers.asSlice(4)), "nvrtcVersion");
      version = 1000 * numbers.get(JAVA_INT, 0) + 10 * numbers.get(JAVA_INT, 4);
      check(call("nvrtcGetNumSupportedArchs", numbers), "nvrtcGetNumSupportedArchs");
      MemorySegment all = arena.allocate(JAVA_INT, numbers.get(JAVA_INT, 0));
      check(call("nvrtcGetSupportedArchs", all), "nvrtcGetSupportedArchs");
      capabilities = all.toArray(JAVA_INT);
    }
  }

  /**
   * The result of a search.
   *
   * @param found the library; null if there is none
   * @param probed the searched locations, in order
   */
  public record Search(@Nullable Nvrtc found, List<String> probed) {
    /** Returns the explanation for users: the searched locations, and a remedy. */
    public String explanation() {
      return "Looked for\n  "
          + String.join("\n  ", probed)
          + "\nInstall CUDA's toolkit and set CUDA_HOME to its folder; or install NVRTC alone, with"
          + " 'pip install nvidia-cuda-nvrtc' or (Debian) 'apt-get install libnvrtc12'; or run the"
          + " program once on a machine that has it, with --cache-file, and copy that file.";
    }
  }

  /**
   * Searches for the newest NVRTC that a driver supports. A newer one is chosen if there is no
   * other.
   *
   * @param driverVersion the newest CUDA version that the driver supports; {@link
   *     Integer#MAX_VALUE} if there is no driver
   */
  public static Search search(int driverVersion) {
    return search(NvrtcLocations.ofThisMachine(), driverVersion);
  }

  static Search search(List<NvrtcLocations.Location> places, int driverVersion) {
    List<String> probed = new ArrayList<>();
    Nvrtc newer = null;
    for (NvrtcLocations.Location place : places) {
      probed.add(place.description());
      for (String file : place.files()) {
        Nvrtc nvrtc = open(file);
        if (nvrtc == null) {
          continue;
        }
        if (nvrtc.version / 1000 <= driverVersion / 1000) {
          return new Search(nvrtc, probed);
        }
        newer = newer == null ? nvrtc : newer;
      }
    }
    return new Search(newer, probed);
  }

  private static @Nullable Nvrtc open(String file) {
    NvrtcLocations.loadBuiltins(file);
    SharedLibrary library = SharedLibrary.find(List.of(file));
    // Versions before 11.2 cannot list the supported architectures.
    return library != null && library.has("nvrtcGetSupportedArchs") ? new Nvrtc(library) : null;
  }

  /** Returns the name of the library's file. */
  public String name() {
    return library.name();
  }

  /** Returns the version, such as 12040 for 12.4. */
  public int version() {
    return version;
  }

  /** Returns the supported compute capabilities, such as 90. */
  public int[] capabilities() {
    return capabilities.clone();
  }

  /**
   * Compiles to machine code for a compute capability, or to PTX if the capability is newer than
   * NVRTC.
   *
   * @throws DriverException with the compiler's messages
   */
  public byte[] compile(String source, List<String> options, int capability) {
    for (int known : capabilities) {
      if (known == capability && library.has("nvrtcGetCUBIN")) {
        return compile(source, options, "sm_" + capability, "CUBIN");
      }
    }
    return ptx(source, options, capability);
  }

  /**
   * Compiles to PTX for devices of a compute capability and newer ones.
   *
   * @throws DriverException with the compiler's messages
   */
  public byte[] ptx(String source, List<String> options, int capability) {
    int best = 0;
    for (int known : capabilities) {
      best = known <= capability ? Math.max(best, known) : best;
    }
    if (best == 0) {
      throw new DriverException(
          DriverException.Kind.NO_COMPILER,
          "NVRTC "
              + CudaLibrary.text(version)
              + " ("
              + name()
              + ") no longer compiles for devices of compute capability "
              + capability / 10
              + "."
              + capability % 10
              + "; set CUDA_HOME to an older CUDA.");
    }
    return compile(source, options, "compute_" + best, "PTX");
  }

  /** Returns the lowest supported compute capability. */
  public int oldestCapability() {
    int oldest = Integer.MAX_VALUE;
    for (int known : capabilities) {
      oldest = Math.min(oldest, known);
    }
    return oldest;
  }

  private byte[] compile(String source, List<String> options, String architecture, String form) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(ADDRESS);
      check(
          call(
              "nvrtcCreateProgram",
              handle,
              arena.allocateFrom(source),
              arena.allocateFrom("kernels.cu"),
              0,
              MemorySegment.NULL,
              MemorySegment.NULL),
          "nvrtcCreateProgram");
      MemorySegment program = handle.get(ADDRESS, 0);
      try {
        List<String> all = new ArrayList<>(options);
        all.add("--gpu-architecture=" + architecture);
        MemorySegment texts = arena.allocate(ADDRESS, all.size());
        for (int i = 0; i < all.size(); i++) {
          texts.setAtIndex(ADDRESS, i, arena.allocateFrom(all.get(i)));
        }
        int status = call("nvrtcCompileProgram", program, all.size(), texts);
        if (status != SUCCESS) {
          String log =
              new String(result(program, "ProgramLog", arena), UTF_8).replace("\0", "").strip();
          throw new DriverException(
              status == COMPILATION_FAILED
                  ? DriverException.Kind.COMPILATION
                  : DriverException.Kind.OTHER,
              "NVRTC " + CudaLibrary.text(version) + ", status " + status + ":\n" + log);
        }
        return result(program, form, arena);
      } finally {
        call("nvrtcDestroyProgram", handle);
      }
    }
  }

  /**
   * Returns a result of a compilation; NVRTC has one function for its size and one for its
   * contents.
   */
  private byte[] result(MemorySegment program, String what, Arena arena) {
    MemorySegment size = arena.allocate(JAVA_LONG);
    check(call("nvrtcGet" + what + "Size", program, size), "nvrtcGet" + what + "Size");
    MemorySegment bytes = arena.allocate(Math.max(1, size.get(JAVA_LONG, 0)));
    check(call("nvrtcGet" + what, program, bytes), "nvrtcGet" + what);
    byte[] result = bytes.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    boolean text = result.length > 0 && result[result.length - 1] == 0 && !what.equals("CUBIN");
    return text ? java.util.Arrays.copyOf(result, result.length - 1) : result;
  }

  /** Calls a function whose parameter types are those of the arguments. */
  private int call(String function, Object... arguments) {
    MemoryLayout[] parameters = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      parameters[i] = arguments[i] instanceof Integer ? JAVA_INT : ADDRESS;
    }
    try {
      return (int)
          library
              .function(function, FunctionDescriptor.of(JAVA_INT, parameters))
              .invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new DriverException(DriverException.Kind.OTHER, function + ": " + e);
    }
  }

  private static void check(int status, String call) {
    if (status != SUCCESS) {
      throw new DriverException(
          DriverException.Kind.OTHER, call + " of NVRTC failed with status " + status);
    }
  }
}
