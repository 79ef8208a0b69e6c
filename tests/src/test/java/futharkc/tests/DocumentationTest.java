package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documentation says is so. */
final class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

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

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> top = Files.list(ROOT)) {
      List<Path> documents =
          Stream.concat(docs, top).filter(f -> f.toString().endsWith(".md")).sorted().toList();
      assertTrue(documents.size() > 5, documents::toString);
      return documents;
    }
  }

  /** A class that gets another name does so in documents, too. */
  @Test
  void classesThatDocumentsNameExist() throws Exception {
    Set<String> known = new HashSet<>();
    Pattern declared = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path f : files.filter(DocumentationTest::isSource).toList()) {
        Matcher m = declared.matcher(Files.readString(f));
        while (m.find()) known.add(m.group(1));
      }
    }
    assertTrue(known.size() > 1000, () -> "only " + known.size() + " classes");
    Pattern named = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)(?:\\.\\w+)*`");
    List<String> lost = new ArrayList<>();
    for (Path document : documents()) {
      Matcher m = named.matcher(Files.readString(document));
      while (m.find()) {
        String name = m.group(1);
        if (!known.contains(name) && !isOfTheJdk(name)) lost.add(document + " names " + name);
      }
    }
    assertEquals(List.of(), lost);
  }

  private static boolean isSource(Path f) {
    return f.toString().endsWith(".java") && !f.toString().contains("/target/");
  }

  private static boolean isOfTheJdk(String name) {
    return Stream.of("java.lang", "java.util", "java.util.concurrent")
        .anyMatch(
            p -> {
              try {
                Class.forName(p + "." + name);
                return true;
              } catch (ClassNotFoundException e) {
                return false;
              }
            });
  }

  @Test
  void linksBetweenDocumentsLeadSomewhere() throws Exception {
    for (Path document : documents()) {
      Matcher link = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(Files.readString(document));
      while (link.find()) {
        Path target = document.resolveSibling(link.group(1));
        assertTrue(Files.exists(target), () -> document + " links to " + target);
      }
    }
  }
}
