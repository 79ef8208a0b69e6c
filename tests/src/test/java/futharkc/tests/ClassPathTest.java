package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the compiler as a library on the class path, without modules. */
final class ClassPathTest {
  @Test
  void theExampleOfEmbeddingRunsOnTheClassPath() throws Exception {
    List<String> classPath = new ArrayList<>();
    for (String entry : System.getProperty("jdk.module.path").split(File.pathSeparator, -1)) {
      classPath.addAll(modules(Path.of(entry)));
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(File.pathSeparator, classPath),
                "../examples/Embedding.java")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertTrue(said.contains("Summary[mean=3.0, largest=6.0]"), said);
  }

  /**
   * Returns the class path entries for an entry of the module path: a jar, the folder of one
   * module, or a folder of modules.
   */
  private static List<String> modules(Path entry) throws IOException {
    if (!Files.isDirectory(entry) || Files.exists(entry.resolve("module-info.class"))) {
      return List.of(entry.toString());
    }
    try (Stream<Path> inside = Files.list(entry)) {
      return inside.flatMap(p -> Stream.of(p.toString())).toList();
    }
  }
}
