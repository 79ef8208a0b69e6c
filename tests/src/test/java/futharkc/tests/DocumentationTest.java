package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.LibraryCompilation;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that links, command lines, programs and names in documents are right. */
final class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void theExampleOfAServiceAnswers(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("service.jar");
    Path library = folder.resolve("samples.jar");
    PluginJar.ofClassPath(ROOT.resolve("examples/service/WebService.java"), jar);
    new LibraryCompilation(
            Compiler.create(),
            Source.ofFile(ROOT.resolve("examples/service/samples.fut")),
            CompilerOptions.DEFAULT,
            List.of("multicore"),
            "samples",
            "1")
        .jar()
        .write(library);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        AutoCloseable service =
            (AutoCloseable)
                loader
                    .loadClass("WebService")
                    .getConstructor(Path.class, int.class)
                    .newInstance(library, 0)) {
      Object port = service.getClass().getMethod("port").invoke(service);
      assertEquals("200 3.0 1.0", post(port + "/summary", "2 4"));
      assertEquals("200 1.5 4.0 5.0", post(port + "/smooth?2", "1 2 6 4"));
      assertEquals(
          "422 Index [-1] out of bounds for array of shape [2].", post(port + "/smooth?0", "1 2"));
      assertEquals("400 For input string: \"x\"", post(port + "/summary", "x"));
    }
  }

  private static String post(String address, String body) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://localhost:" + address).toURL().openConnection();
    connection.setDoOutput(true);
    connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    int status = connection.getResponseCode();
    try (InputStream in =
        status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
      return status + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
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

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> top = Files.list(ROOT)) {
      List<Path> documents =
          Stream.concat(docs, top).filter(f -> f.toString().endsWith(".md")).sorted().toList();
      assertTrue(documents.size() > 5, documents::toString);
      return documents;
    }
  }

  /** Checks that the classes that documents name exist. */
  @Test
  void classesThatDocumentsNameExist() throws Exception {
    Set<String> known = new HashSet<>();
    Pattern declared = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path f : files.filter(DocumentationTest::isSource).toList()) {
        Matcher m = declared.matcher(Files.readString(f));
        while (m.find()) {
          known.add(m.group(1));
        }
      }
    }
    assertTrue(known.size() > 1000, () -> "only " + known.size() + " classes");
    Pattern named = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)(?:\\.\\w+)*`");
    List<String> lost = new ArrayList<>();
    for (Path document : documents()) {
      Matcher m = named.matcher(Files.readString(document));
      while (m.find()) {
        String name = m.group(1);
        if (!known.contains(name) && !isOfTheJdk(name)) {
          lost.add(document + " names " + name);
        }
      }
    }
    assertEquals(List.of(), lost);
  }

  private static boolean isSource(Path f) {
    return f.toString().endsWith(".java") && !f.toString().contains("/target/");
  }

  private static boolean isOfTheJdk(String name) {
    return Stream.of("java.lang", "java.lang.foreign", "java.util", "java.util.concurrent")
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

  private static List<MarkdownPage> pages() throws IOException {
    List<MarkdownPage> pages = new ArrayList<>();
    for (Path document : documents()) {
      pages.add(MarkdownPage.read(document));
    }
    return pages;
  }

  private static List<MarkdownPage> guide() throws IOException {
    Path folder = ROOT.resolve("docs/guide");
    List<MarkdownPage> guide = pages().stream().filter(p -> p.file().startsWith(folder)).toList();
    assertTrue(guide.size() >= 5, () -> "only " + guide.size() + " pages in " + folder);
    return guide;
  }

  private static String name(MarkdownPage page) {
    return ROOT.relativize(page.file()).toString();
  }

  /** Returns the file to which a link leads, or null if the link leads outside of the project. */
  private static @Nullable Path target(MarkdownPage page, String link) {
    if (link.matches("[a-z]+:.*")) {
      return null;
    }
    String path = link.replaceFirst("#.*", "");
    return path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
  }

  @Test
  void linksAndAnchorsResolve() throws IOException {
    List<String> broken = new ArrayList<>();
    for (MarkdownPage page : pages()) {
      for (String link : page.links()) {
        Path target = target(page, link);
        if (target == null) {
          continue;
        }
        String anchor = link.contains("#") ? link.replaceFirst(".*#", "") : "";
        boolean resolves =
            Files.exists(target)
                && (anchor.isEmpty() || MarkdownPage.read(target).anchors().contains(anchor));
        if (!resolves) {
          broken.add(name(page) + " links to " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void allPagesAreReachable() throws IOException {
    Set<Path> reached = new HashSet<>();
    Deque<Path> pending = new ArrayDeque<>();
    for (String start : List.of("README.md", "docs/README.md")) {
      if (Files.exists(ROOT.resolve(start))) {
        pending.add(ROOT.resolve(start));
      }
    }
    while (!pending.isEmpty()) {
      Path file = pending.remove();
      if (!reached.add(file)) {
        continue;
      }
      MarkdownPage page = MarkdownPage.read(file);
      for (String link : page.links()) {
        Path target = target(page, link);
        if (target != null && Files.isRegularFile(target) && target.toString().endsWith(".md")) {
          pending.add(target);
        }
      }
    }
    List<Path> lost = documents().stream().filter(d -> !reached.contains(d)).toList();
    assertEquals(List.of(), lost, "pages that no link leads to");
  }

  @Test
  void guidesHaveNoLongSentences() throws IOException {
    List<String> found = new ArrayList<>();
    for (MarkdownPage page : guide()) {
      for (String sentence : page.sentences()) {
        if (sentence.split("\\s+").length > LONGEST_SENTENCE) {
          found.add(name(page) + ": " + sentence);
        }
      }
    }
    assertEquals(List.of(), found, "sentences of more than " + LONGEST_SENTENCE + " words");
  }

  private static final int LONGEST_SENTENCE = 40;

  /** Checks complete programs; parts of programs have the language {@code futhark fragment}. */
  @Test
  void programsOfTheGuideAreWellTyped() throws IOException {
    List<String> found = new ArrayList<>();
    int programs = 0;
    for (MarkdownPage page : guide()) {
      for (MarkdownPage.Code code : page.code()) {
        if (!code.isComplete("futhark")) {
          continue;
        }
        programs++;
        try {
          Compiler.check(Source.ofText("program.fut", code.text()));
        } catch (ProgramRejectedException e) {
          found.add(name(page) + ":" + code.line() + ": " + e.getMessage());
        }
      }
    }
    assertEquals(List.of(), found);
    assertTrue(programs > 3, "the guide has programs");
  }

  /** Compiles each snippet as a member of a class or as the body of a method of its own. */
  @Test
  void snippetsOfJavaCompile(@TempDir Path folder) throws IOException {
    StringBuilder members = new StringBuilder();
    int snippets = 0;
    for (MarkdownPage page : guide()) {
      for (MarkdownPage.Code code : page.code()) {
        if (!code.isComplete("java")) {
          continue;
        }
        snippets++;
        boolean isMember = code.text().matches("(?s)(public |final )*(class|interface|record) .*");
        members.append("  // ").append(name(page)).append(':').append(code.line()).append('\n');
        members.append(
            isMember
                ? code.text().replaceFirst("^public ", "")
                : "  void snippet" + snippets + "() throws Exception {\n" + code.text() + "  }\n");
      }
    }
    assertTrue(snippets > 2, "the guide has snippets of Java");
    String source = SNIPPETS.replace("MEMBERS", members.toString());
    Path file = Files.writeString(folder.resolve("Snippets.java"), source);
    PluginJar.ofClassPath(file, folder.resolve("snippets.jar"));
  }

  private static final String SNIPPETS =
      """
      import futharkc.core.driver.*;
      import futharkc.core.runtime.embed.*;
      import futharkc.core.driver.failure.*;
      import futharkc.core.runtime.*;
      import futharkc.core.runtime.device.*;
      import futharkc.integration.partitions.*;
      import java.nio.file.*;
      import java.util.*;

      abstract class Snippets {
        Compiler compiler;
        Compiled compiled, other;
        LoadedProgram program;
        List<Partition> partitions;
      MEMBERS
      }
      """;

  @Test
  void commandLinesNameCommandsAndOptions() throws IOException {
    CommandLines known = CommandLines.ofReference(ROOT);
    List<String> wrong = new ArrayList<>();
    int lines = 0;
    for (MarkdownPage page : pages()) {
      for (String line : CommandLines.in(page)) {
        lines++;
        String problem = known.problem(line);
        if (problem != null) {
          wrong.add(name(page) + ": " + line + ": " + problem);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(lines > 20, "documents show command lines");
  }

  @Test
  void wrongCommandLinesAreFound() throws IOException {
    CommandLines known = CommandLines.ofReference(ROOT);
    for (String line :
        List.of(
            "./futharkc check x.fut",
            "./futharkc --passes=default,-hoist x.fut -o x -- 1 --anything",
            "./futharkc test -j 2 --backend=c folder  # comment --nonsense",
            "./futharkc dataset -b -g '[10]f32' > f",
            "./futharkc COMMAND --help")) {
      assertNull(known.problem(line), line);
    }
    for (String line :
        List.of(
            "./futharkc compile x.fut",
            "./futharkc check --fast x.fut",
            "./futharkc --targt=c x.fut",
            "./futharkc dataset --nonsense")) {
      assertNotNull(known.problem(line), line);
    }
  }

  /** Runs command lines that only read files of the project. */
  @Test
  void cheapCommandLinesRun() throws Exception {
    Set<String> cheap = new TreeSet<>();
    for (MarkdownPage page : pages()) {
      for (String line : CommandLines.in(page)) {
        List<String> words = CommandLines.words(line);
        if (words.isEmpty() || !Set.of("check", "passes", "doctor").contains(words.get(0))) {
          continue;
        }
        List<String> operands =
            words.subList(1, words.size()).stream().filter(w -> !w.startsWith("-")).toList();
        boolean isThere = operands.stream().allMatch(f -> Files.exists(ROOT.resolve(f)));
        if (isThere && !line.contains("--plugin-path")) {
          cheap.add(String.join(" ", words));
        }
      }
    }
    for (String line : cheap) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-p"));
      command.addAll(List.of(System.getProperty("jdk.module.path"), "-m"));
      command.add("futharkc.cli/futharkc.cli.Main");
      command.addAll(List.of(line.split(" ")));
      Process process =
          new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), () -> line + ": " + said);
    }
  }
}
