package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import futharkc.harness.Outcome;
import futharkc.harness.TestSettings;
import futharkc.harness.TestSuite;
import futharkc.harness.WorkerPool;
import futharkc.tests.device.Devices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the programs in {@code programs} on every backend, by their test blocks. The programs in
 * {@code derivatives} run only on backends that evaluate derivatives directly.
 */
final class ProgramsTest {
  private static final Path RESOURCES = Path.of("src/test/resources/futharkc/tests");

  @ParameterizedTest
  @CsvSource({
    "programs, interpreter, 1",
    "programs, c, 1",
    "programs, multicore, 1",
    "programs, multicore, 5",
    "derivatives, interpreter, 1",
    "derivatives, c, 1"
  })
  void programsDoWhatTheirTestBlocksSay(String folder, String backend, int threads)
      throws Exception {
    run(RESOURCES.resolve(folder), 10, backend, threads);
  }

  /** Tests values on devices, because only kernels can have some errors. */
  @Test
  void programsDoWhatTheirTestBlocksSayOnDevices() throws Exception {
    List<String> targets = Devices.targets();
    assumeFalse(targets.isEmpty(), "needs a device");
    for (String target : targets) {
      run(RESOURCES.resolve("programs"), 10, target, 1);
    }
  }

  /** Tests the programs in the documentation of derivatives. */
  @ParameterizedTest
  @ValueSource(strings = {"interpreter", "c"})
  void documentedDerivativesAreRight(String backend, @TempDir Path programs) throws Exception {
    String text = Files.readString(Path.of("../docs/guide/derivatives.md"));
    String[] parts = text.split("```futhark\n", -1);
    for (int i = 1; i < parts.length; i++) {
      String program = parts[i].substring(0, parts[i].indexOf("```"));
      Files.writeString(programs.resolve("example" + i + ".fut"), program);
    }
    run(programs, 6, backend, 1);
  }

  private static void run(Path programs, int least, String backend, int threads) throws Exception {
    TestSettings settings =
        new TestSettings(
            backend,
            TestSettings.Mode.ALL,
            null,
            null,
            threads,
            "",
            "",
            List.of(),
            TestSettings.BenchSettings.DEFAULT);
    List<TestSuite.Finished> results = finished(programs, settings);
    assertTrue(results.size() >= least, () -> "only " + results.size() + " cases in " + programs);
    List<String> failures =
        results.stream()
            .filter(f -> f.outcome().status() == Outcome.Status.FAILED)
            .map(f -> f.program() + ": " + f.outcome().key() + ": " + f.outcome().detail())
            .toList();
    assertEquals(List.of(), failures);
  }

  /** Runs all test blocks of programs in a worker process. */
  static List<TestSuite.Finished> finished(Path programs, TestSettings settings)
      throws IOException, InterruptedException {
    TestSuite.Selection all = new TestSuite.Selection(List.of(), List.of(), "");
    TestSuite suite = new TestSuite(List.of(programs), file -> false, all, settings);
    List<String> worker =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-p",
            System.getProperty("jdk.module.path"),
            "-m",
            "futharkc.cli/futharkc.cli.Main",
            "--worker");
    WorkerPool pool = new WorkerPool(worker, 1, Duration.ofSeconds(60));
    return suite.run(pool, (program, outcome) -> {});
  }
}
