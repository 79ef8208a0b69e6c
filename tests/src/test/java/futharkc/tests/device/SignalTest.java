package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of executables that a signal ends while PoCL compiles. */
final class SignalTest {
  /** A program of scans with large operators, which PoCL compiles slowly. */
  private static final String PROGRAM =
      """
      def f (k: i32) (a: i32, b: i32) (c: i32, d: i32) = (a * c + k, if b > d then a + b * d else c)
      def s (k: i32) (xs: [](i32, i32)) = map (.0) (scan (f k) (1, k) xs)
      entry main (xs: []i32) =
        let ys = zip xs (map (+ 1) xs)
        in (s 1 ys, s 2 ys, s 3 ys, s 4 ys, s 5 ys, s 6 ys, s 7 ys, s 8 ys)
      """;

  @TempDir Path folder;

  @Test
  void aSignalEndsAProcessAtOnceAndQuietly() throws Exception {
    assumeTrue(Devices.targets().contains("opencl"), "no OpenCL: nothing of this is tested");
    Path program = folder.resolve("program");
    Compiled compiled =
        Compiler.create()
            .compile(
                Source.ofText("program.fut", PROGRAM),
                CompilerOptions.DEFAULT.withTarget("opencl"));
    compiled.writeExecutable(program);
    for (int i = 0; i < 3; i++) {
      Path cache = Files.createDirectory(folder.resolve("pocl" + i));
      ProcessBuilder builder = new ProcessBuilder(program.toString());
      builder.environment().put("POCL_CACHE_DIR", cache.toString());
      builder.environment().put("FUTHARKC_CACHE", folder.resolve("cache" + i).toString());
      builder.environment().put("FUTHARKC_JAVA", System.getProperty("java.home"));
      Process process = builder.redirectErrorStream(true).start();
      try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
        in.write("[1, 2, 3]\n");
      }
      for (int wait = 0; wait < 600 && process.isAlive() && !isCompiling(cache); wait++) {
        Thread.sleep(20);
      }
      Thread.sleep(80L * i);
      process.toHandle().destroy();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      // The process may have ended before the signal.
      if (status != 0) {
        // The compiler of PoCL prints a count of errors.
        assertEquals("", said.replace("1 error generated.", "").strip());
        assertEquals(128 + 15, status);
      }
    }
  }

  private static boolean isCompiling(Path cache) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.anyMatch(file -> file.toString().endsWith(".cl"));
    } catch (UncheckedIOException e) {
      // Another process deleted the file.
      return false;
    }
  }
}
