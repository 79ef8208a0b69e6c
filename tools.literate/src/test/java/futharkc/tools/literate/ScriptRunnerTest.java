package futharkc.tools.literate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.harness.testing.ScriptException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of scripts on executables, and of options for programs. */
final class ScriptRunnerTest {
  private static final Compiler COMPILER = Compiler.create();
  private static final CompilerOptions C = CompilerOptions.DEFAULT.withTarget("interpreter");
  private static final Source SOURCE =
      Source.ofText("double.fut", "entry double (xs: []f32) = map (* 2) (#[trace(xs)] xs)");

  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

  private String value(ScriptRunner.Options options, String script) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream traces = new PrintStream(messages, true, StandardCharsets.UTF_8);
    try (ScriptRunner runner =
        ScriptRunner.open(
            COMPILER, options.executable() == null ? SOURCE : null, Path.of(""), options, traces)) {
      runner.run(List.of(script), false, out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static ScriptRunner.Options executable(Path file) {
    return new ScriptRunner.Options(C, file, List.of(), true, false);
  }

  private static String message(ScriptRunner.Options options) {
    return String.valueOf(
        assertThrows(
                ScriptException.class,
                () -> ScriptRunner.open(COMPILER, SOURCE, Path.of(""), options, System.err))
            .getMessage());
  }

  @Test
  void otherFilesAreRefused(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("missing");
    assertEquals(
        "There is no executable " + missing + ". Compile the program first.",
        message(executable(missing)));
    Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\n");
    assertEquals(script + " is not an executable of futharkc.", message(executable(script)));
  }

  @Test
  void optionsOfProgramsAreThoseOfExecutables() throws Exception {
    List<String> log = List.of("--num-threads", "1", "-L");
    assertEquals(
        "[2.0f32]\n", value(new ScriptRunner.Options(C, null, log, true, false), "double [1f32]"));
    assertTrue(
        message(new ScriptRunner.Options(C, null, List.of("--fast"), true, false))
            .endsWith("unknown option --fast"));
    assertTrue(
        message(new ScriptRunner.Options(C, null, List.of("-e", "x"), true, false))
            .contains("--entry-point has no effect"));
    assertTrue(
        message(new ScriptRunner.Options(C, null, List.of("--help"), true, false))
            .contains("--help has no effect"));
  }
}
