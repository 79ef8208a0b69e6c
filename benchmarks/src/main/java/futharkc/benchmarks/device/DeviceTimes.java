package futharkc.benchmarks.device;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Profile;
import futharkc.core.runtime.device.Buffer;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceArray;
import futharkc.core.runtime.device.Kernel;
import futharkc.core.runtime.device.KernelProgram;
import java.util.Arrays;
import java.util.Map;

/** A benchmark of launches, scalars, transfers, and kernels that only move memory. */
final class DeviceTimes {
  static final int LAUNCHES = 20_000;
  static final int REPEATS = 9;

  private final Device device;
  private final KernelProgram program;

  DeviceTimes(Device device) {
    this.device = device;
    program = device.load(HandwrittenKernels.SOURCE, Map.of());
  }

  void run() {
    System.out.println(device.info());
    launches();
    scalars();
    pool();
    transfers();
    bandwidth();
  }

  private interface Work {
    void run();
  }

  /**
   * Prints the median and the minimum of the times of repeated work.
   *
   * @param name the name in the output
   * @param times the number of repetitions
   * @param work the work
   */
  static void measure(String name, int times, Runnable work) {
    double[] micros = new double[REPEATS];
    work.run();
    for (int r = 0; r < REPEATS; r++) {
      long begin = System.nanoTime();
      work.run();
      micros[r] = (System.nanoTime() - begin) / 1e3 / times;
    }
    Arrays.sort(micros);
    System.out.printf("%-44s %10.3f us, least %.3f%n", name, micros[REPEATS / 2], micros[0]);
  }

  void launches() {
    Kernel tiny = program.kernel("tiny");
    Buffer out = device.allocate(4, "out", "");
    tiny.arguments().set(0, out);
    measure(
        "launch (FFM), waiting at the end",
        LAUNCHES,
        () -> {
          for (int i = 0; i < LAUNCHES; i++) {
            tiny.arguments().set(1, i);
            device.launch(tiny, 0, 1, 32, 0);
          }
          device.synchronise();
        });
    measure(
        "launch and wait",
        1000,
        () -> {
          for (int i = 0; i < 1000; i++) {
            tiny.arguments().set(1, i);
            device.launch(tiny, 0, 1, 32, 0);
            device.synchronise();
          }
        });
    Kernel index = program.kernel("index");
    index.arguments().set(0, program.failures().buffer());
    index.arguments().set(1, 1L);
    index.arguments().set(2, 10L);
    measure(
        "launch that may fail, waiting at the end",
        LAUNCHES,
        () -> {
          for (int i = 0; i < LAUNCHES; i++) {
            device.launch(index, 0, 1, 32, 0);
            program.failures().mayFail();
          }
          device.synchronise();
        });
  }

  void scalars() {
    Buffer xs = device.allocate(800, "xs", "");
    device.fill(xs, 0, 8, 1, 100);
    measure(
        "read of a scalar",
        1000,
        () -> {
          for (int i = 0; i < 1000; i++) {
            device.readScalar(xs, 8L * (i % 100), 4);
          }
        });
    measure(
        "read of 8 scalars at once",
        1000,
        () -> {
          for (int i = 0; i < 1000; i++) {
            int[] requests = new int[8];
            for (int j = 0; j < 8; j++) {
              requests[j] = device.ask(xs, 8L * j, 8);
            }
            device.await(requests);
            for (int request : requests) {
              device.answer(request);
            }
          }
        });
    measure(
        "write of a scalar (4 bytes)",
        1000,
        () -> {
          for (int i = 0; i < 1000; i++) {
            device.fill(xs, 8, 4, i, 1);
          }
          device.synchronise();
        });
    measure(
        "write of a scalar (8 bytes)",
        1000,
        () -> {
          for (int i = 0; i < 1000; i++) {
            device.fill(xs, 8, 8, i, 1);
          }
          device.synchronise();
        });
  }

  private void pool() {
    measure(
        "block taken and given back",
        10_000,
        () -> {
          for (int i = 0; i < 10_000; i++) {
            device.allocate(1 << 20, "xs", "").release();
          }
        });
    measure(
        "fresh block of 256 MiB",
        1,
        () -> {
          device.allocate(1 << 28, "xs", "").release();
          device.trim();
        });
  }

  private void transfers() {
    int n = 1 << 26;
    ArrayValue here = ArrayValue.vector(ElemType.F32, new float[n]);
    ArrayValue there = device.adopt(here);
    float[] target = new float[n];
    double bytes = 4.0 * n;
    rate(
        "host to device (Java array)",
        bytes,
        () -> there.store().write(ElemType.F32, 0, here.data(), 0, n));
    rate(
        "device to host (Java array)",
        bytes,
        () -> there.store().read(ElemType.F32, 0, target, 0, n));
    device.release(there.store());
  }

  private static void rate(String name, double bytes, Runnable work) {
    work.run();
    double best = 0;
    for (int i = 0; i < REPEATS; i++) {
      long begin = System.nanoTime();
      work.run();
      best = Math.max(best, bytes / (System.nanoTime() - begin));
    }
    System.out.printf("%-44s %10.1f GB/s%n", name, best);
  }

  private void bandwidth() {
    long n = 1L << 28;
    while (4 * n > device.info().limits().largestBlock() / 2
        || n * 16 > device.info().limits().memory()) {
      n /= 2;
    }
    Buffer in = device.allocate(4 * n, "in", "");
    Buffer out = device.allocate(4 * n, "out", "");
    device.fill(in, 0, 4, Float.floatToRawIntBits(1.5f), n);
    device.profiling(true);
    long count = n;
    report("copy", () -> device.copy(out, 0, in, 0, 4 * count));
    for (int block : new int[] {128, 256, 512, 1024}) {
      for (String name : new String[] {"map_one", "map_four"}) {
        Kernel map = program.kernel(name);
        if (block > map.blockThreads()) {
          continue;
        }
        map.arguments().set(0, out);
        map.arguments().set(1, in);
        map.arguments().set(2, count);
        map.arguments().set(3, 2f);
        long each = (long) block * (name.equals("map_four") ? 4 : 1);
        report(
            name + ", blocks of " + block,
            () -> device.launch(map, 0, (count + each - 1) / each, block, 8 * count));
      }
    }
    device.profiling(false);
    float last = Float.intBitsToFloat((int) device.readScalar(out, 4 * (n - 1), 4));
    if (last != 4f) {
      throw new IllegalStateException("wrong result: " + last);
    }
    ArrayValue some = new ArrayValue(ElemType.F32, new long[] {1000}, new DeviceArray(out));
    for (float x : Arrays.copyOf((float[]) some.data(), 1000)) {
      if (x != 4f) {
        throw new IllegalStateException("wrong result: " + x);
      }
    }
  }

  private void report(String name, Work work) {
    for (int i = 0; i < 12; i++) {
      work.run();
    }
    long begin = System.nanoTime();
    work.run();
    device.synchronise();
    long wall = System.nanoTime() - begin;
    Profile profile = new Profile();
    device.report(profile);
    double[] micros =
        profile.events().stream().mapToDouble(e -> e.nanos() / 1e3).sorted().toArray();
    double median = micros[micros.length / 2];
    System.out.printf(
        "%-44s %10.1f us, least %.1f; %.0f GB/s; wall %.1f us%n",
        name, median, micros[0], profile.events().getFirst().bytes() / median / 1e3, wall / 1e3);
  }
}
