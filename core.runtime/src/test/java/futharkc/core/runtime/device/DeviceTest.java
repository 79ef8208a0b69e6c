package futharkc.core.runtime.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.Profile;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A test of memory, kernels, failures and values, on a device simulated in Java. */
final class DeviceTest {
  private static final DeviceOptions UNCACHED = new DeviceOptions.Builder().caching(false).build();

  private static final KernelSource SOURCE =
      new KernelSource(
          "kernel void twice; kernel void fail;",
          List.of("-O"),
          List.of(
              new KernelSource.KernelDeclaration("twice", "a.fut:1", new int[] {8, 4}, false),
              new KernelSource.KernelDeclaration("fail", "a.fut:2", new int[] {8}, true)),
          List.of(
              new KernelSource.Failure(List.of("never"), List.of(), ""),
              new KernelSource.Failure(
                  List.of("Index [", "] out of bounds, at ", "."),
                  List.of(ElemType.I64, ElemType.F64),
                  "-> #0  a.fut:2:3-4")),
          null);

  private final FakeApi api = new FakeApi();

  DeviceTest() {
    api.kernels.put(
        "twice",
        (driver, arguments, threads) -> {
          MemorySegment xs = driver.block(arguments, 0);
          int n = arguments.slot(1).get(ValueLayout.JAVA_INT, 0);
          for (int i = 0; i < Math.min(n, threads); i++) {
            int x = xs.getAtIndex(ValueLayout.JAVA_INT, i);
            xs.setAtIndex(ValueLayout.JAVA_INT, i, 2 * x);
          }
        });
    api.kernels.put(
        "fail",
        (driver, arguments, threads) -> {
          MemorySegment word = driver.block(arguments, 0);
          if (word.get(ValueLayout.JAVA_INT, 0) == -1) {
            word.set(ValueLayout.JAVA_INT, 0, 1);
            word.set(ValueLayout.JAVA_LONG, 8, 7);
            word.set(ValueLayout.JAVA_DOUBLE, 16, 0.5);
          }
        });
  }

  private Device open() {
    return Device.open(api, UNCACHED);
  }

  private static ArrayValue ints(int... xs) {
    return ArrayValue.vector(ElemType.I32, xs);
  }

  private static Buffer buffer(ArrayValue value) {
    return ((DeviceArray) value.store()).buffer();
  }

  private static String message(Runnable code) {
    return assertThrows(FutharkError.class, code::run).getMessage();
  }

  @Test
  void valuesThatWereReleasedCannotBeUsed() {
    try (Device device = open()) {
      ArrayValue first = device.copy(ArrayValue.vector(ElemType.I32, new int[] {1, 2, 3}));
      assertEquals(3, first.element(2).asInt());
      assertThrows(IndexOutOfBoundsException.class, () -> first.element(3));
      device.release(first.store());
      // The copy probably reuses the same block.
      ArrayValue second = device.copy(ArrayValue.vector(ElemType.I32, new int[] {4, 5, 6}));
      for (Runnable use :
          List.<Runnable>of(
              first::data,
              () -> first.element(0),
              () -> first.setElement(0, Scalar.i32(1)),
              () -> device.copy(first),
              () -> device.adopt(first),
              () -> device.release(first.store()))) {
        IllegalStateException e = assertThrows(IllegalStateException.class, use::run);
        assertTrue(e.getMessage().startsWith("a value was used after its release"), e::getMessage);
      }
      assertArrayEquals(new int[] {4, 5, 6}, (int[]) second.data());
      assertEquals("array [3]i32", second.toString());
    }
  }

  @Test
  void kernelsRunOnValuesThatStayOnTheDevice() {
    Device device = open();
    KernelProgram program = device.load(SOURCE, Map.of());
    ArrayValue xs = device.adopt(ints(1, 2, 3));
    assertSame(xs, device.adopt(xs));
    Kernel twice = program.kernel("twice");
    twice.arguments().set(0, buffer(xs));
    twice.arguments().set(1, 3);
    device.launch(twice, 0, 1, 32, 24);
    device.launch(twice, 0, 1, 2, 24);
    assertFalse(api.last.calls.contains("synchronise"), "launches wait for nothing");
    assertArrayEquals(new int[] {4, 8, 6}, (int[]) xs.data());
    ArrayValue copy = device.copy(xs);
    copy.setElement(1, Scalar.i32(5));
    assertEquals(Scalar.i32(5), copy.element(1));
    assertEquals(Scalar.i32(8), xs.element(1));
    assertNotSame(buffer(xs), buffer(copy));
  }

