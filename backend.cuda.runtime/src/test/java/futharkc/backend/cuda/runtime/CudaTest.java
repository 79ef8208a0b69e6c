package futharkc.backend.cuda.runtime;

import static java.lang.foreign.ValueLayout.JAVA_INT;
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
import futharkc.core.runtime.device.Kernel;
import futharkc.core.runtime.device.KernelProgram;
import futharkc.core.runtime.device.KernelSource;
import futharkc.core.runtime.device.SharedLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of CUDA calls with a driver in C. The driver uses host memory, and its kernels are C
 * functions. The test is skipped if there is no C compiler.
 */
final class CudaTest {
  @TempDir static Path folder;
  private static Path binary;

  private static final KernelSource SOURCE =
      new KernelSource(
          "",
          List.of(),
          List.of(
              new KernelSource.KernelDeclaration("scale", "a.fut:1", new int[] {8, 8, 4}, false),
              new KernelSource.KernelDeclaration("fail", "a.fut:2", new int[] {8, 8}, true),
              new KernelSource.KernelDeclaration("crash", "a.fut:3", new int[] {}, false)),
          List.of(
              new KernelSource.Failure(
                  List.of("Index [", "] out of bounds for array of shape [", "]."),
                  List.of(ElemType.I64, ElemType.I64),
                  "-> #0  a.fut:5:1-2")),
          null);

  @BeforeAll
  static void compileTheDriver() throws IOException, InterruptedException {
    Path library = Path.of(System.getenv("FUTHARKC_CUDA_DRIVER"));
    Files.createDirectories(library.getParent());
    Path source = library.resolveSibling("fake_cuda.c");
    try (InputStream in = CudaTest.class.getResourceAsStream("fake_cuda.c")) {
      Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
    }
    int status;
    try {
      status =
          new ProcessBuilder(
                  "cc",
                  "-shared",
                  "-fPIC",
                  "-Wl,-soname,libcuda.so.1",
                  "-o",
                  library.toString(),
                  source.toString())
              .inheritIO()
              .start()
              .waitFor();
    } catch (IOException e) {
      assumeTrue(false, "no C compiler: nothing of this is tested");
      return;
    }
    assertEquals(0, status);
    binary = Files.writeString(folder.resolve("binary"), "code");
  }

