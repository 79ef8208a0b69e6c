package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.embed.LoadedProgram;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Loops whose condition is a scalar of the device, with and without {@code speculative-launch}: the
 * same results, and at most one wait more in a call.
 */
final class WaitingLoopsTest {
  /** A program with an entry point {@code main}, which takes a number and a vector. */
  private record Program(String name, String text) {}

  private static final List<Program> PROGRAMS =
      List.of(
          new Program(
              "mean",
              """
              entry main [n] (k: i64) (xs: [n]i64): ([n]i64, i64) =
                let (xs, _, i) = loop (xs, change, i) = (xs, k + 1, 0) while change > k do
                  let ys = map (\\i -> (xs[i] + xs[(i + 1) % n]) / 2) (iota n)
                  in (ys, i64.sum (map2 (\\x y -> i64.abs (x - y)) xs ys), i + 1)
                in (xs, i)
              """),
          new Program(
              "scalars",
              """
              entry main [n] (k: i64) (xs: [n]i64): ([n]i64, i64, i64, i64) =
                let (xs, _, i, least, total) =
                  loop (xs, go, i, least, total) = (xs, k >= 0, 0, 1000, 0) while go do
                    let ys = map (\\x -> (x * 3 + i) % 101) xs
                    let s = i64.sum ys
                    let t = i64.maximum ys
                    in (ys, i < k && s % 7 != 0, i + 1, i64.min least t, total + s * i)
                in (xs, i, least, total)
              """),
          new Program(
              "filter",
              """
              entry main [n] (k: i64) (xs: [n]i64): ([n]i64, i64) =
                let (xs, _, seen) =
                  loop (xs, go, seen) = (copy xs, true, 0) while go do
                    let large = filter (\\i -> xs[i] > k) (iota n)
                    let ys = scatter xs large (map (\\i -> xs[i] - 1) large)
                    in (ys, or (map (> k) ys), seen + length large)
                in (xs, seen)
              """),
          new Program(
              "nested",
              """
              entry main [n] (k: i64) (xs: [n]i64): ([n]i64, i64) =
                let (xs, _, i) = loop (xs, go, i) = (xs, true, 0) while go do
                  let (ys, _, j) = loop (ys, more, j) = (xs, true, 0) while more do
                    let zs = map (\\x -> x + (x - 3 * i) % 5) ys
                    in (zs, i64.sum zs % 3 != 1 && j < 4, j + 1)
                  let zs = map2 (\\x y -> (x + y) % 23) xs ys
                  in (zs, i64.maximum zs != 20 && i < k, i + j)
                in (xs, i)
              """),
          new Program(
              "checked",
              """
              entry main [n] (k: i64) (xs: [n]i64): [n]i64 =
                let (xs, _) = loop (xs, least) = (xs, 1) while least > 0 do
                  let ys = map (\\x -> assert (x > 0) (x - 1)) xs
                  in (ys, i64.minimum ys + 0 * k)
                in xs
              """));

  @TestFactory
  Stream<DynamicTest> loops() {
    return Devices.targets().stream()
        .flatMap(
            target ->
                PROGRAMS.stream()
                    .map(
                        p ->
                            DynamicTest.dynamicTest(
                                p.name + " on " + target, () -> check(p, target))));
  }

  private static LoadedProgram loaded(Program p, String target, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target).withPasses(passes);
    return Compiler.create().compile(Source.ofText(p.name + ".fut", p.text), options).load();
  }

  private static void check(Program p, String target) {
    try (LoadedProgram without = loaded(p, target, "-speculative-launch");
        LoadedProgram with = loaded(p, target, "default,speculative-launch")) {
      long launches = 0;
      long waits = 0;
      for (long k : new long[] {0, 1, 3, 40}) {
        long[] xs = {9, 4, 17, 1 + k, 22, 5, 13};
        without.context().resetActivity();
        with.context().resetActivity();
        Object expected = without.call("main", k, ArrayValue.vector(ElemType.I64, xs));
        Object got = with.call("main", k, ArrayValue.vector(ElemType.I64, xs));
        assertEquals(text(expected), text(got), p.name + " " + k);
        DeviceActivity before = without.context().activity();
        DeviceActivity after = with.context().activity();
        launches += after.launches() - before.launches();
        waits += after.waits() - before.waits();
      }
      assertTrue(launches > 0, "no kernel is launched before a condition is known");
      // The last kernels are in the queue when a call ends.
      assertTrue(waits <= 4, waits + " waits more");
    }
  }

  private static String text(Object result) {
    return switch (result) {
      case Object[] all -> Stream.of(all).map(WaitingLoopsTest::text).toList().toString();
      case long[] all -> Arrays.toString(all);
      default -> result.toString();
    };
  }
}
