package futharkc.backend.cuda;

import futharkc.backend.cuda.runtime.CudaApi;
import futharkc.core.codegen.Backend;
import futharkc.core.codegen.kernel.Dialect;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.codegen.product.Library;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import java.util.List;

/** NVIDIA's devices: kernels in CUDA C++, which NVRTC compiles when a program starts. */
public final class CudaBackend implements Backend {
  private static final DeviceTarget TARGET =
      new DeviceTarget(
          new Target(
              "cuda",
              Rep.GPU_IMP,
              "Java with kernels in CUDA C++, for NVIDIA's devices",
              futharkc.core.ir.Target.CUDA),
          Dialect.CUDA,
          CudaApi.class,
          "cu",
          List.of(
              new Library(jcuda.driver.CUresult.class, List.of("jcuda/driver/", "jcuda/")),
              new Library(CudaApi.class, List.of("futharkc/backend/cuda/runtime/"))));

  /** For {@code ServiceLoader}. */
  public CudaBackend() {}

  @Override
  public List<Target> targets() {
    return List.of(TARGET.target());
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Product compile(Ir program, String name, Target target) {
    return TARGET.compile(program, name);
  }
}