  private static void set(String what, int value) {
    try {
      CudaLibrary.find()
          .function("fake_" + what, FunctionDescriptor.ofVoid(JAVA_INT))
          .invoke(value);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the number of scalar transfers since the last call of this method. */
  private static int copies() {
    try {
      return (int)
          CudaLibrary.find().function("fake_copies", FunctionDescriptor.of(JAVA_INT)).invoke();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void reset() {
    set("initial", 0);
    set("version", 12060);
    set("devices", 2);
  }

  private static Device open() {
    return Device.open(
        new CudaApi(), new DeviceOptions.Builder().binary(binary).device("#0").build());
  }

  private static String message(org.junit.jupiter.api.function.Executable code) {
    return assertThrows(FutharkError.class, code).getMessage();
  }

  @Test
  void theBindingsNativeLibraryComesAlong() {
    assertTrue(CudaLibrary.class.getResource("lib/libJCudaDriver-12.6.0-linux-x86_64.so") != null);
  }

  @Test
  void devicesAndTheirLimits() {
    assertEquals(
        "Platform: NVIDIA CUDA\n[0]: Fake A\n[1]: Fake B\n", DeviceChoice.list(new CudaApi()));
    DeviceInfo best = DeviceChoice.choose(new CudaApi(), DeviceOptions.DEFAULT);
    assertEquals("Fake B", best.name());
    assertEquals("sm_90", best.architecture());
    assertEquals("12.6", best.driver());
    assertEquals(
        new DeviceInfo.Limits(
            1 << 26,
            1 << 26,
            132,
            2048,
            1024,
            Integer.MAX_VALUE,
            65535,
            231424,
            65536,
            50 << 20,
            32,
            true,
            true),
        best.limits());
  }

  @Test
  void kernelsRunOnValues() {
    try (Device device = open();
        KernelProgram program = device.load(SOURCE, Map.of())) {
      ArrayValue xs = device.adopt(ArrayValue.vector(ElemType.F32, new float[] {1, 2, 3}));
      Kernel scale = program.kernel("scale");
      assertEquals(231404, scale.sharedMemory());
      scale.arguments().set(0, ((DeviceArray) xs.store()).buffer());
      scale.arguments().set(1, 3L);
      scale.arguments().set(2, 1.5f);
      device.launch(scale, 0, 2, 64, 24);
      assertEquals(Scalar.f32(4.5f), xs.element(2));
    }
  }

  @Test
  void valuesOfAllTypesGoThereAndBackAndFillsHaveAllWidths() {
    try (Device device = open()) {
      for (ElemType type : ElemType.values()) {
        if (type == ElemType.UNIT) {
          continue;
        }
        ArrayValue here = new ArrayValue(type, new long[] {4, 5}, type.newArray(20));
        for (int i = 0; i < 20; i++) {
          here.setElement(i, new Scalar(type, 3 * i - 7));
        }
        ArrayValue there = device.copy(device.adopt(here));
        int w = type.bytes();
        Scalar x = new Scalar(type, 0x0102030405060708L);
        device.fill(((DeviceArray) there.store()).buffer(), 3L * w, w, x.bits(), 2);
        here.setElement(3, x);
        here.setElement(4, x);
        for (int i = 0; i < 20; i++) {
          assertEquals(here.element(i), there.element(i));
        }
      }
    }
  }

  /**
   * Tests transfers of array parts: short parts are copied in Java first, long ones by the driver.
   */
  @Test
  void piecesOfArraysGoWhereTheyBelong() {
    int[] source = IntStream.range(0, 5000).toArray();
    try (Device device = open()) {
      for (int count : new int[] {1, 2047, 2048, 2049, 4800}) {
        Buffer block = device.allocate(4 * 6000, "pieces", "");
        device.fill(block, 0, 4, -1, 6000);
        device.write(block, ElemType.I32, 7, source, 100, count);
        assertEquals(0xffff_ffffL, device.readScalar(block, 4 * 6, 4));
        assertEquals(100, device.readScalar(block, 4 * 7, 4));
        assertEquals(99 + count, device.readScalar(block, 4L * (6 + count), 4));
        assertEquals(0xffff_ffffL, device.readScalar(block, 4L * (7 + count), 4));
        block.release();
      }
    }
  }

  @Test
  void failuresAreToldAndTimesMeasured() {
    try (Device device = open();
        KernelProgram program = device.load(SOURCE, Map.of())) {
      device.profiling(true);
      Kernel fail = program.kernel("fail");
      fail.arguments().set(0, program.failures().buffer());
      fail.arguments().set(1, -9L);
      device.launch(fail, 100_000, 1, 32, 0);
      program.failures().mayFail();
      assertEquals(
          "Index [-9] out of bounds for array of shape [5].", message(device::synchronise));
      device.synchronise();
      Profile profile = new Profile();
      device.report(profile);
      assertEquals(250_000, profile.regions().getLast().nanos());
    }
  }

  @Test
  void scalarsOfSeveralBlocksAndTheFailureTakeOneTransfer() {
    try (Device device = open();
        KernelProgram program = device.load(SOURCE, Map.of())) {
      List<Buffer> blocks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        blocks.add(device.allocate(8, "a scalar", ""));
        device.fill(blocks.get(i), 0, 8, -1 - i, 1);
      }
      Kernel fail = program.kernel("fail");
      fail.arguments().set(0, program.failures().buffer());
      device.launch(fail, 0, 1, 1, 0);
      program.failures().mayFail();
      copies();
      int[] reads = new int[4];
      for (int i = 0; i < 4; i++) {
        reads[i] = device.ask(blocks.get(i), i % 3, 1 << i);
      }
      device.synchronise();
      assertEquals(1, copies());
      assertEquals(0xff, device.answer(reads[0]));
      assertEquals(0xffff, device.answer(reads[1]));
      assertEquals(0xffff_ffffL, device.answer(reads[2]));
      device.fill(blocks.get(3), 0, 8, 0x0102030405060708L, 1);
      Buffer far = device.allocate(1 << 20, "a long block", "");
      device.fill(far, 0, 4, 7, 1 << 18);
      int near = device.ask(blocks.get(3), 1, 4);
      int apart = device.ask(far, 0, 4);
      int last = device.ask(far, (1 << 20) - 4, 4);
      device.synchronise();
      assertEquals(2, copies(), "of what is far apart; the other is known");
      assertEquals(0x04050607L, device.answer(near));
      assertEquals(7, device.answer(apart));
      assertEquals(7, device.answer(last));
    }
  }

  @Test
  void shortBlocksAreParts() {
    try (Device device = open()) {
      List<Buffer> blocks = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        blocks.add(device.allocate(4, "a scalar", ""));
        device.fill(blocks.get(i), 0, 4, i, 64);
      }
      for (int i = 0; i < 1000; i++) {
        assertEquals(i, device.readScalar(blocks.get(i), 0, 4));
      }
      assertEquals(4_000, device.memoryUse().peakBytes());
      blocks.forEach(Buffer::release);
      device.trim();
      Runnable undo = device.savepoint();
      Buffer again = device.allocate(4, "a scalar", "");
      assertTrue(blocks.contains(again));
      undo.run();
      assertThrows(IllegalStateException.class, again::release);
    }
  }

  @Test
  void anIllegalAddressCostsTheValuesAndNoMore() {
    try (Device device = open()) {
      KernelProgram program = device.load(SOURCE, Map.of());
      ArrayValue xs = device.adopt(ArrayValue.vector(ElemType.I32, new int[] {1}));
      device.launch(program.kernel("crash"), 0, 1, 1, 0);
      String message = message(device::synchronise);
      assertTrue(message.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), message);
      assertTrue(message.contains("opened again"), message);
      assertTrue(message(xs::data).contains("lost"));
      ArrayValue ys = device.adopt(ArrayValue.vector(ElemType.I32, new int[] {2}));
      assertEquals(Scalar.i32(2), ys.element(0));
      device.load(SOURCE, Map.of()).close();
    }
  }

  @Test
  void memoryRunsOut() {
    try (Device device = open()) {
      Buffer half = device.allocate(1 << 25, "a half", "");
      half.release();
      Buffer more = device.allocate(3 << 24, "more", "");
      String message = message(() -> device.allocate(1 << 25, "array xs", "a.fut:1:2-3"));
      assertTrue(message.contains("33554432 bytes for array xs"), message);
      assertTrue(message.contains("of which 16777216 are free"), message);
      more.release();
      device.allocate(1 << 25, "array xs", "").release();
    }
  }

  @Test
  void severalDevicesInOneThread() {
    try (Device a = open();
        Device b =
            Device.open(new CudaApi(), new DeviceOptions.Builder().device("Fake B").build())) {
      ArrayValue xs = a.adopt(ArrayValue.vector(ElemType.I32, new int[] {1}));
      ArrayValue ys = b.adopt(xs);
      ys.setElement(0, Scalar.i32(2));
      assertEquals(Scalar.i32(1), xs.element(0));
      assertEquals(Scalar.i32(2), ys.element(0));
    }
  }

  @Test
  void binariesThatAreNoneAreRefused() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad"), "bad");
    try (Device device =
        Device.open(new CudaApi(), new DeviceOptions.Builder().binary(bad).build())) {
      String message = message(() -> device.load(SOURCE, Map.of()));
      assertTrue(message.contains("CUDA_ERROR_INVALID_IMAGE"), message);
    }
  }

  @Test
  void driversThatDoNotWorkAreErrorsThatSayWhy() {
    set("version", 11030);
    String message = message(() -> new CudaApi().devices());
    assertTrue(message.contains("too old") && message.contains("11.3"), message);
    set("version", 12060);
    set("initial", 803);
    message = message(() -> new CudaApi().devices());
    assertTrue(message.contains("MISMATCH") && message.contains("restart"), message);
    set("initial", 100);
    assertTrue(new CudaApi().devices().isEmpty());
    message = message(CudaTest::open);
    assertTrue(message.contains("no CUDA device"), message);
    assertFalse(
        new CudaDiagnosis().findings().stream().allMatch(Diagnosis.Finding::good),
        "no device is a finding");
  }

  @Test
  void noDriverIsAnErrorThatListsWhatWasLookedFor() {
    assertEquals(null, SharedLibrary.find(List.of(folder.resolve("none").toString())));
    String message = CudaLibrary.missing(List.of("libcuda.so.1", "/a/b")).getMessage();
    assertTrue(message.contains("Looked for libcuda.so.1, /a/b"), message);
  }
}
