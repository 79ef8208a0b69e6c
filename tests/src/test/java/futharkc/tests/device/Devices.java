package futharkc.tests.device;

import futharkc.backend.cuda.CudaBackend;
import futharkc.backend.cuda.runtime.CudaApi;
import futharkc.backend.interpreter.InterpreterBackend;
import futharkc.backend.multicore.MulticoreBackend;
import futharkc.backend.opencl.OpenClBackend;
import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.core.codegen.Backend;
import futharkc.core.ir.Ir;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.DeviceApi;
import java.util.ArrayList;
import java.util.List;

/** Where kernels can be run on this machine. */
public final class Devices {
  private Devices() {}

  /**
   * The targets of which there is a device: PoCL's for OpenCL, a card for CUDA. The property {@code
   * futharkc.targets} names those to take.
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

  /** Compiles an imperative program for a target, or the interpreter, and loads the program. */
  static Context load(Ir program, String target) {
    Backend backend =
        switch (target) {
          case "opencl" -> new OpenClBackend();
          case "cuda" -> new CudaBackend();
          case "multicore", "c" -> new MulticoreBackend();
          default -> new InterpreterBackend();
        };
    Backend.Target wanted =
        backend.targets().stream()
            .filter(t -> t.name().equals(target))
            .findFirst()
            .orElse(backend.targets().get(0));
    return Context.of(backend.compile(program, "kernels", wanted).load(), System.err)
        .threads(1)
        .build();
  }
}
