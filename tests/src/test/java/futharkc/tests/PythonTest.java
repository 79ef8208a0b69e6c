package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of the Python package, if there is a Python with NumPy. */
final class PythonTest {
  private static final Path PACKAGE = Path.of("../integration.python").toAbsolutePath();

  @TempDir private Path folder;

  private record Outcome(int status, String output) {}

  private static Outcome python(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("python3");
    builder.command().addAll(List.of(arguments));
    builder.directory(PACKAGE.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  private static boolean hasNumPy() throws InterruptedException {
    try {
      return python(Map.of(), "-c", "import numpy").status() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void thePackagePassesItsTests() throws Exception {
    Assumptions.assumeTrue(hasNumPy(), "python3 with NumPy is missing");
    for (String program : List.of("shapes", "folds", "pairs")) {
      Compiler.create()
          .compile(
              Source.ofFile(Path.of("src/libraries", program + ".fut")),
              CompilerOptions.DEFAULT.withTarget("multicore"))
          .writeExecutable(folder.resolve(program));
    }
    Outcome tests =
        python(
            Map.of("FUTHARKC_TESTS", folder.toString(), "PYTHONPATH", "src"),
            "-W",
            "error",
            "-m",
            "unittest",
            "discover",
            "-s",
            "tests");
    assertEquals(0, tests.status(), tests.output());
  }
}
