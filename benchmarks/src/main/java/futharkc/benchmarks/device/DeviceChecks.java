package futharkc.benchmarks.device;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.device.Buffer;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceArray;
import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.Kernel;
import futharkc.core.runtime.device.KernelProgram;
import futharkc.core.runtime.device.KernelSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Checks of all device operations against known results. {@linkplain #RISKY Risky} checks have made
 * some driver lose its device for the rest of the process, and so run in separate processes.
 */
final class DeviceChecks {
  private static final Set<String> RISKY =
      Set.of("more than 2^31 elements", "too little memory", "illegal address");

  private final DeviceApi api;
  private final String only;
  private final DeviceOptions uncached = new DeviceOptions.Builder().caching(false).build();
  private int failed;

  /**
   * Creates the checks of an interface.
   *
   * @param api the interface
   * @param only {@code safe} for all checks that are not risky, or words from the name of a check;
   *     empty for all
   */
  DeviceChecks(DeviceApi api, String only) {
    this.api = api;
    this.only = only;
  }

  private interface Check {
    void run(Device device) throws Exception;
  }

  private void check(String name, Check check) {
    if (only.equals("safe") ? RISKY.contains(name) : !name.contains(only)) {
      return;
    }
    long begin = System.nanoTime();
    try (Device device = Device.open(api, uncached)) {
      check.run(device);
      System.out.printf("ok    %s (%d ms)%n", name, (System.nanoTime() - begin) / 1_000_000);
    } catch (Throwable e) {
      failed++;
      System.out.println("FAIL  " + name + ": " + e);
      e.printStackTrace(System.out);
    }
  }

  private static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new IllegalStateException("expected " + expected + ", got " + actual);
    }
  }

  private static String message(Callable<?> code) throws Exception {
    try {
      code.call();
    } catch (FutharkError e) {
      System.out.println("      says: " + e.getMessage().replace("\n", "\n            "));
      return e.getMessage();
    }
    throw new IllegalStateException("no error");
  }

  private static void expectIn(String part, String text) {
    if (!text.contains(part)) {
      throw new IllegalStateException("no '" + part + "' in: " + text);
    }
  }

  int run() {
    check("devices", device -> System.out.println("      " + device.info()));
    check("values of all types", this::values);
    check("arguments of all sizes", this::arguments);
    check("fills and copies", this::fillsAndCopies);
    check("shared memory", this::shared);
    check("failures of kernels", this::failures);
    check("batched scalars", this::scalars);
    check("kernel that does not compile", this::compilation);
    check("grid that is too large", this::grid);
    check("more than 2^31 elements", this::large);
    check("too little memory", this::memory);
    check("cache file", this::cache);
    check("two devices", this::twoDevices);
    check("other threads", this::threads);
    check("illegal address", this::illegal);
    return failed;
  }

  private void values(Device device) {
    for (ElemType type : ElemType.values()) {
      if (type == ElemType.UNIT) {
        continue;
      }
      ArrayValue here = new ArrayValue(type, new long[] {1000}, type.newArray(1000));
      for (int i = 0; i < 1000; i++) {
        here.setElement(i, new Scalar(type, 3L * i - 7));
      }
      ArrayValue there = device.copy(device.adopt(here));
      there.setElement(7, here.element(0));
      expect(here.element(0), there.element(7));
      ArrayValue back = there.onHost();
      for (int i = 8; i < 1000; i++) {
        expect(here.element(i), back.element(i));
      }
    }
  }

  private static Buffer buffer(ArrayValue a) {
    return ((DeviceArray) a.store()).buffer();
  }

  private void arguments(Device device) {
    Kernel kernel = device.load(HandwrittenKernels.SOURCE, Map.of()).kernel("parameters");
    ArrayValue out = device.adopt(ArrayValue.vector(ElemType.F32, new float[5]));
    kernel.arguments().set(0, buffer(out));
    kernel.arguments().set(1, (byte) 200);
    kernel.arguments().set(2, (short) -2);
    kernel.arguments().set(3, -3);
    kernel.arguments().set(4, -4_000_000_000L);
    kernel.arguments().set(5, 0.5f);
    device.launch(kernel, 0, 1, 1, 0);
    float[] xs = (float[]) out.data();
    expect(List.of(200f, -2f, -3f, -4e9f, 0.5f), List.of(xs[0], xs[1], xs[2], xs[3], xs[4]));
  }

  private void fillsAndCopies(Device device) {
    for (ElemType type : new ElemType[] {ElemType.I8, ElemType.I16, ElemType.I32, ElemType.I64}) {
      int w = type.bytes();
      Buffer a = device.allocate(100L * w, "a", "");
      Buffer b = device.allocate(100L * w, "b", "");
      device.fill(a, 0, w, 0x0102030405060708L, 100);
      device.fill(a, 3L * w, w, -2, 5);
      device.fill(a, 9L * w, w, 11, 1);
      device.copy(b, 10L * w, a, 2L * w, 9L * w);
      ArrayValue copied = new ArrayValue(type, new long[] {100}, new DeviceArray(b));
      expect(new Scalar(type, 0x0102030405060708L), copied.element(10));
      expect(new Scalar(type, -2), copied.element(11));
      expect(new Scalar(type, -2), copied.element(15));
      expect(new Scalar(type, 0x0102030405060708L), copied.element(16));
      expect(new Scalar(type, 11), copied.element(17));
    }
  }

  private void shared(Device device) {
    Kernel sums = device.load(HandwrittenKernels.SOURCE, Map.of()).kernel("sums");
    Buffer out = device.allocate(4000, "out", "");
    sums.arguments().set(0, out);
    sums.arguments().set(1, 5);
    int most = sums.sharedMemory();
    System.out.println("      shared memory for a block: " + most);
    for (int bytes : new int[] {4 * 128, most}) {
      device.fill(out, 0, 4, 0, 1000);
      device.launch(sums, bytes, 1000, 128, 0);
      for (long g : new long[] {0, 1, 999}) {
        expect(128 * 5 + 128 * 128 * g + 127 * 64, device.readScalar(out, 4 * g, 4));
      }
    }
  }

  private void failures(Device device) throws Exception {
    KernelProgram program = device.load(HandwrittenKernels.SOURCE, Map.of());
    Kernel index = program.kernel("index");
    for (int run = 0; run < 3; run++) {
      index.arguments().set(0, program.failures().buffer());
      index.arguments().set(1, 10L + run);
      index.arguments().set(2, 10L);
      device.launch(index, 0, 1000, 256, 0);
      program.failures().mayFail();
      expectIn(
          "Index [" + (10 + run) + "] out of bounds for array of shape [10].",
          message(
              () -> {
                device.synchronise();
                return null;
              }));
      index.arguments().set(1, 9L);
      device.launch(index, 0, 1000, 256, 0);
      program.failures().mayFail();
      device.synchronise();
    }
  }

  private void scalars(Device device) {
    Buffer xs = device.allocate(8 * 2000, "xs", "");
    for (int i = 0; i < 2000; i++) {
      device.fill(xs, 8L * i, 8, 1_000_000_007L * i, 1);
    }
    int[] requests = new int[2000];
    for (int i = 0; i < 2000; i++) {
      requests[i] = device.ask(xs, 8L * i, 8);
    }
    device.await(requests);
    for (int i = 0; i < 2000; i++) {
      expect(1_000_000_007L * i, device.answer(requests[i]));
    }
  }

  private void compilation(Device device) throws Exception {
    KernelSource wrong =
        new KernelSource(
            HandwrittenKernels.SOURCE.text() + "KERNEL void f() { nonsense; }",
            List.of(),
            List.of(),
            List.of(),
            null);
    expectIn("nonsense", message(() -> device.load(wrong, Map.of())));
  }

  private void grid(Device device) throws Exception {
    Kernel tiny = device.load(HandwrittenKernels.SOURCE, Map.of()).kernel("tiny");
    expectIn(
        "4294967296",
        message(
            () -> {
              device.launch(tiny, 0, 1L << 32, 32, 0);
              return null;
            }));
  }

  private void large(Device device) throws Exception {
    long n = (1L << 31) + 1000;
    if (device.info().kind() != DeviceInfo.Kind.GPU
        || n > device.info().limits().largestBlock()
        || n > device.info().limits().memory() / 4) {
      System.out.println("      (skipped: the device is too small)");
      return;
    }
    Buffer xs = device.allocate(n, "xs", "");
    device.fill(xs, 0, 1, 1, n);
    device.fill(xs, n - 1, 1, 7, 1);
    ArrayValue value = new ArrayValue(ElemType.I8, new long[] {n}, new DeviceArray(xs));
    expect(Scalar.i8((byte) 1), value.element(n - 2));
    expect(Scalar.i8((byte) 7), value.element(n - 1));
    expectIn("does not fit into one Java array", message(value::data));
    ArrayValue copy = device.copy(value);
    expect(Scalar.i8((byte) 7), copy.element(n - 1));
  }

  private void memory(Device device) throws Exception {
    long block = device.info().limits().largestBlock();
    expectIn("has at most", message(() -> device.allocate(block + 1, "array xs", "a.fut:1:2-3")));
    if (device.info().kind() != DeviceInfo.Kind.GPU) {
      System.out.println("      (rest skipped: the device uses host memory)");
      return;
    }
    List<Buffer> taken = new ArrayList<>();
    long piece = Math.min(block, device.info().limits().memory() / 4);
    expectIn(
        "bytes for array xs",
        message(
            () -> {
              while (true) {
                taken.add(device.allocate(piece, "array xs", "a.fut:1:2-3"));
              }
            }));
    taken.forEach(Buffer::release);
    // A request of another size needs the memory that the pool keeps.
    Buffer other = device.allocate(piece / 2, "array ys", "");
    device.fill(other, 0, 4, 5, piece / 8);
    expect(5L, device.readScalar(other, piece / 2 / 4 * 4 - 4, 4));
  }

  private void cache(Device device) throws IOException {
    Path file = Files.createTempFile("kernels", ".cache");
    Files.delete(file);
    DeviceOptions options = new DeviceOptions.Builder().cacheFile(file).build();
    for (int run = 0; run < 4; run++) {
      long begin = System.nanoTime();
      try (Device own = Device.open(api, options)) {
        long opened = System.nanoTime();
        Kernel tiny = own.load(HandwrittenKernels.SOURCE, Map.of()).kernel("tiny");
        long loaded = System.nanoTime();
        Buffer out = own.allocate(4, "out", "");
        tiny.arguments().set(0, out);
        tiny.arguments().set(1, run);
        own.launch(tiny, 0, 1, 1, 0);
        expect((long) run, own.readScalar(out, 0, 4));
        System.out.printf(
            "      run %d: opened in %d ms, kernels in %d ms%n",
            run, (opened - begin) / 1_000_000, (loaded - opened) / 1_000_000);
      }
      if (run == 1) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
      }
    }
    Files.delete(file);
  }

  private void twoDevices(Device device) {
    try (Device other = Device.open(api, uncached)) {
      ArrayValue xs = device.adopt(ArrayValue.vector(ElemType.I32, new int[] {1}));
      ArrayValue ys = other.adopt(xs);
      ys.setElement(0, Scalar.i32(2));
      expect(Scalar.i32(1), xs.element(0));
      expect(Scalar.i32(2), ys.element(0));
    }
  }

  private void threads(Device device) throws InterruptedException {
    ArrayValue xs = device.adopt(ArrayValue.vector(ElemType.I32, new int[] {1}));
    List<Object> seen = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              xs.setElement(0, Scalar.i32(9));
              seen.add(xs.element(0));
            });
    thread.start();
    thread.join();
    expect(List.of(Scalar.i32(9)), seen);
    expect(Scalar.i32(9), xs.element(0));
  }

  private void illegal(Device device) throws Exception {
    if (device.info().kind() == DeviceInfo.Kind.CPU) {
      System.out.println("      (skipped: it would end this process)");
      return;
    }
    KernelProgram program = device.load(HandwrittenKernels.SOURCE, Map.of());
    ArrayValue xs = device.adopt(ArrayValue.vector(ElemType.I32, new int[] {1}));
    Kernel stray = program.kernel("stray");
    stray.arguments().set(0, buffer(xs));
    stray.arguments().set(1, 1L << 42);
    device.launch(stray, 0, 1, 32, 0);
    String first =
        message(
            () -> {
              device.synchronise();
              return null;
            });
    expectIn("opened again", first);
    expectIn("lost", message(xs::data));
    if (first.contains("Restart the process")) {
      System.out.println("      (this driver does not let the process open the device again)");
      return;
    }
    ArrayValue ys = device.adopt(ArrayValue.vector(ElemType.I32, new int[] {2}));
    Kernel tiny = device.load(HandwrittenKernels.SOURCE, Map.of()).kernel("tiny");
    tiny.arguments().set(0, buffer(ys));
    tiny.arguments().set(1, 77);
    device.launch(tiny, 0, 1, 1, 0);
    expect(Scalar.i32(77), ys.element(0));
  }
}
