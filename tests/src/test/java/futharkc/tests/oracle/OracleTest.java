package futharkc.tests.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.frontend.FrontEnd;
import futharkc.tests.kit.source.RandomProgram;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that random programs have the oracle's results, interpreted and compiled. The properties
 * {@code -Doracle.first=SEED} and {@code -Doracle.programs=N} select programs. {@link OracleFuzz}
 * runs more of them.
 */
final class OracleTest {
  private static final long FIRST = Long.getLong("oracle.first", 0);
  private static final long PROGRAMS = Long.getLong("oracle.programs", 60);

  @Test
  void programsForPasses() {
    OracleTrial.Counts counts = trials(OracleFuzz.kind("plain"), 10);
    assertTrue(counts.compared >= PROGRAMS, counts::toString);
    assertTrue(2 * counts.cut >= counts.compiled, counts::toString);
  }

  @Test
  void programsForTheFrontEnd() {
    OracleTrial.Counts counts = trials(OracleFuzz.kind("modular"), 20);
    assertTrue(counts.compared >= 3 * PROGRAMS, counts::toString);
    assertTrue(counts.opaque >= 2 * PROGRAMS, counts::toString);
    assertTrue(counts.compiled > 0, counts::toString);
  }

  private static OracleTrial.Counts trials(LongFunction<RandomProgram> programs, int every) {
    OracleTrial.Counts all = new OracleTrial.Counts();
    Map<String, Integer> rejections = new TreeMap<>();
    for (long i = 0; i < PROGRAMS; i++) {
      long seed = FIRST + i;
      String text = programs.apply(seed).text();
      OracleTrial trial = new OracleTrial(seed, i % 2 * OracleCampaign.EDGES, c -> null);
      OracleTrial.Difference found = trial.run(text, i % every == every - 1, 2);
      boolean rejected = found != null && found.kind().startsWith("rejected");
      if (rejected) {
        rejections.merge(cause(found), 1, Integer::sum);
      } else {
        assertNull(found, () -> "seed " + seed + "\n" + text + "\n" + found);
      }
      all.add(trial.counts);
    }
    // The generator seldom makes a loop or a function whose result has an unexpected size.
    assertTrue(Set.of("sizes").containsAll(rejections.keySet()), rejections::toString);
    assertTrue(all.programs >= PROGRAMS * 98 / 100, rejections::toString);
    return all;
  }

  /** Returns the cause of a rejection, or its kind if the cause is not expected. */
  private static String cause(OracleTrial.Difference found) {
    return found.details().contains("[E0502]") ? "sizes" : found.kind();
  }

  @Test
  void seesValuesErrorsAndWrongSizes() {
    assertEquals("[1i64, 3i64, 6i64]", value("def main = scan (+) 0 [1, 2, 3i64]"));
    assertEquals("255u8", value("def main = u8.i8 (-1)"));
    assertEquals("3000000000u32", value("def main = u32.f64 3e9"));
    assertEquals("-0.0f32", value("def main = -0f32"));
    assertEquals(
        "[0=#a[2i64], 1=true]", value("type t = #a i64 | #b\ndef main : (t, bool) = (#a 2, true)"));
    Oracle.Outcome failed = run("def main = [1, 2, 3i64][opaque 3]");
    assertInstanceOf(Oracle.Outcome.Failed.class, failed);
    Val one = Val.i64(1);
    assertNull(ValueConverter.difference(one, one, ""));
    assertNotNull(ValueConverter.difference(one, Val.i64(2), ""));
    Val zero = OracleScalars.real(futharkc.core.language.syntax.PrimType.F32, 0.0);
    Val negative = OracleScalars.real(futharkc.core.language.syntax.PrimType.F32, -0.0);
    assertNotNull(ValueConverter.difference(zero, negative, ""));
  }

  /** Checks a loop whose value has a type that hides its changing size. */
  @Test
  void followsHiddenSizes() {
    String program =
        """
        module list : {
          type~ t
          val nil : () -> t
          val snoc : t -> i64 -> t
          val get : t -> []i64
        } = {
          type~ t = []i64
          def nil () : t = []
          def snoc (s: t) (x: i64) : t = s ++ [x]
          def get (s: t) : []i64 = s
        }
        def main = list.get (loop s = list.nil () for i < 3i64 do list.snoc s i)
        """;
    assertEquals("[0i64, 1i64, 2i64]", value(program));
    assertNull(new OracleTrial(0).run(program, true, 1));
  }

  /** Checks the regression programs in the folder {@code oracle} of the test resources. */
  @Test
  void programsThatWentWrong() throws IOException, URISyntaxException {
    Path folder = Path.of(OracleTest.class.getResource("loop-of-branches.fut").toURI()).getParent();
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.toString().endsWith(".fut")).sorted().toList();
    }
    assertTrue(files.size() >= 3, files::toString);
    for (Path file : files) {
      OracleTrial trial = new OracleTrial(1);
      assertNull(trial.run(Files.readString(file), true, 3), file::toString);
      assertTrue(trial.counts.compared >= 3, () -> file + ": " + trial.counts);
    }
  }

  /**
   * Checks slices inside and outside of the array, forwards and backwards, empty, or of negative
   * length.
   */
  @Test
  void slices() {
    String program =
        """
        entry plain (a: i64) (b: i64) : []i64 = (iota 6)[a % 12 - 3 : b % 12 - 3]
        entry from (a: i64) (s: i64) : []i64 = (iota 6)[a % 12 - 3 :: s % 5 - 2]
        entry to (b: i64) (s: i64) : []i64 = (iota 6)[: b % 12 - 3 : s % 5 - 2]
        entry all (a: i64) (b: i64) (s: i64) : []i64 =
          (iota 6)[a % 12 - 3 : b % 12 - 3 : s % 5 - 2]
        entry back (a: i64) (b: i64) : []i64 = (iota 6)[a % 12 - 3 : b % 12 - 3 : -1]
        entry two (a: i64) (b: i64) : [][]i64 =
          (replicate 3 (iota 4))[a % 6 - 1 : b % 6 - 1, b % 6 - 1 : a % 6 - 1]
        entry empty (a: i64) : []i64 = (iota 6)[a : a]
        """;
    OracleTrial trial = new OracleTrial(5);
    assertNull(trial.run(program, false, 150));
    assertTrue(trial.counts.compared > 300, trial.counts::toString);
    assertTrue(trial.counts.failing > 200, trial.counts::toString);
  }

  private static Oracle.Outcome run(String text) {
    FrontEnd.CheckedProgram checked = FrontEnd.check(FrontEnd.Options.text("a.fut", text));
    return new Oracle(checked, 10_000).call("main", List.of());
  }

  private static String value(String text) {
    return ValueConverter.show(assertInstanceOf(Oracle.Outcome.Returned.class, run(text)).value());
  }
}
