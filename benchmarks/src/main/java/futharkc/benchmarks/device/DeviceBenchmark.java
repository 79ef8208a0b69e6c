package futharkc.benchmarks.device;

import futharkc.backend.cuda.runtime.CudaApi;
import futharkc.backend.cuda.runtime.CudaDiagnosis;
import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.backend.opencl.runtime.OpenClDiagnosis;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A benchmark and check of a device: {@code DeviceBenchmark cuda|opencl check [NAME]|launches|time
 * FILE|ptx FILE}.
 *
 * <p>{@code check} runs all checks, or those with {@code NAME} in their names. {@code launches}
 * measures launches and reads of scalars. {@code time} also measures transfers, and kernels at the
 * device's bandwidth. {@code ptx} writes the kernels for launches by a C program.
 */
public final class DeviceBenchmark {
  private DeviceBenchmark() {}

  /** Runs the command; exits with 1 if a check fails. */
  public static void main(String[] args) throws IOException {
    DeviceApi api = args[0].equals("cuda") ? new CudaApi() : new OpenClApi();
    switch (args[1]) {
      case "doctor" -> {
        for (Diagnosis d : List.of(new CudaDiagnosis(), new OpenClDiagnosis())) {
          System.out.println(d.subject());
          d.findings().forEach(f -> System.out.println("  " + f));
        }
      }
      case "ptx" -> {
        try (Device device = open(api)) {
          Files.write(Path.of(args[2]), device.portable(HandwrittenKernels.SOURCE, Map.of()));
        }
      }
      case "launches" -> {
        try (Device device = open(api)) {
          DeviceTimes times = new DeviceTimes(device);
          times.launches();
          times.scalars();
        }
      }
      case "time" -> {
        try (Device device = open(api)) {
          new DeviceTimes(device).run();
        }
        if (api instanceof CudaApi) {
          JCudaLaunches.run(Files.readAllBytes(Path.of(args[2])));
        }
      }
      case "start" -> start(api);
      default -> {
        int failed = new DeviceChecks(api, args.length > 2 ? args[2] : "").run();
        System.out.println(failed == 0 ? "all checks passed" : failed + " checks failed");
        System.exit(failed == 0 ? 0 : 1);
      }
    }
  }

  private static Device open(DeviceApi api) {
    return Device.open(api, DeviceOptions.DEFAULT);
  }

  /** Measures the time from the start of the process to the end of the first kernel. */
  private static void start(DeviceApi api) {
    long began = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
    long inMain = System.currentTimeMillis();
    try (Device device = open(api)) {
      long opened = System.currentTimeMillis();
      var program = device.load(HandwrittenKernels.SOURCE, Map.of());
      long loaded = System.currentTimeMillis();
      var out = device.allocate(4, "out", "");
      var tiny = program.kernel("tiny");
      tiny.arguments().set(0, out);
      tiny.arguments().set(1, 7);
      device.launch(tiny, 0, 1, 32, 0);
      if (device.readScalar(out, 0, 4) != 7) {
        throw new FutharkError("wrong result");
      }
      long done = System.currentTimeMillis();
      System.out.printf(
          "start: main after %d ms, device open after %d, kernels loaded after %d, first result"
              + " after %d%n",
          inMain - began, opened - began, loaded - began, done - began);
    }
  }
}
