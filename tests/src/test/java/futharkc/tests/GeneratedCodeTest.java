package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.embed.LoadedProgram;
import org.junit.jupiter.api.Test;

/** Programs whose compiled form once was wrong. */
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
}