  @Test
  void allTypesOfElementsGoThereAndBack() throws IOException {
    Device device = open();
    for (ElemType type : ElemType.values()) {
      if (type == ElemType.UNIT) {
        continue;
      }
      ArrayValue here = new ArrayValue(type, new long[] {2, 3}, type.newArray(6));
      for (int i = 0; i < 6; i++) {
        here.setElement(i, new Scalar(type, i % 4 == 0 ? 0 : -i));
      }
      ArrayValue there = device.adopt(here);
      for (int i = 0; i < 6; i++) {
        assertEquals(here.element(i), there.element(i), type.text());
      }
      assertEquals(text(here), text(there));
      ArrayValue read =
          (ArrayValue) new ValueReader(new ByteArrayInputStream(binary(there))).readAny();
      assertEquals(text(here), text(read));
    }
  }

  private static String text(ArrayValue a) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter writer = new ValueWriter(out);
    writer.text(a);
    writer.flush();
    return out.toString(StandardCharsets.UTF_8);
  }

  private static byte[] binary(ArrayValue a) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter writer = new ValueWriter(out);
    writer.binary(a);
    writer.flush();
    return out.toByteArray();
  }

  @Test
  void blocksThatAreGivenBackAreUsedAgain() {
    Device device = open();
    Buffer first = device.allocate(100_000, "xs", "");
    first.release();
    Buffer second = device.allocate(90_000, "ys", "");
    assertEquals(1, device.memoryUse().recycled());
    assertEquals(first.bytes(), second.bytes());
    Buffer small = device.allocate(50_000, "zs", "");
    assertTrue(small.bytes() < 51_000, "a block twice as long would be a waste");
    second.release();
    small.release();
    assertEquals(90_000 + 50_000, device.memoryUse().peakBytes(), "as asked for");
    device.resetPeak();
    assertEquals(0, device.memoryUse().peakBytes());
    assertThrows(IllegalStateException.class, small::release);
    device.trim();
    assertEquals(1 << 20, api.last.freeMemory());
  }

  @Test
  void whatTheRunTimeKeepsForItselfIsNotReported() {
    try (Device device = open()) {
      Buffer own = new FailureWord(device, List.of()).buffer();
      assertEquals(0, device.memoryUse().peakBytes());
      Buffer xs = device.allocate(500, "xs", "");
      assertEquals(500, device.memoryUse().peakBytes());
      own.release();
      assertEquals(0, device.memoryUse().freedBytes());
      xs.release();
      assertEquals(500, device.memoryUse().freedBytes());
      device.resetPeak();
      assertEquals(0, device.memoryUse().peakBytes());
    }
  }

  @Test
  void aSavepointBringsBackWhatWasInUse() {
    try (Device device = open()) {
      Buffer before = device.allocate(1000, "a", "");
      Runnable undo = device.savepoint();
      Buffer after = device.allocate(100_000, "b", "");
      undo.run();
      assertTrue(before.isInUse());
      assertFalse(after.isInUse());
      assertSame(after, device.allocate(100_000, "c", ""));
    }
  }

  @Test
  void memoryThatNobodyUsesIsReturnedBeforeThereIsTooLittle() {
    Device device = open();
    Buffer kept = device.allocate(300_000, "kept", "");
    Buffer pooled = device.allocate(400_000, "pooled", "");
    pooled.release();
    Buffer large = device.allocate(520_000, "large", "");
    String message = message(() -> device.allocate(300_001, "array xs", "a.fut:3:5-9"));
    assertTrue(message.contains("cannot allocate 300001 bytes for array xs"), message);
    assertTrue(
        message.contains("uses " + (kept.bytes() + large.bytes()) + " bytes in 2 blocks"), message);
    assertTrue(message.contains("the largest of " + large.bytes()), message);
    large.release();
    device.allocate(300_001, "array xs", "").release();
  }

  @Test
  void blocksBeyondTheDevicesLimitAreRefused() {
    Device device = open();
    String message = message(() -> device.allocate((1 << 19) + 1, "array xs", "a.fut:3:5-9"));
    assertTrue(message.contains("at most 524288 bytes"), message);
  }

  @Test
  void doublePrecisionThatTheDeviceLacksIsAnErrorThatNamesItsUse() {
    KernelSource source =
        new KernelSource("", List.of(), List.of(), List.of(), "a.fut:7", null, List.of());
    open().load(source, Map.of());
    DeviceInfo d = api.devices.get(0);
    DeviceInfo.Limits l = d.limits();
    DeviceInfo.Limits without =
        new DeviceInfo.Limits(
            l.memory(),
            l.largestBlock(),
            l.units(),
            l.threadsPerUnit(),
            l.blockThreads(),
            l.gridX(),
            l.gridYz(),
            l.sharedMemory(),
            l.registers(),
            l.cache(),
            l.warpSize(),
            false,
            l.atomics64());
    api.devices =
        List.of(
            new DeviceInfo(
                d.api(), d.platform(), d.name(), d.driver(), "", d.kind(), without, 0, 0));
    String message = message(() -> open().load(source, Map.of()));
    assertTrue(message.contains("Fake does not compute in double precision"), message);
    assertTrue(message.contains("a.fut:7"), message);
  }

  @Test
  void launchesBeyondTheLimitsAreRefusedAndEmptyOnesDoNothing() {
    Device device = open();
    Kernel twice = device.load(SOURCE, Map.of()).kernel("twice");
    device.launch(twice, 0, 0, 32, 0);
    assertFalse(api.last.calls.contains("twice"));
    String message = message(() -> device.launch(twice, 0, 1L << 32, 1, 0));
    assertTrue(message.contains("4294967296*1*1 thread blocks"), message);
    message(() -> device.launch(twice, 0, 1, 257, 0));
    message(() -> device.launch(twice, 4001, 1, 1, 0));
    message(() -> device.launch(twice, 0, 1, 1000, 1, 1, 1, 1, 0));
  }

  @Test
  void failuresOfKernelsAreToldAtTheNextWaitAndOnce() {
    Device device = open();
    KernelProgram program = device.load(SOURCE, Map.of());
    Kernel fail = program.kernel("fail");
    for (int run = 0; run < 2; run++) {
      fail.arguments().set(0, program.failures().buffer());
      device.launch(fail, 16, 1, 1, 0);
      program.failures().mayFail();
      device.launch(fail, 16, 1, 1, 0);
      program.failures().mayFail();
      FutharkError error = assertThrows(FutharkError.class, device::synchronise);
      assertEquals("Index [7] out of bounds, at 0.5.", error.getMessage());
      assertEquals("-> #0  a.fut:2:3-4", error.backtrace());
      device.synchronise();
    }
    Buffer xs = device.allocate(8, "xs", "");
    device.launch(fail, 16, 1, 1, 0);
    program.failures().mayFail();
    message(() -> device.readScalar(xs, 0, 4));
    assertEquals(0x5a5a5a5aL, device.readScalar(xs, 0, 4));
  }

  @Test
  void severalScalarsTakeOneWait() {
    Device device = open();
    Buffer xs = device.allocate(800, "xs", "");
    for (int i = 0; i < 100; i++) {
      device.fill(xs, 8L * i, 8, i == 7 ? -7 : i, 1);
    }
    api.last.calls.clear();
    int a = device.ask(xs, 56, 8);
    int b = device.ask(xs, 8, 4);
    int c = device.ask(xs, 16, 1);
    device.synchronise();
    assertEquals(-7, device.answer(a));
    assertEquals(1, device.answer(b));
    assertEquals(2, device.answer(c));
    assertEquals(List.of("readLater", "synchronise"), api.last.calls);
    int[] requests = new int[100];
    for (int i = 0; i < 100; i++) {
      requests[i] = device.ask(xs, 8L * i, 8);
    }
    device.synchronise();
    for (int i = 0; i < 100; i++) {
      assertEquals(i == 7 ? -7 : i, device.answer(requests[i]));
    }
  }

  @Test
  void scalarsAreAsTheyWereWhenTheyWereAskedFor() {
    Device device = open();
    Kernel twice = device.load(SOURCE, Map.of()).kernel("twice");
    Buffer xs = device.allocate(16, "xs", "");
    device.fill(xs, 0, 4, 3, 2);
    int before = device.ask(xs, 0, 4);
    twice.arguments().set(0, xs);
    twice.arguments().set(1, 2);
    device.launch(twice, 0, 1, 32, 0);
    int between = device.ask(xs, 0, 4);
    device.fill(xs, 0, 2, 9, 1);
    int after = device.ask(xs, 0, 2);
    Buffer ys = device.allocate(16, "ys", "");
    int other = device.ask(xs, 4, 4);
    device.copy(ys, 0, xs, 0, 8);
    int copied = device.ask(ys, 4, 4);
    device.write(ys, ElemType.I32, 1, new int[] {-1}, 0, 1);
    device.synchronise();
    assertEquals(
        List.of(3L, 6L, 9L, 6L, 6L),
        List.of(
            device.answer(before),
            device.answer(between),
            device.answer(after),
            device.answer(other),
            device.answer(copied)));
    api.last.calls.clear();
    device.synchronise();
    assertEquals(List.of(), api.last.calls, "there is nothing to wait for");
    assertEquals(0xffff_ffffL, device.readScalar(ys, 4, 4));
  }

  @Test
  void whatTheHostHasSeenOfABlockIsNotReadAgainUntilAKernelRuns() {
    Device device = open();
    KernelProgram program = device.load(SOURCE, Map.of());
    Kernel twice = program.kernel("twice");
    Buffer xs = device.allocate(400, "xs", "");
    Buffer ys = device.allocate(40, "ys", "");
    for (int i = 0; i < 100; i++) {
      device.fill(xs, 4L * i, 4, i, 1);
    }
    device.fill(ys, 0, 4, -1, 10);
    assertEquals(3, device.readScalar(xs, 12, 4));
    api.last.calls.clear();
    assertEquals(5, device.readScalar(xs, 20, 4));
    device.fill(xs, 16, 4, 44, 1);
    device.fill(xs, 24, 2, 77, 3);
    assertEquals(44, device.readScalar(xs, 16, 4));
    assertEquals(77 << 16 | 77, device.readScalar(xs, 24, 4));
    assertEquals(77, device.readScalar(xs, 28, 2));
    assertEquals(List.of(), api.last.calls);
    // The scalar is outside the window of the earlier read.
    assertEquals(99, device.readScalar(xs, 396, 4));
    assertEquals(List.of("readLater", "synchronise"), api.last.calls);
    assertEquals(3, device.readScalar(xs, 12, 4));
    // A request before a write returns the old value, a request after it the new one.
    device.copy(xs, 0, ys, 0, 4);
    int before = device.ask(xs, 0, 4);
    device.fill(xs, 0, 4, 8, 1);
    int after = device.ask(xs, 0, 4);
    device.await(before, after);
    assertEquals(0xffff_ffffL, device.answer(before));
    assertEquals(8, device.answer(after));
    assertEquals(8, device.readScalar(xs, 0, 4));
    device.write(xs, ElemType.I32, 1, new int[] {11, 12}, 0, 2);
    assertEquals(11, device.readScalar(xs, 4, 4));
    twice.arguments().set(0, xs);
    twice.arguments().set(1, 3);
    device.launch(twice, 0, 1, 32, 0);
    assertEquals(22, device.readScalar(xs, 4, 4));
    Kernel fail = program.kernel("fail");
    fail.arguments().set(0, program.failures().buffer());
    device.launch(fail, 16, 1, 1, 0);
    program.failures().mayFail();
    message(() -> device.readScalar(xs, 4, 4));
    assertEquals(22, device.readScalar(xs, 4, 4));
    xs.release();
    Buffer again = device.allocate(400, "again", "");
    assertSame(xs, again);
    api.last.calls.clear();
    device.readScalar(again, 4, 4);
    assertEquals(List.of("readLater", "synchronise"), api.last.calls);
  }

  @Test
  void aWaitForScalarsIsNoWaitForLaterKernels() {
    Device device = open();
    KernelProgram program = device.load(SOURCE, Map.of());
    Kernel twice = program.kernel("twice");
    Buffer xs = device.allocate(16, "xs", "");
    Buffer ys = device.allocate(16, "ys", "");
    device.fill(xs, 0, 4, 3, 4);
    device.fill(ys, 0, 4, 5, 4);
    twice.arguments().set(0, xs);
    twice.arguments().set(1, 4);
    api.last.calls.clear();
    int x = device.ask(xs, 0, 4);
    int y = device.ask(ys, 4, 4);
    device.launch(twice, 0, 1, 32, 0);
    int later = device.ask(xs, 0, 4);
    device.launch(twice, 0, 1, 32, 0);
    device.await(y);
    assertEquals(5, device.answer(y));
    assertEquals(
        List.of(
            "readLater", "readLater", "record", "twice", "readLater", "record", "twice", "await"),
        api.last.calls);
    device.await(x);
    assertEquals(3, device.answer(x));
    int last = device.ask(xs, 4, 4);
    api.last.calls.clear();
    device.await(later, last);
    assertEquals(6, device.answer(later));
    assertEquals(12, device.answer(last));
    assertEquals(List.of("readLater", "synchronise"), api.last.calls);
    DeviceActivity activity = device.activity();
    assertEquals(2, activity.waits());
    assertEquals(4, activity.elements());
    assertEquals(4, activity.reads());
  }

  @Test
  void aWaitForScalarsReportsFailuresOfEarlierKernels() {
    Device device = open();
    KernelProgram program = device.load(SOURCE, Map.of());
    Kernel twice = program.kernel("twice");
    Kernel fail = program.kernel("fail");
    Buffer xs = device.allocate(16, "xs", "");
    device.fill(xs, 0, 4, 3, 4);
    twice.arguments().set(0, xs);
    twice.arguments().set(1, 4);
    fail.arguments().set(0, program.failures().buffer());
    int before = device.ask(xs, 0, 4);
    device.launch(fail, 16, 1, 1, 0);
    program.failures().mayFail();
    int after = device.ask(xs, 0, 4);
    device.launch(twice, 0, 1, 32, 0);
    device.await(before);
    assertEquals(3, device.answer(before));
    assertEquals("Index [7] out of bounds, at 0.5.", message(() -> device.await(after)));
    device.savepoint().run();
    int again = device.ask(xs, 0, 4);
    device.launch(twice, 0, 1, 32, 0);
    device.await(again);
    assertEquals(6, device.answer(again));
    device.synchronise();
  }

  @Test
  void requestsCanOutliveManyLaterOnes() {
    Device device = open();
    Kernel twice = device.load(SOURCE, Map.of()).kernel("twice");
    Buffer xs = device.allocate(16, "xs", "");
    device.fill(xs, 0, 4, 1, 4);
    twice.arguments().set(0, xs);
    twice.arguments().set(1, 4);
    int first = device.ask(xs, 0, 4);
    for (int i = 1; i < 30; i++) {
      device.launch(twice, 0, 1, 32, 0);
      int next = device.ask(xs, 4L * (i % 4), 4);
      if (i % 2 == 0) {
        device.fill(xs, 0, 4, 1L << i, 1);
      }
      device.await(next);
      assertEquals(1L << i, device.answer(next));
    }
    device.await(first);
    assertEquals(1, device.answer(first));
  }

  @Test
  void aLostDeviceIsOpenedAgainAndItsValuesAreGone() {
    Device device = open();
    KernelProgram program = device.load(SOURCE, Map.of());
    ArrayValue xs = device.adopt(ints(1, 2, 3));
    api.last.lose();
    String message = message(device::synchronise);
    assertTrue(message.contains("illegal address"), message);
    assertTrue(message.contains("opened again"), message);
    assertEquals(1, device.resets());
    assertEquals(2, api.opened);
    assertTrue(message(xs::data).contains("lost"));
    assertTrue(message(() -> xs.element(0)).contains("lost"));
    assertTrue(
        message(() -> device.launch(program.kernel("twice"), 0, 1, 1, 0)).contains("is lost"));
    device.release(xs.store());
    program.close();
    assertEquals(0, device.memoryUse().allocatedBytes() - device.memoryUse().freedBytes());
    Kernel twice = device.load(SOURCE, Map.of()).kernel("twice");
    ArrayValue ys = device.adopt(ints(4));
    twice.arguments().set(0, buffer(ys));
    twice.arguments().set(1, 1);
    device.launch(twice, 0, 1, 1, 0);
    assertEquals(Scalar.i32(8), ys.element(0));
  }

  @Test
  void blocksGoBackWithTheLastValueThatHasThem() {
    Device device = open();
    Ownership owner = new Ownership(device);
    ArrayValue xs = (ArrayValue) owner.adopt(ints(1, 2));
    owner.hold(xs);
    owner.drop(xs);
    assertEquals(Scalar.i32(2), xs.element(1));
    owner.drop(xs);
    assertEquals(8, device.memoryUse().freedBytes());
  }

  @Test
  void regionsAreMeasured() {
    Device device = open();
    device.profiling(true);
    Kernel twice = device.load(SOURCE, Map.of()).kernel("twice");
    ArrayValue xs = device.adopt(ints(1));
    twice.arguments().set(0, buffer(xs));
    device.launch(twice, 0, 1, 32, 8);
    device.synchronise();
    Profile profile = new Profile();
    device.report(profile);
    Profile.Event last = profile.events().getLast();
    assertEquals("twice", last.name());
    assertEquals("a.fut:1", last.provenance());
    assertEquals(8, last.bytes());
    assertEquals("(1,1,1)", last.details().get("grid"));
    assertTrue(
        profile.regions().stream().anyMatch(r -> r.name().equals("copy_host_to_dev")),
        profile.regions()::toString);
  }

  @Test
  void moreElementsThanAJavaArrayHasAreRefusedAsOne() {
    Device device = open();
    ArrayValue huge =
        new ArrayValue(ElemType.I8, new long[] {1L << 20, 1L << 20}, device.adopt(ints(1)).store());
    assertEquals(1L << 40, huge.size());
    String message = message(huge::data);
    assertTrue(message.contains("1099511627776 elements of type i8"), message);
    assertEquals(Scalar.i8((byte) 1), huge.element(0));
  }

  @Test
  void devicesAreChosenByNameAndNumber() {
    api.devices =
        List.of(
            FakeApi.device("Red 1", 0, 0),
            FakeApi.device("Blue", 0, 1),
            FakeApi.device("Red 2", 1, 0));
    assertEquals("Red 2", chosen(null, null));
    assertEquals("Blue", chosen("Blue", null));
    assertEquals("Red 2", chosen("Red", null));
    assertEquals("Red 1", chosen("#0 Red", null));
    assertEquals("Red 2", chosen("#1 Red", null));
    assertEquals("Blue", chosen("#1", null));
    assertEquals("Blue", chosen(null, "form 0"));
    String wrong = message(() -> chosen("Green", null));
    assertTrue(wrong.contains("'Green'") && wrong.contains("Platform 0: Blue"), wrong);
    assertTrue(message(() -> chosen("#2 Red", null)).contains("only 2"));
    assertTrue(message(() -> chosen("#x", null)).contains("number"));
    assertTrue(message(() -> chosen(null, "none")).contains("platform"));
    assertEquals(
        "Platform: Platform 0\n[0]: Red 1\n[1]: Blue\nPlatform: Platform 1\n[2]: Red 2\n",
        DeviceChoice.list(api));
    api.devices = List.of();
    String none = "There is no Fake device here: nothing was faked. To have one, fake it.";
    assertTrue(message(() -> chosen(null, null)).startsWith(none));
    assertTrue(message(() -> DeviceChoice.list(api)).startsWith(none));
  }

  private String chosen(String device, String platform) {
    DeviceOptions.Builder options = new DeviceOptions.Builder();
    if (device != null) {
      options.device(device);
    }
    if (platform != null) {
      options.platform(platform);
    }
    return DeviceChoice.choose(api, options.build()).name();
  }
}
