package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code futharkc test} with tuning files next to the programs. */
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
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-p"));
    command.addAll(List.of(System.getProperty("jdk.module.path"), "-m"));
    command.addAll(List.of("futharkc.cli/futharkc.cli.Main", "test", "--no-progress"));
    command.add("--backend=" + target);
    command.addAll(List.of(more));
    command.add(folder.resolve("sum.fut").toString());
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
}
