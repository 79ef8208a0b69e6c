package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.embed.LoadedProgram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A test of the counters of host reads, waits, writes and launches on real devices. */
final class DeviceActivityTest {
  private static final String PROGRAM =
      """
      entry mapped (xs: []i32): []i32 = map (+ 1) xs
      entry sum (xs: []i32): i32 = reduce (+) 0 xs
      entry overwritten (xs: *[]i32) (v: i32): []i32 = xs with [0] = v
      entry elements (xs: []i64): ([]i64, []i32) =
        let ys = map (* 2) xs
        in (iota ys[1], replicate ys[2] 0i32)
      entry steps (n: i64): i64 =
        loop s = 0 while s < n do
          s + reduce (+) 0 (map (\\j -> i64.bool (j == s % 100)) (iota 100))
      """;

  /** The host needs the first scalar for the branch, and the second one in it. */
  private static final String PACKED =
      """
      entry packed (xs: []i64): []i64 =
        let (s, c) =
          reduce_comm (\\(a, b) (d, e) -> (a + d, b + e)) (0, 0) (map (\\x -> (x, i64.bool (x > 1))) xs)
        in if s > 5 then replicate c 7 else [1, 2]
      """;

  /** The host needs three scalars in each iteration, if they do not stay on the device. */
  private static final String THREE =
      """
      entry three (n: i64) (xs: []i64): i64 =
        let (s, t, u) = loop (s, t, u) = (0, 1, 2) for _i < n do
          (s + 1 + i64.sum (map (% (s + 2)) xs) % 3,
           t + 1 + i64.maximum (map (% (t + 2)) xs) % 3,
           u + 1 + i64.product (map (% (u + 2)) xs) % 3)
        in s + t + u
      """;

  private static LoadedProgram program;

  private static LoadedProgram loaded(String text, String passes) {
    LoadedProgram loaded =
        Compiler.create()
            .compile(
                Source.ofText("program.fut", text),
                CompilerOptions.DEFAULT.withTarget(Devices.targets().getFirst()).withPasses(passes))
            .load();
    loaded.context().initialise();
    return loaded;
  }

  @BeforeAll
  static void open() {
    assumeTrue(!Devices.targets().isEmpty(), "no device: nothing of this is tested");
    program = loaded(PROGRAM, "default");
  }

  @AfterAll
  static void close() {
    if (program != null) {
      program.close();
    }
  }

  @BeforeEach
  void reset() {
    program.context().resetActivity();
  }

  private static ArrayValue ints(int... xs) {
    return ArrayValue.vector(ElemType.I32, xs);
  }

  private static DeviceActivity after(String entry, Object... args) {
    program.call(entry, args);
    return program.context().activity();
  }

  private static DeviceActivity activity(
      long launches, long reads, long elements, long waits, long bytesRead) {
    return new DeviceActivity(launches, reads, elements, waits, 0, 0, bytesRead, 0);
  }

  private static DeviceActivity ofPacked(String passes) {
    try (LoadedProgram packed = loaded(PACKED, passes)) {
      packed.context().resetActivity();
      packed.call("packed", ArrayValue.vector(ElemType.I64, new long[] {1, 2, 3, 4}));
      return packed.context().activity();
    }
  }

  @Test
  void aCallWaitsOnceAtItsEnd() {
    assertEquals(activity(1, 0, 0, 1, 0), after("mapped", ints(1, 2, 3)));
  }

  @Test
  void aReadIsTheLastWait() {
    assertEquals(activity(2, 1, 1, 1, 4), after("sum", ints(1, 2, 3)));
  }

  @Test
  void neighbouringElementsShareATransfer() {
    assertEquals(
        activity(2, 1, 2, 2, 32),
        after("elements", ArrayValue.vector(ElemType.I64, new long[] {1, 2, 3, 4})));
  }

  @Test
  void resultsOfOneKernelShareATransfer() {
    assertEquals(activity(3, 1, 2, 2, 16), ofPacked("default"));
    assertEquals(activity(3, 2, 2, 3, 16), ofPacked("-read-packing"));
  }

  @Test
  void writesDoNotWait() {
    DeviceActivity all = after("overwritten", ints(1, 2, 3), 5);
    assertEquals(new DeviceActivity(0, 0, 0, 1, 1, 0, 0, 4), all);
  }

  @Test
  void loopsWaitOnceAnIteration() {
    assertEquals(activity(20, 10, 10, 10, 80), after("steps", 10L));
  }

  @Test
  void callsAddUpUntilTheReset() {
    DeviceActivity first = after("mapped", ints(1));
    assertEquals(first.plus(first), after("mapped", ints(1)));
    program.context().resetActivity();
    assertEquals(DeviceActivity.NONE, program.context().activity());
  }

  @Test
  void readsOfAnIterationShareAWait() {
    ArrayValue xs = ArrayValue.vector(ElemType.I64, new long[] {5, 3, 8, 1, 9});
    DeviceActivity batched;
    DeviceActivity single;
    try (LoadedProgram three = loaded(THREE, "-migration")) {
      three.context().resetActivity();
      three.call("three", 10L, xs);
      batched = three.context().activity();
    }
    try (LoadedProgram three = loaded(THREE, "-migration,-read-batching,-read-packing")) {
      three.context().resetActivity();
      three.call("three", 10L, xs);
      single = three.context().activity();
    }
    assertEquals(30, batched.elements());
    assertEquals(10, batched.waits());
    assertEquals(30, single.elements());
    assertEquals(30, single.waits());
    assertEquals(batched.launches(), single.launches());
  }
}
