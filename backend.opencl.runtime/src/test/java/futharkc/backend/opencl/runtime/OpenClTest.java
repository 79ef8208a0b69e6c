package futharkc.backend.opencl.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Profile;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.device.Buffer;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceArray;
import futharkc.core.runtime.device.DeviceChoice;
import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.Diagnosis;
import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.Kernel;
import futharkc.core.runtime.device.KernelProgram;
import futharkc.core.runtime.device.KernelSource;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jocl.CL;
import org.jocl.Sizeof;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test on a real OpenCL device, such as PoCL's; skipped if no driver is installed. */
final class OpenClTest {
  private static final String TEXT =
      """
      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
      __kernel void scale(__global float *xs, long n, float a) {
        long i = get_global_id(0);
        if (i < n) xs[i] = a * xs[i];
      }
      __kernel void every(__global double *out, uchar b, short s, int i, long l, float f, double d) {
        out[0] = b; out[1] = s; out[2] = i; out[3] = l; out[4] = f; out[5] = d;
      }
      __kernel void sum(__global int *out, __local int *shared) {
        int t = get_local_id(0);
        shared[t] = get_global_id(0) + SHIFT;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0) {
          int s = 0;
          for (int i = 0; i < get_local_size(0); i++) s += shared[i];
          out[get_group_id(0)] = s;
        }
      }
      __kernel void place(__global int *out) {
        int w = get_global_size(0), h = get_global_size(1);
        int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        out[(z * h + y) * w + x] = 10000 * z + 100 * y + x;
      }
      __kernel void fail(__global volatile int *failure, long i) {
        if (get_global_id(0) >= 3 && atomic_cmpxchg(failure, -1, 0) == -1) {
          __global volatile long *arguments = (__global volatile long *) failure + 1;
          arguments[0] = i;
          arguments[1] = 5;
        }
      }
      """;

  private static final KernelSource SOURCE =
      new KernelSource(
          TEXT,
          List.of("-cl-std=CL1.2"),
          List.of(
              new KernelSource.KernelDeclaration("scale", "a.fut:1", new int[] {8, 8, 4}, false),
              new KernelSource.KernelDeclaration(
                  "every", "a.fut:2", new int[] {8, 1, 2, 4, 8, 4, 8}, false),
              new KernelSource.KernelDeclaration("sum", "a.fut:3", new int[] {8}, true),
              new KernelSource.KernelDeclaration("place", "a.fut:4", new int[] {8}, false),
              new KernelSource.KernelDeclaration("fail", "a.fut:5", new int[] {8, 8}, false)),
          List.of(
              new KernelSource.Failure(
                  List.of("Index [", "] out of bounds for array of shape [", "]."),
                  List.of(ElemType.I64, ElemType.I64),
                  "-> #0  a.fut:5:1-2")),
          null);

  private static Device device;
  private static KernelProgram program;

  @BeforeAll
  static void open() {
    // Where a driver is installed, a missing device is a failure and no reason to skip.
    assumeTrue(
        !InstalledDrivers.ofMachine().files().isEmpty(), "needs an OpenCL driver, such as PoCL");
    assertFalse(
        new OpenClApi().devices().isEmpty(), () -> InstalledDrivers.ofMachine().whyNoDevice());
    device = Device.open(new OpenClApi(), new DeviceOptions.Builder().caching(false).build());
    program = device.load(SOURCE, Map.of("SHIFT", 1000L));
  }

  @AfterAll
  static void close() {
    if (device != null) {
      program.close();
      device.close();
    }
  }

  private static Buffer buffer(ArrayValue value) {
    return ((DeviceArray) value.store()).buffer();
  }

