package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.MemoryUse;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceArray;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.embed.LoadedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of Java programs that call several programs on one device and keep values on the device.
 */
final class SharedDeviceTest {
  private static final String MAKER =
      """
      type^ either = #one [](i32) | #two i64
      entry squares (n: i64): []i32 = map (\\i -> i32.i64 (i * i)) (iota n)
      entry overwritten (xs: *[]i32): []i32 = xs with [0] = 77
      entry same (xs: []i32): []i32 = xs
      entry split [n] (xs: [n]i32): ([]i32, []i32, i64) = (map (+ 1) xs, map (* 2) xs, n)
      entry either (xs: []i32): either = #one xs
      entry back (e: either): []i32 = match e case #one xs -> xs case #two _ -> []
      """;

  private static final String USER =
      """
      entry sum (xs: []i32): i32 = reduce (+) 0 xs
      entry at (xs: []i32) (is: []i64): []i32 = map (\\i -> xs[i]) is
      entry steps (n: i64): i64 =
        loop s = 0 for i < n do s + reduce (+) 0 (map (\\j -> i64.bool (j == i % 100)) (iota 100))
      """;

  private static Device device;
  private static LoadedProgram maker;
  private static LoadedProgram user;
  private static Compiled compiledUser;
  private long liveBefore;

  private static Compiled compile(String text, String target) {
    return Compiler.create()
        .compile(Source.ofText("program.fut", text), CompilerOptions.DEFAULT.withTarget(target));
  }

  @BeforeAll
  static void open() {
    List<String> targets = Devices.targets();
    assumeTrue(!targets.isEmpty(), "no device: nothing of this is tested");
    compiledUser = compile(USER, targets.getFirst());
    device = compiledUser.openDevice(DeviceOptions.DEFAULT);
    maker = compile(MAKER, targets.getFirst()).load(device);
    user = compiledUser.load(device);
    maker.context().initialise();
    user.context().initialise();
  }

  @AfterAll
  static void close() {
    if (device != null) {
      maker.close();
      user.close();
      device.close();
    }
  }

  private static long live() {
    MemoryUse use = device.memoryUse();
    return use.allocatedBytes() - use.freedBytes();
  }

  @BeforeEach
  void count() {
    liveBefore = live();
  }

  private static int[] squares(int n) {
    return IntStream.range(0, n).map(i -> i * i).toArray();
  }

  private static ArrayValue squaresThere(long n) {
    ArrayValue xs = maker.call(ArrayValue.class, "squares", n);
    assertInstanceOf(DeviceArray.class, xs.store());
    return xs;
  }

  @Test
  void oneProgramsArrayIsAnOthersArgumentAndStaysOnTheDevice() {
    ArrayValue xs = squaresThere(100);
    long copied = device.memoryUse().allocations();
    assertEquals(IntStream.of(squares(100)).sum(), user.call("sum", xs));
    assertTrue(device.memoryUse().allocations() - copied <= 3, "the argument was transferred");
    assertArrayEquals(squares(100), (int[]) xs.data());
    maker.release(xs);
    assertEquals(liveBefore, live());
  }

  @Test
  void whatIsConsumedIsACopy() {
    ArrayValue xs = squaresThere(10);
    int[] changed = squares(10);
    changed[0] = 77;
    assertArrayEquals(changed, (int[]) maker.call("overwritten", xs));
    assertArrayEquals(squares(10), (int[]) xs.data());
    ArrayValue same = maker.call(ArrayValue.class, "same", xs);
    assertFalse(same.store().block() == xs.store().block(), "results are the caller's");
    maker.release(xs);
    assertArrayEquals(squares(10), (int[]) same.data());
    maker.release(same);
  }

  @Test
  void resultsThatBecomeJavaArraysLeaveNothingBehind() {
    for (int i = 0; i < 20; i++) {
      assertArrayEquals(squares(1000), (int[]) maker.call("squares", 1000L));
      Object[] parts = maker.call(Object[].class, "split", new int[] {1, 2, 3});
      assertArrayEquals(new int[] {2, 3, 4}, (int[]) parts[0]);
      assertArrayEquals(new int[] {2, 4, 6}, (int[]) parts[1]);
      assertEquals(3L, parts[2]);
      assertArrayEquals(new int[] {5}, (int[]) maker.call("same", new int[] {5}));
    }
    assertEquals(liveBefore, live());
  }

  @Test
  void valuesOfOtherTypesStayUntilTheyAreReleased() {
    OpaqueValue e = maker.call(OpaqueValue.class, "either", new int[] {4, 5});
    assertArrayEquals(new int[] {4, 5}, (int[]) maker.call("back", e));
    assertArrayEquals(new int[] {4, 5}, (int[]) maker.call("back", e));
    maker.release((Value) e);
    assertEquals(liveBefore, live());
  }

  @Test
  void adoptedArraysAreTransferredOnce() {
    ArrayValue xs = user.adopt(ArrayValue.vector(ElemType.I32, squares(50)));
    assertInstanceOf(DeviceArray.class, xs.store());
    for (int i = 0; i < 3; i++) {
      assertEquals(40425, user.call("sum", xs));
    }
    user.release(xs);
    assertEquals(liveBefore, live());
  }

