package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Scheduling;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.embed.LoadedProgram;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of compiled programs that fail or are interrupted while several threads run them. */
@Timeout(300)
final class ParallelProgramsTest {
  private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

  private static final Compiled FAILING =
      compile(
          """
          entry maps (n: i64) (good: i64) : []i64 =
            let ys = iota good in map (\\i -> ys[i] + 1) (iota n)
          entry reductions (n: i64) (good: i64) : i64 =
            let ys = iota good in i64.sum (map (\\i -> ys[i] + 1) (iota n))
          entry scans (n: i64) (good: i64) : []i64 =
            let ys = iota good in scan (+) 0 (map (\\i -> ys[i] + 1) (iota n))
          entry operators (n: i64) (good: i64) : []i64 =
            let ys = iota good in scan (\\a b -> ys[i64.max a b]) 0 (iota n)
          entry histograms (n: i64) (good: i64) : []i64 =
            let ys = iota good
            in hist (+) 0 7 (map (\\i -> ys[i] % 7) (iota n)) (iota n)
          entry nests (n: i64) (good: i64) : []i64 =
            let ys = iota good
            in map (\\i -> i64.sum (map (\\j -> ys[i * (n / 4) + j]) (iota (n / 4)))) (iota 4)
          """);

  /** Programs that do not terminate within years. */
  private static final Compiled ENDLESS =
      compile(
          """
          def step (x: i64) : i64 = x * 6364136223846793005 + 1442695040888963407
          entry whiles (n: i64) : i64 = loop x = n while x != 0 do step x
          entry counting (n: i64) : i64 = loop x = n for i < n do step (x + i)
          entry nested (n: i64) : i64 =
            loop x = n for i < n do loop y = x for j < 3 do loop z = y for k < i % 5 do step (z + j)
          entry arrays (n: i64) (xs: [100]i64) : [100]i64 =
            loop xs = copy xs for i < n do xs with [i % 100] = step xs[(i * i) % 100]
          entry regions (n: i64) (xs: [100000]i64) : [100000]i64 =
            loop xs for i < n do map (\\x -> step (x + i)) xs
          entry choices (n: i64) : []i64 =
            let search i = loop (a, b) = (i & 1, n) while a < b do
              if (a + b) % 2 == 0 then (1 - a, b) else (a, n + n - b + a)
            in map (\\i -> (search i).0) (iota 100)
          entry maps (n: i64) : []i64 = map (\\i -> loop x = i + 1 while x != 0 do step x) (iota 100)
          entry reductions (n: i64) : i64 = reduce (\\a b -> step (a + b)) 0 (map step (iota n))
          entry histograms (n: i64) : []i64 = hist (+) 0 7 (map (\\i -> step i % 7) (iota n)) (iota n)
          """);

  private static Compiled compile(String text) {
    return Compiler.create().compile(Source.ofText("parallel.fut", text), CompilerOptions.DEFAULT);
  }

  static Stream<Arguments> failing() {
    return Stream.of("maps", "reductions", "scans", "operators", "histograms", "nests")
        .flatMap(
            entry ->
                Stream.of(
                    Arguments.of(entry, Scheduling.STREAMS, 1),
                    Arguments.of(entry, Scheduling.STREAMS, 5),
                    Arguments.of(entry, Scheduling.TEAM, 5)));
  }

  /**
   * Checks that the error names the first bad index, in whatever chunk; each thread has several
   * chunks.
   */
  @ParameterizedTest
  @MethodSource("failing")
  void theFirstFailureIsReportedWhereverItIs(String entry, Scheduling scheduling, int threads) {
    long n = 600_000;
    int positions = 90;
    try (LoadedProgram program =
        FAILING.load(NOWHERE, s -> s.threads(threads).scheduling(scheduling))) {
      for (int round = 0; round < 3; round++) {
        for (int k = 0; k < positions; k++) {
          long good = Math.max(1, k * n / positions);
          FutharkError error = assertThrows(FutharkError.class, () -> program.call(entry, n, good));
          String index = entry.equals("operators") ? "" : "[" + good + "]";
          assertTrue(
              error.getMessage().startsWith("Index [") && error.getMessage().contains(index),
              () -> error.getMessage() + " with " + good);
        }
        program.call(entry, n, n);
      }
    }
  }

