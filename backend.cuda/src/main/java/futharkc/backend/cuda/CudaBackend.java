package futharkc.backend.cuda;

import futharkc.backend.cuda.runtime.CudaApi;
import futharkc.backend.cuda.runtime.Nvrtc;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.kernel.WarpDevice;
import futharkc.core.codegen.product.DeviceBackend;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.codegen.product.Library;
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
              HotSpot.machine().with(WarpDevice.of(true, true))),
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
