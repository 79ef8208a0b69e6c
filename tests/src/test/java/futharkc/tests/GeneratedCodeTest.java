package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.embed.LoadedProgram;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regression tests for wrong generated code. */
final class GeneratedCodeTest {
  @Test
  void blocksOfDifferentElementsFromOneCallAreNotCompared() {
    String text =
        """
        #[noinline]
        def step [n] (k: i64) (xs: [n]f32) (is: [n]i32) : ([n]f32, [n]i32) =
          (scan (+) 0 (map (* f32.i64 k) xs), scan (+) 0 (map (+ i32.i64 k) is))

        def main [m][n] (xss: [m][n]f32) : [m]f32 =
          map (\\xs ->
                 let (ys, is) =
                   loop (ys, is) = (xs, replicate n 1i32) for k < 3 do
                     let (zs, js) = step (k + 1) ys is
                     in (map (+ 1) zs, js)
                 in f32.sum ys + f32.i32 (i32.sum is))
              xss
        """;
    Source source = Source.ofText("calls.fut", text);
    try (LoadedProgram program =
        Compiler.create().compile(source, CompilerOptions.DEFAULT).load()) {
      float[] result =
          assertInstanceOf(
              float[].class, program.call("main", (Object) new float[][] {{1, 2}, {0, 1}}));
      assertArrayEquals(expected(new float[][] {{1, 2}, {0, 1}}), result);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "entry main (n: i64) : []i64 = scan (+) 0 (iota n)",
        "entry main (n: i64) : i64 = (scatter (replicate n 0) [n - 1] [1])[n - 1]",
        "entry main (n: i64) : [2]i64 ="
            + " map (\\k -> (loop xs = replicate n k for i < k do scan (+) i xs)[n - 1]) (iota 2)",
        "entry main (n: i64) : i64 ="
            + " last (loop xs = replicate n 1 for i < 3 do map (+ i) (reverse xs))",
      })
  void arraysTooLongAreReportedWhereTheyAreMade(String text) {
    Source source = Source.ofText("long.fut", text);
    try (LoadedProgram program =
        Compiler.create().compile(source, CompilerOptions.DEFAULT).load()) {
      FutharkError error =
          assertThrows(FutharkError.class, () -> program.call("main", (Object) (1L << 40)));
      assertTrue(error.getMessage().startsWith("Cannot allocate an array of"), error::report);
      assertTrue(error.backtrace().startsWith("-> #0  long.fut:1:"), error::report);
    }
  }

  /**
   * Checks that interleaved iterations of strips compute the results of single iterations, for
   * every remainder.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 127, 128, 129, 300})
  void iterationsInStepComputeWhatTheyDoAlone(int n) {
    String text =
        """
        entry main [n][m] (xs: [n]f32) (ys: [m]f32) : ([n]f32, [n]f32, [n]i64) =
          unzip3 (map2 (\\x i ->
                          let (a, b) =
                            loop (a, b) = (x, f32.i64 i) for j < m do
                              (a + f32.sqrt (x * x + ys[j]), b / (a + ys[j]) - x)
                          let c = loop c = a for j < m do b / (c + 1) + ys[j]
                          in (a * 2, c, i + i64.bool (x < 2)))
                       xs (iota n))
        """;
    float[] xs = new float[n];
    float[] ys = {0.5f, 3, 7, 1e-3f};
    float[] as = new float[n];
    float[] cs = new float[n];
    long[] is = new long[n];
    for (int i = 0; i < n; i++) {
      float x = i * 0.37f + 0.1f;
      xs[i] = x;
      float a = x;
      float b = i;
      for (float y : ys) {
        float next = a + (float) Math.sqrt(x * x + y);
        b = b / (a + y) - x;
        a = next;
      }
      float c = a;
      for (float y : ys) {
        c = b / (c + 1) + y;
      }
      as[i] = a * 2;
      cs[i] = c;
      is[i] = i + (x < 2 ? 1L : 0);
    }
    Source source = Source.ofText("step.fut", text);
    try (LoadedProgram program =
        Compiler.create().compile(source, CompilerOptions.DEFAULT.withThreads(1)).load()) {
      Value[] result = assertInstanceOf(OpaqueValue.class, program.call("main", xs, ys)).parts();
      assertArrayEquals(as, Arrays.copyOf((float[]) ((ArrayValue) result[0]).data(), n));
      assertArrayEquals(cs, Arrays.copyOf((float[]) ((ArrayValue) result[1]).data(), n));
      assertArrayEquals(is, Arrays.copyOf((long[]) ((ArrayValue) result[2]).data(), n));
    }
  }

  private static float[] expected(float[][] xss) {
    float[] sums = new float[xss.length];
    for (int r = 0; r < xss.length; r++) {
      float[] ys = xss[r].clone();
      int[] is = {1, 1};
      for (int k = 1; k <= 3; k++) {
        ys = new float[] {ys[0] * k + 1, ys[0] * k + ys[1] * k + 1};
        is = new int[] {is[0] + k, is[0] + is[1] + 2 * k};
      }
      sums[r] = ys[0] + ys[1] + is[0] + is[1];
    }
    return sums;
  }

  /** Checks that the default of a parameter is the value of the expression with the attribute. */
  @Test
  void parametersHaveDefaultsAndCanBeSet() {
    String text = "entry main (n: i64) : []i64 = [#[param(a)] 17, #[param(b)] (n + 1)]";
    Source source = Source.ofText("params.fut", text);
    try (LoadedProgram program =
        Compiler.create().compile(source, CompilerOptions.DEFAULT).load()) {
      assertArrayEquals(new long[] {17L, 6L}, (long[]) program.call("main", 5L));
      assertTrue(program.context().setTuning("a", 3));
      assertArrayEquals(new long[] {3L, 6L}, (long[]) program.call("main", 5L));
      assertTrue(program.context().setTuning("b", 4));
      assertTrue(program.context().setTuning("a", 0));
      assertArrayEquals(new long[] {17L, 4L}, (long[]) program.call("main", 5L));
    }
  }
}