  private static final String OF_HISTOGRAMS =
      """
      entry counts (m: i64) (xs: []i32) : []i32 = hist (+) 0 m (map i64.i32 xs) (map (const 1) xs)
      entry sums (m: i64) (xs: []i32) : []i64 =
        hist (+) 0 m (map i64.i32 xs) (map i64.i32 xs)
      entry greatest (m: i64) (xs: []i32) : []i8 =
        hist i8.max (-128) m (map i64.i32 xs) (map i8.i32 xs)
      entry checked (m: i64) (xs: []i32) : []i64 =
        let table = iota m
        in hist (\\a b -> i64.max table[a] table[b]) 0 m (map i64.i32 xs) (map i64.i32 xs)
      entry fixed (_: i64) (xs: []i32) : []i32 =
        hist (+) 0 22 (map i64.i32 xs) (map (const 1) xs)
      entry both (m: i64) (xs: []i32) : []i32 =
        let as = hist (+) 0 m (map i64.i32 xs) (map (const 1) xs)
        let bs = hist (+) 0 m (map (\\x -> i64.i32 x / 2) xs) (map (const 1) xs)
        in map2 (-) as bs
      entry reals (m: i64) (xs: []i32) : []f64 =
        hist (+) 0 m (map i64.i32 xs) (map f64.i32 xs)
      entry points (m: i64) (xs: []i32) : []f64 =
        hist (\\(a, b) (c, d) -> (a + c, b + d)) (0, 0) m (map i64.i32 xs) (map (\\x -> (f64.i32 x, 1)) xs)
        |> map (\\(a, b) -> a - b)
      entry rounded [n] (m: i64) (xs: [n]i32) : []f64 =
        let fs = map (\\i -> f64.sqrt (f64.i64 i)) (iota n)
        in hist (+) 0 m (map i64.i32 xs) fs
      """;

  private static final Compiled HISTOGRAMS = compile(OF_HISTOGRAMS);

