package futharkc.backend.opencl;

import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.kernel.WarpDevice;
import futharkc.core.codegen.product.DeviceBackend;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.codegen.product.Library;
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
              HotSpot.machine().with(WarpDevice.of(false, false))),
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
}
