package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the script at the start of executables, under unusual streams, names and limits. */
final class ExecutableScriptTest {
  private static final Source PROGRAM =
      Source.ofText("half.fut", "def main (n: i64) = i64.sum (map (/ 2) (iota n))");

  @TempDir private static Path folder;

  @BeforeAll
  static void compile() throws IOException {
    Compiler.create()
        .compile(PROGRAM, CompilerOptions.DEFAULT.withTarget("multicore"))
        .writeExecutable(folder.resolve("half"));
    Files.createSymbolicLink(folder.resolve("other-name"), folder.resolve("half"));
  }

  /** Runs a command of the shell, and returns both outputs and the exit code. */
  private static String shell(String command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", command + "; echo \"exit $?\"")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().put("FUTHARKC_JAVA", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  @Test
  void aClosedInputIsAnEmptyInput() throws Exception {
    String said = shell("./half <&-");
    assertTrue(said.contains("got the end"), said);
    assertEquals("%%% OK\nexit 0\n", shell("./half --server <&-"));
  }

  @Test
  void aResultThatCannotBeWrittenIsAFailure() throws Exception {
    assertTrue(shell("echo 10 | ./half >&-").endsWith("exit 1\n"));
    assertEquals("20i64\nexit 0\n", shell("echo 10 | ./half 2>&-"));
  }

  @Test
  void messagesHaveTheNameOfTheCall() throws Exception {
    assertTrue(shell("./other-name --none").startsWith("./other-name: unknown option --none\n"));
    assertTrue(shell("./half -e none").startsWith("./half: no entry point 'none'"));
    assertTrue(shell("./other-name --help").startsWith("Usage: ./other-name "));
    String path = folder.resolve("half").toString();
    assertTrue(shell(path + " --none").startsWith(path + ": unknown option"));
  }

  @Test
  void theJvmFitsIntoALimitOfVirtualMemory() throws Exception {
    assumeTrue(
        shell("ulimit -v 2000000").equals("exit 0\n"),
        "needs a system with limits of virtual memory");
    assertEquals("20i64\nexit 0\n", shell("ulimit -v 2000000; echo 10 | ./half"));
    String said = shell("ulimit -v 1000000; echo 10 | ./half");
    assertTrue(said.startsWith("./half: the limit of virtual memory (ulimit -v) is 1000000"), said);
    assertTrue(said.endsWith("exit 1\n"), said);
  }
}