  /**
   * Checks that histograms have separate code for few bins and for many bins; both ignore indices
   * out of range.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void histogramsOfFewAndManyBinsAreAsInOneChunk(int threads) {
    int n = 600_000;
    int[] sizes = {1, 7, 128, 129, 1024, 1025, 600, 900, 720, 5000, 0};
    try (LoadedProgram program = HISTOGRAMS.load(NOWHERE, s -> s.threads(threads))) {
      for (int m : sizes) {
        int[] xs = new int[n];
        Random random = new Random(m);
        for (int i = 0; i < n; i++) {
          xs[i] = random.nextInt(m + m / 3 + 20) - 9;
        }
        xs[0] = Integer.MIN_VALUE;
        xs[n - 1] = Integer.MAX_VALUE;
        int[] counts = new int[m];
        int[] halves = new int[m];
        int[] fixed = new int[22];
        long[] sums = new long[m];
        long[] checked = new long[m];
        byte[] greatest = new byte[m];
        double[] reals = new double[m];
        double[] points = new double[m];
        Arrays.fill(greatest, Byte.MIN_VALUE);
        for (int x : xs) {
          int half = Math.floorDiv(x, 2);
          if (half >= 0 && half < m) {
            halves[half]++;
          }
          if (x >= 0 && x < 22) {
            fixed[x]++;
          }
          if (x < 0 || x >= m) {
            continue;
          }
          counts[x]++;
          sums[x] += x;
          reals[x] += x;
          points[x] += x - 1;
          checked[x] = x;
          greatest[x] = (byte) Math.max(greatest[x], (byte) x);
        }
        int[] both = new int[m];
        for (int i = 0; i < m; i++) {
          both[i] = counts[i] - halves[i];
        }
        assertArrayEquals(counts, (int[]) result(program, "counts", m, xs), "counts of " + m);
        assertArrayEquals(sums, (long[]) result(program, "sums", m, xs), "sums of " + m);
        assertArrayEquals(reals, (double[]) result(program, "reals", m, xs), "reals of " + m);
        assertArrayEquals(points, (double[]) result(program, "points", m, xs), "points of " + m);
        assertArrayEquals(greatest, (byte[]) result(program, "greatest", m, xs), "of " + m);
        assertArrayEquals(checked, (long[]) result(program, "checked", m, xs), "checked " + m);
        assertArrayEquals(fixed, (int[]) result(program, "fixed", m, xs), "of 22");
        assertArrayEquals(both, (int[]) result(program, "both", m, xs), "two of " + m);
      }
    }
  }

  /** Checks in the interpreter that no two chunks use the same element at the same time. */
  @ParameterizedTest
  @ValueSource(
      strings = {"counts", "sums", "greatest", "checked", "fixed", "both", "reals", "points"})
  void chunksOfHistogramsDoNotRace(String entry) {
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1);
    Source source = Source.ofText("histograms.fut", OF_HISTOGRAMS);
    Compiler compiler = Compiler.create();
    ImperativeProgram program =
        (ImperativeProgram) compiler.optimise(source, options, Rep.MC_IMP).ir().program();
    int[] xs = new int[4000];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = i * 7 % 31 - 2;
    }
    for (long m : new long[] {0, 5, 200, 2000}) {
      List<Value> input = List.of(Scalar.i64(m), ArrayValue.vector(ElemType.I32, xs));
      Object one = run(program, entry, input, Options.DEFAULT.withChunks(1));
      for (int chunks : new int[] {2, 5}) {
        Options several = Options.DEFAULT.withChunks(chunks).withBackwards(chunks == 2);
        Object all = run(program, entry, input, several);
        assertTrue(Objects.deepEquals(one, all), m + " bins in " + chunks + " chunks");
      }
    }
  }

  /**
   * Checks the number of chunks. A region with few bins has more chunks than threads, so that fast
   * threads can take over chunks. A region with many bins has one chunk for each thread, because
   * copies of the bins cost memory and time.
   */
  @ParameterizedTest
  @CsvSource({
    "points,5,32",
    "points,16,32",
    "points,40,12",
    "points,100,4",
    "reals,5,32",
    "reals,3000,4"
  })
  void threadsHaveSeveralChunksWhereCopiesOfBinsAreSmall(String entry, int m, int chunks) {
    int[] xs = new int[2_000_000];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = (int) (i * 7L % m);
    }
    try (LoadedProgram program = HISTOGRAMS.load(NOWHERE, s -> s.threads(4).profiling(true))) {
      result(program, entry, m, xs);
      List<String> tasks =
          program.context().profile().events().stream()
              .filter(e -> e.name().contains("seghist"))
              .map(e -> e.details().get("tasks"))
              .toList();
      assertEquals(List.of(Integer.toString(chunks)), tasks);
    }
  }

  /**
   * Checks that a chunk has its own copy of bins that fit the cache, for operators with and without
   * a deterministic order.
   */
  @ParameterizedTest
  @ValueSource(strings = {"hist (+) 0 m is (map i32.i64 is)", "hist (+) 0 m is (map f32.i64 is)"})
  void binsThatTheCacheHoldsAreInBlocksOfAChunksOwn(String body) {
    Source source = Source.ofText("bins.fut", "entry main (m: i64) (is: []i64) = " + body);
    int own = 500;
    CompilerOptions options =
        CompilerOptions.DEFAULT.withPasses("+histogram-strategy{own-bins=" + own + "}");
    String text =
        Printer.print(Compiler.create().optimise(source, options, Rep.MC_IMP).ir().program());
    assertTrue(
        Pattern.compile("few_\\d+: bool = sle_i64\\(.*, " + own + "i64").matcher(text).find(),
        text);
  }

  /** Checks that rounding does not depend on the order in which threads finish. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 128, 500, 3000})
  void histogramsOfFloatsRepeatExactly(int m) {
    int[] xs = new int[600_000];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = (int) (i * 7L % m);
    }
    try (LoadedProgram program = HISTOGRAMS.load(NOWHERE, s -> s.threads(4))) {
      double[] first = (double[]) result(program, "rounded", m, xs);
      for (int k = 0; k < 20; k++) {
        assertArrayEquals(first, (double[]) result(program, "rounded", m, xs), "call " + k);
      }
    }
  }

  private static Object run(
      ImperativeProgram program, String entry, List<Value> input, Options options) {
    return ((ArrayValue) Interpreter.run(program, entry, input, options).get(0)).data();
  }

  private static Object result(LoadedProgram program, String entry, int m, int[] xs) {
    return Objects.requireNonNull(program.call(entry, (long) m, xs));
  }

  static Stream<Arguments> endless() {
    return Stream.of(
            "whiles",
            "counting",
            "nested",
            "arrays",
            "regions",
            "choices",
            "maps",
            "reductions",
            "histograms")
        .flatMap(
            entry ->
                Stream.of(
                    Arguments.of(entry, Scheduling.STREAMS, 1),
                    Arguments.of(entry, Scheduling.STREAMS, 3),
                    Arguments.of(entry, Scheduling.TEAM, 3)));
  }

  @ParameterizedTest
  @MethodSource("endless")
  void loopsEndWhenTheirCallIsInterrupted(String entry, Scheduling scheduling, int threads)
      throws Exception {
    Object[] args =
        switch (entry) {
          case "arrays" -> new Object[] {1L << 40, new long[100]};
          case "regions" -> new Object[] {1L << 40, new long[100_000]};
          default -> new Object[] {1L << 40};
        };
    try (LoadedProgram program =
        ENDLESS.load(NOWHERE, s -> s.threads(threads).scheduling(scheduling))) {
      for (int round = 0; round < 2; round++) {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread caller =
            new Thread(
                () -> {
                  try {
                    program.call(entry, args);
                  } catch (RuntimeException | Error e) {
                    thrown.set(e);
                  }
                });
        caller.start();
        Thread.sleep(200);
        if (round == 0) {
          caller.interrupt();
        } else {
          program.context().cancel();
        }
        caller.join(60_000);
        assertFalse(caller.isAlive(), "the call did not end after the interrupt");
        FutharkError error = assertInstanceOf(FutharkError.class, thrown.get());
        assertEquals(round == 0 ? "Interrupted." : "Cancelled.", error.getMessage());
      }
    }
  }
}
