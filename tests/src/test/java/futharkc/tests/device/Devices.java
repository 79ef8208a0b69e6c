package futharkc.tests.device;

import futharkc.backend.cuda.CudaBackend;
import futharkc.backend.cuda.runtime.CudaApi;
import futharkc.backend.interpreter.InterpreterBackend;
import futharkc.backend.opencl.OpenClBackend;
import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.core.codegen.Backend;
import futharkc.core.ir.Ir;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.DeviceApi;
import java.util.ArrayList;
import java.util.List;

/** The devices of this machine that can run kernels. */
public final class Devices {
  private Devices() {}

  /**
   * Returns the targets with a device: PoCL for OpenCL, a GPU for CUDA. The property {@code
   * futharkc.targets} selects targets.
   */
  public static List<String> targets() {
    List<String> targets = new ArrayList<>();
    if (isThere(new OpenClApi())) targets.add("opencl");
    if (isThere(new CudaApi())) targets.add("cuda");
    String wanted = System.getProperty("futharkc.targets", "opencl cuda");
    targets.removeIf(t -> !wanted.contains(t));
    return targets;
  }

  private static boolean isThere(DeviceApi api) {
    try {
      return !api.devices().isEmpty();
    } catch (FutharkError e) {
      return false;
    }
  }

  /** Compiles a program in GPU_IMP and loads it for a target or the interpreter. */
  static Context load(Ir program, String target) {
    Backend backend =
        switch (target) {
          case "opencl" -> new OpenClBackend();
          case "cuda" -> new CudaBackend();
          default -> new InterpreterBackend();
        };
    Backend.Target any = backend.targets().get(0);
    return Context.of(backend.compile(program, "kernels", any).load(), System.err)
        .threads(1)
        .build();
  }
}