  /**
   * Tests that the binding works in several class loaders, as in a process that tests several
   * programs.
   */
  @Test
  void everyClassLoaderHasTheBinding() throws Exception {
    List<URL> code = new ArrayList<>();
    for (Class<?> c : List.of(OpenClApi.class, Device.class, Sizeof.class)) {
      code.add(c.getProtectionDomain().getCodeSource().getLocation());
    }
    for (int i = 0; i < 2; i++) {
      try (URLClassLoader loader = new URLClassLoader(code.toArray(URL[]::new), null)) {
        Class<?> api = loader.loadClass(OpenClApi.class.getName());
        Object devices = api.getMethod("devices").invoke(api.getConstructor().newInstance());
        assertFalse(((List<?>) devices).isEmpty());
      }
    }
  }

  @Test
  void launchesScaleAnArray() {
    int n = 100_000;
    float[] xs = new float[n];
    for (int i = 0; i < n; i++) {
      xs[i] = i;
    }
    ArrayValue value = device.adopt(ArrayValue.vector(ElemType.F32, xs));
    Kernel scale = program.kernel("scale");
    scale.arguments().set(0, buffer(value));
    scale.arguments().set(1, (long) n);
    for (float a : new float[] {2, 0.5f, 3}) {
      scale.arguments().set(2, a);
      device.launch(scale, 0, (n + 63) / 64, 64, 8L * n);
    }
    device.synchronise();
    float[] ys = (float[]) value.data();
    for (int i = 0; i < n; i++) {
      assertEquals(3f * i, ys[i]);
    }
    device.release(value.store());
  }

  @Test
  void argumentsOfAllSizesArrive() {
    assumeTrue(device.info().limits().f64(), "no double precision");
    Buffer out = device.allocate(48, "out", "");
    Kernel every = program.kernel("every");
    every.arguments().set(0, out);
    every.arguments().set(1, (byte) 200);
    every.arguments().set(2, (short) -2);
    every.arguments().set(3, -3);
    every.arguments().set(4, -4_000_000_000L);
    every.arguments().set(5, 0.5f);
    every.arguments().set(6, 1e-300);
    device.launch(every, 0, 1, 1, 0);
    ArrayValue value = new ArrayValue(ElemType.F64, new long[] {6}, new DeviceArray(out));
    assertArrayEquals(new double[] {200, -2, -3, -4e9, 0.5, 1e-300}, (double[]) value.data());
    out.release();
  }

  @Test
  void sharedMemoryAndMacros() {
    Buffer out = device.allocate(4 * 10, "out", "");
    Kernel sum = program.kernel("sum");
    sum.arguments().set(0, out);
    device.launch(sum, 4 * 32, 10, 32, 0);
    for (int g = 0; g < 10; g++) {
      int expected = 32 * 1000 + 32 * 32 * g + 31 * 16;
      assertEquals(expected, device.readScalar(out, 4L * g, 4));
    }
    out.release();
  }

  @Test
  void gridsOfThreeDimensions() {
    Buffer out = device.allocate(4 * 6 * 6 * 4, "out", "");
    Kernel place = program.kernel("place");
    place.arguments().set(0, out);
    device.launch(place, 0, 3, 2, 4, 2, 3, 1, 0);
    assertEquals(10000 * 3 + 100 * 4 + 5, device.readScalar(out, 4 * ((3 * 6 + 4) * 6 + 5), 4));
    out.release();
  }

  @Test
  void failuresAreTold() {
    Kernel fail = program.kernel("fail");
    fail.arguments().set(0, program.failures().buffer());
    fail.arguments().set(1, -9L);
    device.launch(fail, 0, 4, 32, 0);
    program.failures().mayFail();
    FutharkError error = assertThrows(FutharkError.class, device::synchronise);
    assertEquals("Index [-9] out of bounds for array of shape [5].", error.getMessage());
    device.synchronise();
  }

