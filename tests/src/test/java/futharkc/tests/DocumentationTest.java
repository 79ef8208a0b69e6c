package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.plan.PassCatalogue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documentation says is so. */
final class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void theReferenceOfPassesIsCurrent() throws Exception {
    String expected = new PassCatalogue(Compiler.create().registry()).markdown();
    assertEquals(
        expected,
        Files.readString(ROOT.resolve("docs/passes.md")),
        "run: ./futharkc passes --markdown > docs/passes.md");
  }

  @Test
  void theExampleOfEmbeddingRuns(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("example.jar");
    PluginJar.ofClassPath(ROOT.resolve("examples/Embedding.java"), jar);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader
          .loadClass("Embedding")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(out);
    }
    assertEquals(
        """
        [summary, row_sums, pick]
        third element: 3.0
        Summary[mean=3.0, largest=6.0]
        second row: 7.0
        run-time error: Index [3] out of bounds for array of shape [3].
        rejected at wrong.fut:1:21-22: E0401
        """,
        printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void linksBetweenDocumentsLeadSomewhere() throws Exception {
    List<Path> documents;
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> top = Files.list(ROOT)) {
      documents =
          Stream.concat(docs, top).filter(f -> f.toString().endsWith(".md")).sorted().toList();
    }
    assertTrue(documents.size() > 5, documents::toString);
    for (Path document : documents) {
      java.util.regex.Matcher link =
          java.util.regex.Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(Files.readString(document));
      while (link.find()) {
        Path target = document.resolveSibling(link.group(1));
        assertTrue(Files.exists(target), () -> document + " links to " + target);
      }
    }
  }
}
