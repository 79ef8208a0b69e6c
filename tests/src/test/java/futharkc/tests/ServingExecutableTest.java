package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executables that were given options when they were compiled. */
final class ServingExecutableTest {
  @Test
  void oneCompiledToServeNeedsNoOption(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("server");
    Source source = Source.ofText("server.fut", "entry next (x: i32): i32 = x + 1");
    Compiled compiled = Compiler.create().compile(source, CompilerOptions.DEFAULT);
    compiled.writeExecutable(file, "--server");
    assertEquals(List.of("%%% OK", "next", "%%% OK"), said(file));
    // It is refused, and so has arrived as one word.
    compiled.writeExecutable(file, "--server", "--param=it's a=1");
    assertEquals("server: unknown tuning parameter: it's a", said(file).getFirst());
  }

  /** What an executable says on {@code entry_points}. */
  private static List<String> said(Path file) throws IOException {
    Process process = new ProcessBuilder(file.toString()).redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write("entry_points\n".getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It has ended without reading it.
    }
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }
}
