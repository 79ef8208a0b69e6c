package futharkc.backend.opencl;

import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.product.DeviceBackend;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.codegen.product.Library;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Rep;
import futharkc.core.runtime.device.NativeBinding;
import java.util.List;

/**
 * The backend for OpenCL devices. Kernels are OpenCL C, which the device's driver compiles when a
 * program starts.
 */
public final class OpenClBackend extends DeviceBackend {
  private static final DeviceTarget TARGET =
      new DeviceTarget(
          new Target(
              "opencl",
              Rep.GPU_IMP,
              "Java with kernels in OpenCL C, for any OpenCL device",
              HotSpot.machine().with(device())),
          new OpenClDialect(),
          OpenClApi.class,
          "cl",
          List.of(
              new Library(
                  org.jocl.CL.class,
                  List.of("org/jocl/", "lib/libJOCL_2_0_6-" + NativeBinding.platform())),
              new Library(OpenClApi.class, List.of("futharkc/backend/opencl/runtime/"))),
          DeviceTarget.PortableKernels.NONE);

  /** Creates the backend; called by {@code ServiceLoader}. */
  public OpenClBackend() {
    super(TARGET);
  }

  /**
   * A device without guarantees about threads; programs read the sizes of a model when they start.
   */
  private static Machine.Device device() {
    int warp = 32;
    int shuffled = 1;
    boolean progress = false;
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
}
