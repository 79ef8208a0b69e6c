package futharkc.backend.multicore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.codegen.lower.multicore.LowerMulticorePass;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.RecordingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of programs in MC_MEM, compiled, loaded and run on one thread and on several. */
class MulticoreBackendTest {
  private static FutharkProgram load(String resource) {
    try (InputStream in = MulticoreBackendTest.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      MulticoreBackend backend = new MulticoreBackend();
      LowerMulticorePass lower = new LowerMulticorePass();
      RecordingContext context = new RecordingContext(lower, Map.of());
      ImperativeProgram program = lower.run(Parser.parse(resource, text), context);
      return backend.compile(program, "test", backend.targets().get(0)).load();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Value run(FutharkProgram program, int threads, String entry, Value... args) {
    try (Context ctx =
        Context.of(program, new PrintStream(System.err)).threads(threads).debugging(true).build()) {
      for (EntryPoint e : program.entryPoints()) {
        if (e.name().equals(entry)) {
          return ctx.run(e, args);
        }
      }
      throw new AssertionError("no entry point " + entry);
    }
  }

  private static ArrayValue array(Object data, long... shape) {
    ElemType type =
        switch (data) {
          case int[] a -> ElemType.I32;
          case long[] a -> ElemType.I64;
          case float[] a -> ElemType.F32;
          default -> throw new IllegalArgumentException();
        };
    return new ArrayValue(type, shape, data);
  }

  @Test
  void testsRunInANamedModule() {
    assertTrue(MulticoreBackend.class.getModule().isNamed());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void scans(int threads) {
    int n = 1_000_003;
    int[] xs = new int[n];
    int[] expected = new int[n];
    int sum = 0;
    for (int i = 0; i < n; i++) {
      xs[i] = i * 7919;
      sum += 2 * xs[i];
      expected[i] = sum;
    }
    ArrayValue result = (ArrayValue) run(load("scan.fir"), threads, "main", array(xs, n));
    assertArrayEquals(expected, Arrays.copyOf((int[]) result.data(), n));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void reduces(int threads) {
    int n = 500_009;
    float[] xs = new float[n];
    for (int i = 0; i < n; i++) {
      xs[i] = i % 8;
    }
    Scalar sum = (Scalar) run(load("reduce-and-hist.fir"), threads, "sum", array(xs, n));
    double expected = 0;
    for (float x : xs) {
      expected += x;
    }
    assertEquals(expected, sum.asFloat());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 71})
  void reducesFewElements(int n) {
    float[] xs = new float[n];
    for (int i = 0; i < n; i++) {
      xs[i] = i + 1;
    }
    Scalar sum = (Scalar) run(load("reduce-and-hist.fir"), 1, "sum", array(xs, n));
    int expected = n * (n + 1) / 2;
    assertEquals(expected, sum.asFloat());
  }

  /** Tests two reductions in one pass; one of them is not commutative. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 71, 100_003})
  void reducesTwiceInOnePass(int n) {
    int[] xs = new int[n];
    int sum = 0;
    int factor = 1;
    int rest = 0;
    for (int i = 0; i < n; i++) {
      xs[i] = i * 7 + 3;
      sum += xs[i];
      factor *= xs[i];
      rest = rest * xs[i] + (xs[i] + 1);
    }
    for (int threads : new int[] {1, 3}) {
      Scalar both = (Scalar) run(load("two-reductions.fir"), threads, "both", array(xs, n));
      assertEquals(sum + 31 * (factor + 31 * rest), both.asInt());
    }
  }

  @Test
  void smallPowersRoundOnce() {
    FutharkProgram program = load("power.fir");
    for (float x : new float[] {3, -1.1f, 1e-20f, 1e13f, Float.NaN}) {
      float sum = (float) Math.pow(x, 2) + (float) Math.pow(x, 3) + (float) Math.pow(x, 4);
      Scalar all = (Scalar) run(program, 1, "main", Scalar.f32(x), Scalar.f64(0.1));
      assertEquals(sum + 0.1 * 0.1, all.asDouble());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void multipliesMatrices(int threads) {
    int n = 37;
    int m = 50;
    int p = 41;
    float[] xs = new float[n * m];
    float[] ys = new float[m * p];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = i % 13;
    }
    for (int i = 0; i < ys.length; i++) {
      ys[i] = i % 7;
    }
    ArrayValue result =
        (ArrayValue)
            run(load("reduce-and-hist.fir"), threads, "mm", array(xs, n, m), array(ys, m, p));
    float[] zs = (float[]) result.data();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < p; j++) {
        float sum = 0;
        for (int k = 0; k < m; k++) {
          sum += xs[i * m + k] * ys[k * p + j];
        }
        assertEquals(sum, zs[i * p + j]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000, 3_000_000})
  void makesHistogramsOfAnyNumberOfBins(int bins) {
    int n = 300_000;
    long[] is = new long[n];
    int[] vs = new int[n];
    int[] expected = new int[bins];
    for (int i = 0; i < n; i++) {
      is[i] = (i * 7919L) % (bins + 2) - 1;
      vs[i] = i;
      if (is[i] >= 0 && is[i] < bins) {
        expected[(int) is[i]] += i;
      }
    }
    for (int threads : new int[] {1, 4}) {
      ArrayValue result =
          (ArrayValue)
              run(
                  load("reduce-and-hist.fir"),
                  threads,
                  "hist",
                  Scalar.i64(bins),
                  array(is, n),
                  array(vs, n));
      assertArrayEquals(expected, Arrays.copyOf((int[]) result.data(), bins));
    }
  }

  /**
   * Tests arrays that are allocated in loops inside a parallel map. The loops swap blocks, and
   * debugging checks each release.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void carriesArraysThroughLoops(int threads) {
    int n = 300;
    int k = 1000;
    ArrayValue result =
        (ArrayValue) run(load("loops.fir"), threads, "main", Scalar.i64(n), Scalar.i64(k));
    for (int i = 0; i < n; i++) {
      long[] xs = new long[k];
      long[] ys = new long[k];
      for (int e = 0; e < k; e++) {
        xs[e] = e;
      }
      Arrays.fill(ys, i);
      for (int j = 0; j < 10; j++) {
        long[] zs = new long[k];
        for (int e = 0; e < k; e++) {
          zs[e] = xs[e] + 2 * ys[e] + j;
        }
        if (j % 3 == 0) {
          Arrays.parallelPrefix(zs, Long::sum);
        }
        ys = xs;
        xs = zs;
      }
      assertEquals(Arrays.stream(xs).sum() - Arrays.stream(ys).sum(), ((long[]) result.data())[i]);
    }
  }

  /** Tests that rows are combined atomically if several threads update the same row. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void accumulatesRows(int threads) {
    int m = 50_000;
    long[] is = new long[m];
    int[] vs = new int[2 * m];
    int[] expected = {1, 2, 3, 4, 5, 6};
    for (int i = 0; i < m; i++) {
      is[i] = i % 4 - 1L;
      vs[2 * i] = i;
      vs[2 * i + 1] = 1;
      for (int j = 0; j < 2 && is[i] >= 0; j++) {
        expected[2 * (int) is[i] + j] += vs[2 * i + j];
      }
    }
    ArrayValue result =
        (ArrayValue)
            run(
                load("accumulator-of-rows.fir"),
                threads,
                "main",
                array(new int[] {1, 2, 3, 4, 5, 6}, 3, 2),
                array(is, m),
                array(vs, m, 2));
    assertArrayEquals(expected, (int[]) result.data());
  }

  /** Tests sums of distances of several points in one pass; sums and bins are updated in order. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 70_003})
  void findsTheNearest(int n) {
    int k = 5;
    int d = 3;
    float[] centres = new float[k * d];
    float[] points = new float[n * d];
    for (int i = 0; i < k * d; i++) {
      centres[i] = i * 7 % 11;
    }
    for (int i = 0; i < n * d; i++) {
      points[i] = i * 31L % 13;
    }
    int[] expected = new int[k + 1 + n];
    for (int i = 0; i < n; i++) {
      float least = Float.POSITIVE_INFINITY;
      for (int c = 0; c < k; c++) {
        float sum = 0;
        for (int j = 0; j < d; j++) {
          float x = centres[c * d + j] - points[i * d + j];
          sum += x * x;
        }
        if (!(least < sum)) {
          least = sum;
          expected[k + 1 + i] = c;
        }
      }
      expected[expected[k + 1 + i]]++;
      expected[k] += expected[k + 1 + i];
    }
    for (int threads : new int[] {1, 3}) {
      Value[] args = {array(centres, k, d), array(points, n, d)};
      ArrayValue result = (ArrayValue) run(load("nearest.fir"), threads, "main", args);
      assertArrayEquals(expected, Arrays.copyOf((int[]) result.data(), k + 1 + n));
    }
  }
}
