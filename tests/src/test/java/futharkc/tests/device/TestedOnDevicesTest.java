package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the commands that use tuning files next to programs ({@code test}, {@code autotune}),
 * and of {@code doctor}.
 */
final class TestedOnDevicesTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String said) {}

  @BeforeEach
  void write() throws Exception {
    String program =
        """
        -- ==
        -- input { [1, 2, 3] } output { 6 }
        -- input { empty([0]i32) } error: .*
        def main (xs: []i32) = assert (length xs > 0) (i32.sum xs)
        """;
    Files.writeString(folder.resolve("sum.fut"), program);
  }

  private Ended test(String target, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("test", "--no-progress", "--backend=" + target));
    words.addAll(List.of(more));
    words.add(folder.resolve("sum.fut").toString());
    return run(words);
  }

  private static Ended run(List<String> words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-p"));
    command.addAll(List.of(System.getProperty("jdk.module.path"), "-m"));
    command.add("futharkc.cli/futharkc.cli.Main");
    command.addAll(words);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  @Test
  void parametersThatProgramsForDevicesLackAreErrors() throws Exception {
    assumeFalse(Devices.targets().isEmpty(), "needs a device");
    String target = Devices.targets().getFirst();
    Files.writeString(folder.resolve("sum.fut.tuning"), "main.nothing=1\n");
    Ended ended = test(target);
    assertEquals(1, ended.status, ended.said);
    assertTrue(ended.said.contains("unknown tuning parameter: main.nothing"), ended.said);
    assertTrue(ended.said.contains("0 passed, 2 failed"), ended.said);
    ended = test(target, "--no-tuning");
    assertEquals(0, ended.status, ended.said);
    ended = test("c");
    assertEquals(0, ended.status, ended.said);
  }

  @Test
  void autotuneWritesThresholdsThatTestsRead() throws Exception {
    assumeFalse(Devices.targets().isEmpty(), "needs a device");
    String target = Devices.targets().getFirst();
    String program =
        """
        -- ==
        -- input { [[1, 2], [3, 4], [5, 6]] } output { [4, 10, 16] }
        def main (xss: [][]i32) = map (\\xs -> i32.sum (scan (+) 0 xs)) xss
        """;
    Path file = Files.writeString(folder.resolve("sum.fut"), program);
    Path tuning = folder.resolve("sum.fut.tuning");
    Ended ended = run(List.of("autotune", "--backend=c", "-r", "1", file.toString()));
    assertEquals(0, ended.status, ended.said);
    assertTrue(ended.said.contains("its cases compare no thresholds"), ended.said);
    assertFalse(Files.exists(tuning), ended.said);

    ended = run(List.of("autotune", "--backend=" + target, "-r", "1", "-v", file.toString()));
    assertEquals(0, ended.status, ended.said);
    List<String> lines = Files.readAllLines(tuning);
    assertFalse(lines.isEmpty(), ended.said);
    for (String line : lines) {
      assertTrue(line.matches("main\\.suff_\\w+=\\d+"), line);
    }
    assertTrue(ended.said.contains(tuning + ": " + lines.size() + " thresholds"), ended.said);
    ended = test(target);
    assertEquals(0, ended.status, ended.said);
    assertTrue(ended.said.contains("1 passed"), ended.said);
  }

  @Test
  void autotuneNamesProgramsThatItCannotTune() throws Exception {
    Path file = Files.writeString(folder.resolve("sum.fut"), "def main (x: i32) = x + y");
    Ended ended = run(List.of("autotune", "--backend=c", file.toString()));
    assertEquals(1, ended.status, ended.said);
    assertTrue(ended.said.contains("futharkc autotune: "), ended.said);
    assertTrue(ended.said.contains("sum.fut:1:25"), ended.said);
  }

  @Test
  void doctorFindsJavaAndDrivers() throws Exception {
    Ended ended = run(List.of("doctor"));
    assertEquals(0, ended.status, ended.said);
    assertTrue(ended.said.contains("Java\n  found:   Java " + Runtime.version()), ended.said);
    for (String subject : List.of("CUDA", "OpenCL")) {
      boolean isThere = Devices.targets().contains(subject.toLowerCase(Locale.ROOT));
      String first = ended.said.split("(?m)^" + subject + "\\n", 2)[1].lines().findFirst().get();
      assertEquals(isThere, first.startsWith("  found:   "), ended.said);
    }
    // A finding of something missing has a way out in the next line.
    List<String> lines = ended.said.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("  missing: ")) {
        assertTrue(lines.get(i + 1).startsWith("           "), ended.said);
      }
    }
  }
}