  @Test
  void longFillsGoByParts() {
    OpenClDriver driver = (OpenClDriver) new OpenClApi().open(device.info(), DeviceOptions.DEFAULT);
    try {
      long block = driver.allocate(40_000);
      byte[] expected = new byte[40_000];
      for (int width : new int[] {1, 2, 4, 8}) {
        byte[] seen = new byte[40_000];
        driver.fill(block, 0, 1, width, 40_000, 8192);
        Arrays.fill(expected, (byte) width);
        driver.fill(block, 16, width, 0x0807060504030201L, 30_000 / width, 8192);
        driver.fill(block, 39_992, width, -1, 1, 8192);
        for (int i = 0; i < 30_000 / width * width; i++) {
          expected[16 + i] = (byte) (1 + i % width);
        }
        Arrays.fill(expected, 39_992, 39_992 + width, (byte) -1);
        driver.read(block, 0, ByteBuffer.wrap(seen), 0, 40_000);
        assertArrayEquals(expected, seen);
      }
    } finally {
      driver.close();
    }
  }

  @Test
  void fillsAndCopiesOfAllWidths() {
    for (ElemType type : new ElemType[] {ElemType.I8, ElemType.I16, ElemType.I32, ElemType.I64}) {
      int w = type.bytes();
      Buffer a = device.allocate(100L * w, "a", "");
      Buffer b = device.allocate(100L * w, "b", "");
      device.fill(a, 0, w, 0x0102030405060708L, 100);
      device.fill(a, 3L * w, w, -2, 5);
      device.copy(b, 10L * w, a, 2L * w, 7L * w);
      ArrayValue copied = new ArrayValue(type, new long[] {100}, new DeviceArray(b));
      assertEquals(new Scalar(type, 0x0102030405060708L), copied.element(10));
      assertEquals(new Scalar(type, -2), copied.element(11));
      assertEquals(new Scalar(type, -2), copied.element(15));
      assertEquals(new Scalar(type, 0x0102030405060708L), copied.element(16));
      a.release();
      b.release();
    }
  }

  @Test
  void valuesOfAllTypesGoThereAndBack() {
    for (ElemType type : ElemType.values()) {
      if (type == ElemType.UNIT) {
        continue;
      }
      ArrayValue here = new ArrayValue(type, new long[] {4, 5}, type.newArray(20));
      for (int i = 0; i < 20; i++) {
        here.setElement(i, new Scalar(type, 3 * i - 7));
      }
      ArrayValue there = device.adopt(here);
      there.setElement(7, here.element(0));
      here.setElement(7, here.element(0));
      for (int i = 0; i < 20; i++) {
        assertEquals(here.element(i), there.element(i));
      }
      device.release(there.store());
    }
  }

  @Test
  void kernelsAreMeasured() {
    try (Device own =
        Device.open(new OpenClApi(), new DeviceOptions.Builder().caching(false).build())) {
      KernelProgram loaded = own.load(SOURCE, Map.of("SHIFT", 0L));
      own.profiling(true);
      Buffer out = own.allocate(4 * 1000, "out", "");
      Kernel sum = loaded.kernel("sum");
      sum.arguments().set(0, out);
      long before = System.nanoTime();
      own.launch(sum, 4 * 64, 1000, 64, 0);
      own.launch(sum, 4 * 64, 1000, 64, 0);
      own.synchronise();
      long took = System.nanoTime() - before;
      Profile profile = new Profile();
      own.report(profile);
      assertEquals(2, profile.regions().getFirst().runs());
      long nanos = profile.regions().getFirst().nanos();
      assertTrue(nanos > 0 && nanos <= took, nanos + " of " + took);
      Profile.Event first = profile.events().getFirst();
      assertTrue(Math.abs(first.start() - before) < 10_000_000_000L, first::toString);
    }
  }

  @Test
  void sourceThatDoesNotCompileIsAnErrorWithTheCompilersMessages() {
    KernelSource wrong =
        new KernelSource("__kernel void f() { nonsense; }", List.of(), List.of(), List.of(), null);
    FutharkError error = assertThrows(FutharkError.class, () -> device.load(wrong, Map.of()));
    assertTrue(error.getMessage().contains("do not compile"), error.getMessage());
    assertTrue(error.getMessage().contains("nonsense"), error.getMessage());
  }

