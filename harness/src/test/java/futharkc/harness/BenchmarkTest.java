package futharkc.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.FutharkProgram;
import futharkc.harness.testing.TestSpecParser;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of profiled benchmarks and of options for programs. */
final class BenchmarkTest {
  private static final String TEXT =
      """
      -- ==
      -- input { [1, 2] }
      entry main (xs: []i32) = map (+ 1) (#[trace(xs)] xs)
      """;
  private static final Compiler COMPILER = Compiler.create();

  private static FutharkProgram program() {
    return COMPILER
        .compile(Source.ofText("p.fut", TEXT), CompilerOptions.DEFAULT.withTarget("c"))
        .instance();
  }

  private static TestSettings settings(List<String> programOptions) {
    return new TestSettings(
            "c",
            TestSettings.Mode.BENCH,
            null,
            null,
            1,
            "",
            "",
            List.of(),
            new TestSettings.BenchSettings(3, false, 1, true))
        .withProgramOptions(programOptions);
  }

  @Test
  void aProfileHasTheLogOfOneRun() throws Exception {
    TestSettings settings = settings(List.of());
    TestUnits.Unit unit =
        TestUnits.of(TestSpecParser.parse(TEXT), TEXT, settings).values().iterator().next();
    try (RunningProgram program =
        new RunningProgram(program(), settings, Path.of(""), List.of(), true)) {
      Measurement measured =
          Benchmark.run(program, (TestUnits.Check.Run) unit.check(), settings.bench());
      String log = measured.further().log();
      assertEquals(
          List.of("xs: 1 2 "), log.lines().filter(line -> line.startsWith("xs")).toList(), log);
      assertTrue(log.contains("Peak memory usage"), log);
      Outcome outcome = new Outcome("main: #0", Outcome.Status.PASSED, "", measured.toValues());
      assertEquals(measured.further(), Measurement.of(outcome).further());
    }
  }

  @Test
  void wrongOptionsOfProgramsAreErrors() {
    var e =
        assertThrows(
            RunningProgram.CaseException.class,
            () ->
                new RunningProgram(
                    program(), settings(List.of("--runs=3")), Path.of(""), List.of(), false));
    assertTrue(String.valueOf(e.getMessage()).startsWith("--pass-option: "), e.getMessage());
  }
}