  @Test
  void aFailureOfOneProgramDoesNotHarmTheOther() {
    ArrayValue xs = squaresThere(10);
    FutharkError error =
        assertThrows(FutharkError.class, () -> user.call("at", xs, new long[] {1, 10}));
    assertTrue(error.getMessage().contains("Index [10]"), error.getMessage());
    assertArrayEquals(new int[] {81}, (int[]) user.call("at", xs, new long[] {9}));
    assertArrayEquals(squares(10), (int[]) xs.data());
    maker.release(xs);
    assertEquals(liveBefore, live());
  }

  @Test
  void threadsCallBothProgramsAtATime() throws Exception {
    ArrayValue xs = squaresThere(500);
    int sum = IntStream.of(squares(500)).sum();
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int n = 100 + t;
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < 25; i++) {
                    assertEquals(sum, user.call("sum", xs));
                    assertArrayEquals(squares(n), (int[]) maker.call("squares", (long) n));
                    assertEquals(9, ((int[]) xs.data())[3]);
                  }
                }));
      }
      for (Future<?> f : running) {
        f.get();
      }
    }
    maker.release(xs);
    assertEquals(liveBefore, live());
  }

  @Test
  void aClosedProgramLeavesTheDeviceAndItsValues() {
    ArrayValue xs = squaresThere(10);
    LoadedProgram third = compiledUser.load(device);
    assertEquals(285, third.call("sum", xs));
    third.close();
    assertThrows(IllegalStateException.class, () -> third.call("sum", xs));
    assertEquals(285, user.call("sum", xs));
    maker.release(xs);
    assertEquals(liveBefore, live());
  }

  @Test
  void aClosedDeviceIsAnError() {
    Device own = compiledUser.openDevice(DeviceOptions.DEFAULT);
    try (LoadedProgram program = compiledUser.load(own)) {
      ArrayValue xs = program.adopt(ArrayValue.vector(ElemType.I32, squares(10)));
      assertEquals(285, program.call("sum", xs));
      own.close();
      assertThrows(IllegalStateException.class, () -> program.call("sum", new int[] {1}));
      FutharkError lost = assertThrows(FutharkError.class, xs::data);
      assertTrue(lost.getMessage().contains("has been closed"), lost.getMessage());
    }
  }

  @Test
  void aDeviceIsClosedAfterTheCallThatRuns() throws Exception {
    for (int round = 0; round < 5; round++) {
      Device own = compiledUser.openDevice(DeviceOptions.DEFAULT);
      try (LoadedProgram program = compiledUser.load(own);
          ExecutorService pool = Executors.newFixedThreadPool(2)) {
        program.context().initialise();
        Future<?> calls =
            pool.submit(
                () -> {
                  while (true) {
                    assertEquals(1000L, program.call("steps", 1000L));
                  }
                });
        Future<?> trims =
            pool.submit(
                () -> {
                  while (true) {
                    program.context().trim();
                  }
                });
        Thread.sleep(20 + 10L * round);
        own.close();
        for (Future<?> f : List.of(calls, trims)) {
          ExecutionException e = assertThrows(ExecutionException.class, f::get);
          assertInstanceOf(IllegalStateException.class, e.getCause());
        }
      }
    }
  }

  @Test
  void aClosedContextEndsItsCallsAndThoseThatWait() throws Exception {
    for (int round = 0; round < 5; round++) {
      LoadedProgram program = compiledUser.load(device);
      program.context().initialise();
      try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          calls.add(pool.submit(() -> program.call("steps", 1L << 40)));
        }
        Thread.sleep(5L * round);
        program.close();
        for (Future<?> f : calls) {
          assertThrows(ExecutionException.class, f::get);
        }
      }
    }
    assertEquals(285, user.call("sum", squares(10)));
    assertEquals(liveBefore, live());
  }

  @Test
  void manyThreadsWithFailuresAndInterruptsLeaveNothing() throws Exception {
    ArrayValue xs = squaresThere(500);
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int mine = t;
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < 25; i++) {
                    if (mine == 0) {
                      assertThrows(FutharkError.class, () -> user.call("at", xs, new long[] {500}));
                    } else if (mine == 1) {
                      Thread.currentThread().interrupt();
                      assertThrows(FutharkError.class, () -> user.call("sum", xs));
                      assertTrue(Thread.interrupted());
                    } else if (mine == 2) {
                      // This copy is made while calls of other threads fail and free their arrays.
                      ArrayValue ys = user.adopt(ArrayValue.vector(ElemType.I32, squares(300)));
                      assertArrayEquals(squares(300), (int[]) ys.data());
                      user.release(ys);
                    } else {
                      assertArrayEquals(squares(70), (int[]) maker.call("squares", 70L));
                    }
                  }
                }));
      }
      for (Future<?> f : running) {
        f.get();
      }
    }
    maker.release(xs);
    assertEquals(liveBefore, live());
  }

  @Test
  void resultsHaveTheClassThatIsAskedFor() {
    assertEquals(3, user.call(Integer.class, "sum", new int[] {1, 2}));
    assertThrows(
        IllegalArgumentException.class, () -> user.call(Long.class, "sum", new int[] {1, 2}));
    assertThrows(
        IllegalStateException.class,
        () -> compile(USER, "multicore").openDevice(DeviceOptions.DEFAULT));
  }
}