  /** Tests that a driver which keeps the program of its last compilation loads other binaries. */
  @Test
  void binariesAreLoadedInAnyOrder() {
    OpenClDriver driver = (OpenClDriver) new OpenClApi().open(device.info(), DeviceOptions.DEFAULT);
    try {
      String text = "__kernel void NAME(__global int *out) { out[0] = 1; }";
      byte[] first = driver.compile(text.replace("NAME", "first"), List.of());
      byte[] second = driver.compile(text.replace("NAME", "second"), List.of());
      long loaded = driver.load(first);
      driver.kernel(loaded, "first");
      assertThrows(DriverException.class, () -> driver.kernel(loaded, "second"));
      driver.kernel(driver.load(second), "second");
    } finally {
      driver.close();
    }
  }

  @Test
  void statusesAreClassified() {
    Map<DriverException.Kind, int[]> statuses =
        Map.of(
            DriverException.Kind.LOST,
            new int[] {CL.CL_OUT_OF_RESOURCES, CL.CL_INVALID_COMMAND_QUEUE, -9999},
            DriverException.Kind.MEMORY,
            new int[] {CL.CL_MEM_OBJECT_ALLOCATION_FAILURE, CL.CL_OUT_OF_HOST_MEMORY},
            DriverException.Kind.BINARY,
            new int[] {CL.CL_INVALID_BINARY},
            DriverException.Kind.OTHER,
            new int[] {CL.CL_INVALID_VALUE, CL.CL_INVALID_KERNEL_ARGS});
    statuses.forEach(
        (kind, all) -> {
          for (int status : all) {
            assertEquals(kind, OpenClDriver.failure(status, "clCall").kind(), "status " + status);
          }
        });
    assertEquals(
        CL.CL_INVALID_BINARY, OpenClDriver.firstFailure(CL.CL_SUCCESS, CL.CL_INVALID_BINARY));
    assertEquals(
        CL.CL_INVALID_VALUE, OpenClDriver.firstFailure(CL.CL_INVALID_VALUE, CL.CL_INVALID_BINARY));
    assertEquals(CL.CL_SUCCESS, OpenClDriver.firstFailure(CL.CL_SUCCESS, CL.CL_SUCCESS));
  }

  @Test
  void tooMuchMemoryIsAnErrorAndTheDeviceGoesOn() {
    DeviceInfo.Limits limits = device.info().limits();
    FutharkError error =
        assertThrows(
            FutharkError.class,
            () -> device.allocate(limits.largestBlock() + 1, "array xs", "a.fut:1:1-2"));
    assertTrue(error.getMessage().contains("at most " + limits.largestBlock()));
    Buffer small = device.allocate(8, "small", "");
    device.fill(small, 0, 8, 42, 1);
    assertEquals(42, device.readScalar(small, 0, 8));
    small.release();
  }

  @Test
  void binariesComeFromTheCache(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("cache");
    DeviceOptions options = new DeviceOptions.Builder().cacheFile(file).build();
    for (int run = 0; run < 3; run++) {
      try (Device own = Device.open(new OpenClApi(), options)) {
        KernelProgram loaded = own.load(SOURCE, Map.of("SHIFT", 7L));
        Buffer out = own.allocate(4, "out", "");
        Kernel sum = loaded.kernel("sum");
        sum.arguments().set(0, out);
        own.launch(sum, 4 * 32, 1, 32, 0);
        assertEquals(32 * 7 + 31 * 16, own.readScalar(out, 0, 4));
        loaded.close();
      }
      byte[] cached = Files.readAllBytes(file);
      if (run == 1) {
        cached[cached.length / 2] ^= 1;
        Files.write(file, cached);
      }
    }
  }

  @Test
  void devicesAreListedAndDiagnosed() {
    String list = DeviceChoice.list(new OpenClApi());
    assertTrue(list.startsWith("Platform: ") && list.contains("[0]: "), list);
    Diagnosis diagnosis = new OpenClDiagnosis();
    assertTrue(
        diagnosis.findings().stream().allMatch(Diagnosis.Finding::good),
        () -> diagnosis.findings().toString());
  }
}
