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
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The devices of this machine. */
public final class Devices {
  private Devices() {}

  /**
   * Returns the targets that have a device: PoCL's for OpenCL, a card for CUDA. The property {@code
   * futharkc.targets} restricts the targets.
   *
   * @throws AssertionError if a driver is installed but has no device; then tests must not be
   *     skipped
   */
  public static List<String> targets() {
    String wanted = System.getProperty("futharkc.targets", "opencl cuda");
    List<String> targets = new ArrayList<>();
    if (wanted.contains("opencl") && hasDevice(new OpenClApi(), hasOpenClDriver())) {
      targets.add("opencl");
    }
    boolean card = Files.exists(Path.of("/dev/nvidiactl"));
    if (wanted.contains("cuda") && hasDevice(new CudaApi(), card)) {
      targets.add("cuda");
    }
    return targets;
  }

  private static boolean hasOpenClDriver() {
    String folder = System.getenv().getOrDefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors");
    try (DirectoryStream<Path> drivers = Files.newDirectoryStream(Path.of(folder), "*.icd")) {
      return drivers.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }

  static boolean hasDevice(DeviceApi api, boolean isInstalled) {
    String why;
    try {
      if (!api.devices().isEmpty()) {
        return true;
      }
      why = api.noDevices().lookedAt();
    } catch (FutharkError e) {
      why = e.getMessage();
    }
    if (isInstalled) {
      throw new AssertionError(api.name() + " is installed but has no device: " + why);
    }
    return false;
  }

  /** Loads a program in GPU_IMP for a target, or for the interpreter. */
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
