package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.embed.LoadedProgram;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the choice among versions of nested parallelism by sizes and threads. */
final class NestedParallelismTest {
  private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

  /**
   * A nest of two scans. Scans cannot be fused with each other, so that the inner version has
   * regions for each row.
   */
  private static final Compiled SCANS =
      compile(
          """
          entry main (n: i64) (m: i64) : [n][m]i64 =
            map (\\i -> scan (+) 0 (scan i64.max 0 (map (\\j -> (i * j) % 17) (iota m)))) (iota n)
          """);

  private static final Compiled REDUCTIONS =
      compile("entry main (n: i64) (m: i64) = map (\\i -> i64.sum (map (* i) (iota m))) (iota n)");

  private static Compiled compile(String text) {
    return Compiler.create().compile(Source.ofText("nests.fut", text), CompilerOptions.DEFAULT);
  }

  /** Returns the number of regions that a call runs. */
  private static int regions(Compiled program, int threads, long sharing, long n, long m) {
    try (LoadedProgram loaded =
        program.load(
            NOWHERE,
            s -> {
              s.threads(threads).profiling(true);
              assertTrue(s.tuning("host.sharing_operations", sharing));
            })) {
      Context ctx = loaded.context();
      loaded.call("main", n, m);
      return ctx.profile().events().size();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // Enough rows.
    "16, 64, 10000, 1",
    "16, 16, 10000, 1",
    "4, 1000, 1000, 1",
    // Few rows, and too little work in each for regions of their own.
    "16, 2, 1000, 1",
    "16, 5, 4000, 1",
    // Few long rows.
    "16, 2, 1000000, 4",
    "16, 1, 1000000, 2",
    "16, 3, 1000000, 6",
    // The two passes of a scan cost as much as two additional threads save.
    "4, 2, 1000000, 1",
    // One thread gains nothing.
    "1, 1, 1000000, 1",
  })
  void scansOfRows(int threads, long rows, long length, int expected) {
    assertEquals(expected, regions(SCANS, threads, 3000, rows, length));
  }

  @ParameterizedTest
  @CsvSource({
    "16, 64, 10000, 1",
    "16, 3, 1000, 1",
    "16, 3, 3000000, 3",
    "2, 2, 3000000, 1",
    "1, 1, 3000000, 1"
  })
  void reductionsOfRows(int threads, long rows, long length, int expected) {
    assertEquals(expected, regions(REDUCTIONS, threads, 3000, rows, length));
  }

  /**
   * Checks that one region is better than several if the overhead of regions exceeds the total
   * work.
   */
  @Test
  void costsOfRegionsAreATuningParameter() {
    assertEquals(2, regions(SCANS, 16, 3000, 1, 1_000_000));
    assertEquals(1, regions(SCANS, 16, 1L << 40, 1, 1_000_000));
  }
}
