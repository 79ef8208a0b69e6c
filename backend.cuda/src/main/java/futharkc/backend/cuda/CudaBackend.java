package futharkc.backend.cuda;

import futharkc.backend.cuda.runtime.CudaApi;
import futharkc.backend.cuda.runtime.Nvrtc;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.product.DeviceBackend;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.codegen.product.Library;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Rep;
import futharkc.core.runtime.device.DriverException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The backend for NVIDIA's devices. Kernels are CUDA C++, which NVRTC compiles when a program
 * starts.
 */
public final class CudaBackend extends DeviceBackend {
  private static final DeviceTarget TARGET =
      new DeviceTarget(
          new Target(
              "cuda",
              Rep.GPU_IMP,
              "Java with kernels in CUDA C++, for NVIDIA's devices",
              HotSpot.machine().with(device())),
          new CudaDialect(),
          CudaApi.class,
          "cu",
          List.of(
              new Library(jcuda.driver.CUresult.class, List.of("jcuda/driver/", "jcuda/")),
              new Library(CudaApi.class, List.of("futharkc/backend/cuda/runtime/"))),
          CudaBackend::ptx);

  /** Creates the backend; called by {@code ServiceLoader}. */
  public CudaBackend() {
    super(TARGET);
  }

  /**
   * A device of NVIDIA. A running thread block makes progress while others wait; programs read the
   * sizes of a model when they start.
   */
  private static Machine.Device device() {
    int warp = 32;
    int shuffled = warp;
    boolean progress = true;
    int threadsPerBlock = 1024;
    int residentThreads = 2048;
    int access = 8;
    int vector = 16;
    int sector = 32;
    int bank = 4;
    int banks = 128;
    int unrolled = 32;
    int moduleText = 20_000;
    int functionText = 2000;
    return new Machine.Device(
        warp,
        shuffled,
        progress,
        new Machine.DeviceThreads(threadsPerBlock, residentThreads),
        new Machine.DeviceMemory(access, vector, sector, bank, banks),
        new Machine.KernelCompiler(unrolled, moduleText, functionText));
  }

  /**
   * Returns PTX for the oldest devices that this machine's NVRTC supports, and for all newer ones;
   * null if NVRTC is missing or fails.
   */
  private static @Nullable String ptx(String source, List<String> options) {
    try {
      Nvrtc nvrtc = Nvrtc.search(Integer.MAX_VALUE).found();
      return nvrtc == null
          ? null
          : new String(
              nvrtc.ptx(source, options, nvrtc.oldestCapability()), StandardCharsets.UTF_8);
    } catch (DriverException e) {
      // The program has no portable kernels then; errors in kernels are reported on the machine
      // that runs them.
      return null;
    }
  }
}
