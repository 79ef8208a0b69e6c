package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.tests.device.Devices;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the transcript of the guide. Its blocks {@code console} have commands after {@code $}, with
 * here documents up to the line {@code END}, and the text that they print. The sign {@code …}
 * stands for any text.
 */
final class FirstHourTest {
  private static final Path PAGE = Path.of("..", "docs", "guide", "first-hour.md");
  private static final Pattern DOCUMENT = Pattern.compile(".*<< '(\\w+)'$");

  @TempDir private Path folder;

  /** A command and the lines that it prints. */
  private record Step(String command, List<String> printed) {}

  private static List<Step> steps(String block) {
    List<Step> steps = new ArrayList<>();
    List<String> lines = block.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.startsWith("$ ")) {
        steps.getLast().printed.add(line);
        continue;
      }
      StringBuilder command = new StringBuilder(line.substring(2));
      Matcher document = DOCUMENT.matcher(line);
      if (document.matches()) {
        do {
          command.append('\n').append(lines.get(++i));
        } while (!lines.get(i).equals(document.group(1)));
      }
      steps.add(new Step(command.append('\n').toString(), new ArrayList<>()));
    }
    return steps;
  }

  private static boolean matches(List<String> expected, String printed) {
    String pattern =
        expected.stream()
            .map(
                line ->
                    Pattern.compile("…")
                        .splitAsStream(line + " ")
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")))
            .collect(Collectors.joining("\n"));
    String text = printed.lines().map(line -> line + " ").collect(Collectors.joining("\n"));
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).matches();
  }

  private Path launcher() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path launcher = bin.resolve("futharkc");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -p '%s' -m %s \"$@\"\n"
            .formatted(
                java, System.getProperty("jdk.module.path"), "futharkc.cli/futharkc.cli.Main"));
    assertTrue(launcher.toFile().setExecutable(true));
    return bin;
  }

  private String run(String command, Path work, Path bin) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
    builder.directory(work.toFile()).redirectErrorStream(true);
    builder.environment().merge("PATH", bin.toString(), (old, b) -> b + File.pathSeparator + old);
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("FUTHARKC_JAVA");
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed
        .lines()
        .filter(line -> !line.startsWith("WARNING: "))
        .collect(Collectors.joining("\n"))
        .strip();
  }

  @Test
  void theTranscriptIsTrue() throws Exception {
    Path bin = launcher();
    Path work = Files.createDirectory(folder.resolve("work"));
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (MarkdownPage.Code block : MarkdownPage.read(PAGE).code()) {
      boolean needsDevice = block.info().equals("console opencl");
      if (needsDevice && !Devices.targets().contains("opencl")) {
        continue;
      }
      assertTrue(needsDevice || block.info().equals("console"), block::toString);
      for (Step step : steps(block.text())) {
        count++;
        String printed = run(step.command, work, bin);
        if (!matches(step.printed, printed)) {
          wrong.add("$ " + step.command + printed);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(count > 20, count + " commands");
  }

  @Test
  void theSignForAnyTextIsNotForMissingText() {
    assertTrue(matches(List.of("a … b", "…", "c"), "a 17 b\nx\ny\nc"));
    assertTrue(matches(List.of(), ""));
    assertFalse(matches(List.of("a … b"), "a 17 c"));
    assertFalse(matches(List.of("a"), "a\nb"));
  }
}
