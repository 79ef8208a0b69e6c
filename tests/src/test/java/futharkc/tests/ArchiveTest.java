package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the archive that the build makes before these tests. */
final class ArchiveTest {
  private static final Path DIST = Path.of("../dist").toAbsolutePath().normalize();

  private static List<Path> archives() throws IOException {
    if (!Files.isDirectory(DIST.resolve("target"))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(DIST.resolve("target"))) {
      return files.filter(f -> f.toString().endsWith(".tar.gz")).toList();
    }
  }

  /** The archive does not exist in builds that end before the phase {@code package}. */
  @Test
  void aUserWithoutJavaInstallsItAndCompiles() throws Exception {
    List<Path> archives = archives();
    assumeFalse(archives.isEmpty(), "the build has made no archive");
    ShellScript check =
        ShellScript.run(DIST.resolve("check-archive.sh"), archives.getLast().toString());
    assertEquals(0, check.status(), check.output());
    assertTrue(check.output().endsWith("passed\n"), check.output());
  }

  @Test
  void scriptsExplainThemselves() throws Exception {
    for (String script : List.of("setup.sh", "archive/install.sh")) {
      ShellScript help = ShellScript.run(DIST.resolve(script), "--help");
      assertEquals(0, help.status(), help.output());
      assertTrue(help.output().contains(script.replaceAll(".*/", "")), help.output());
      assertEquals(1, ShellScript.run(DIST.resolve(script), "--nonsense").status());
    }
  }
}
