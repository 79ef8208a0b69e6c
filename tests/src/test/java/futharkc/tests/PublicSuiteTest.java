package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests of a sample of the public test suite. The checkout is in the folder that {@code
 * FUTHARK_CHECKOUT} names, or in {@code futhark} next to this repository. Without a checkout the
 * test is skipped.
 */
final class PublicSuiteTest {
  /** The sampling interval: one of this many programs runs. */
  private static final int EVERY = Integer.getInteger("suite.every", 30);

  /** Programs that need arrays longer than Java permits, or that take minutes. */
  private static final Set<String> LEFT_OUT =
      Set.of("big0.fut", "big2.fut", "mmm.fut", "gemm-simple.fut");

  @Test
  void aSamplePasses() throws Exception {
    String named = System.getenv("FUTHARK_CHECKOUT");
    Path tests = Path.of(named == null ? "../../futhark" : named).resolve("tests");
    assumeTrue(
        Files.isDirectory(tests),
        "the public suite is not tested: there is no "
            + tests.normalize()
            + "; FUTHARK_CHECKOUT says where a checkout is");
    List<String> sample = sample(tests);
    assertTrue(sample.size() >= 20, sample.size() + " programs");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-p"));
    command.addAll(List.of(System.getProperty("jdk.module.path"), "-m"));
    command.addAll(List.of("futharkc.cli/futharkc.cli.Main", "test", "--no-progress"));
    command.addAll(List.of("--no-structure", "--timeout=300", "--num-threads=2"));
    command.addAll(sample);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    Matcher passed = Pattern.compile("(\\d+) passed").matcher(said);
    assertTrue(passed.find() && Integer.parseInt(passed.group(1)) >= sample.size(), said);
  }

  private static List<String> sample(Path tests) throws IOException {
    try (Stream<Path> all = Files.walk(tests)) {
      List<String> programs =
          all.filter(f -> f.toString().endsWith(".fut") && isTest(f))
              .filter(f -> !LEFT_OUT.contains(f.getFileName().toString()))
              .map(Path::toString)
              .sorted()
              .toList();
      return IntStream.range(0, programs.size())
          .filter(i -> i % EVERY == EVERY / 2)
          .mapToObj(programs::get)
          .toList();
    }
  }

  /** Tests whether a file has a test block. */
  private static boolean isTest(Path file) {
    try {
      return Files.readString(file).contains("-- ==");
    } catch (IOException e) {
      return false;
    }
  }
}
