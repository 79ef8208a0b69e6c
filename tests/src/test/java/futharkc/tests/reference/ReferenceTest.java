package futharkc.tests.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.plan.PassCatalogue;
import futharkc.core.language.Diagnostic;
import futharkc.tests.kit.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that the pages of {@code docs/reference} are current and complete. */
final class ReferenceTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Codes that no program of a test can show: they depend on the machine. */
  private static final Set<String> WITHOUT_PROGRAM = Set.of("E0203", "E0900");

  private static void compare(String page, String text) throws IOException {
    GoldenFiles.compare(ROOT.resolve("docs/reference").resolve(page), text);
  }

  @Test
  void thePageOfCommandsIsCurrent() throws IOException {
    compare("commands.md", CommandsPage.markdown());
  }

  @Test
  void thePageOfPassesIsCurrent() throws IOException {
    compare("passes.md", new PassCatalogue(Compiler.create().registry()).markdown());
  }

  @Test
  void thePageOfErrorsIsCurrent() throws IOException {
    compare("errors.md", ErrorsPage.markdown());
  }

  @Test
  void thePageOfTuningIsCurrent() throws IOException {
    compare("tuning.md", TuningPage.markdown());
  }

  @Test
  void thePageOfTheEnvironmentIsCurrent() throws IOException {
    compare("environment.md", EnvironmentPage.markdown());
  }

  @TestFactory
  Stream<DynamicTest> programsHaveTheirCodes() throws IOException {
    return ErrorExample.all().stream()
        .filter(ErrorExample::hasProgram)
        .map(e -> DynamicTest.dynamicTest(e.code(), () -> check(e)));
  }

  private static void check(ErrorExample e) {
    assertEquals(Set.of(e.code()), codes(e.diagnostics()), "codes of the wrong program");
    assertEquals(Set.of(), codes(e.diagnosticsOfAccepted()), "codes of the corrected program");
    assertTrue(e.explanation().size() >= 3, "summary, meaning and remedy are paragraphs");
  }

  private static Set<String> codes(List<Diagnostic> diagnostics) {
    return diagnostics.stream()
        .map(Diagnostic::code)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void allCodesAreExplained() throws IOException {
    Set<String> explained = new TreeSet<>();
    Set<String> withoutProgram = new TreeSet<>();
    for (ErrorExample e : ErrorExample.all()) {
      explained.add(e.code());
      if (!e.hasProgram()) {
        withoutProgram.add(e.code());
      }
    }
    assertEquals(named(Pattern.compile("\"([EW]\\d{4})\""), ".java"), explained);
    assertEquals(new TreeSet<>(WITHOUT_PROGRAM), withoutProgram);
  }

  @Test
  void allEnvironmentVariablesAreDescribed() throws IOException {
    Set<String> described = new TreeSet<>();
    for (EnvironmentPage.Variable v : EnvironmentPage.VARIABLES) {
      described.add(v.name());
    }
    Set<String> read = named(Pattern.compile("getenv\\(\\s*\"(\\w+)\""), ".java");
    read.addAll(named(Pattern.compile("env\\.get(?:OrDefault)?\\(\\s*\"(\\w+)\""), ".java"));
    read.addAll(named(Pattern.compile("getenv\\(\\)\\.\\w+\\(\\s*\"(\\w+)\""), ".java"));
    for (String list :
        named(Pattern.compile("String variable : List\\.of\\(([^)]*)\\)"), ".java")) {
      read.addAll(List.of(list.replaceAll("[\"\\s]", "").split(",")));
    }
    read.addAll(named(Pattern.compile("\"(FUTHARKC?_[A-Z_]+|CUDA_[A-Z_]+)\""), ".java"));
    for (String script :
        List.of(
            "futharkc",
            "dist/archive/futharkc",
            "dist/find-jdk.sh",
            "dist/launch.sh",
            "dist/setup.sh",
            STUB)) {
      Matcher m = Pattern.compile("\\$\\{?([A-Z][A-Z_]+)\\b").matcher(read(ROOT.resolve(script)));
      while (m.find()) {
        read.add(m.group(1));
      }
    }
    read.remove("PWD");
    read.addAll(named(Pattern.compile("getenv\\(\\s*\"(\\w+)\""), "Test.java", "src/test/java"));
    assertEquals(described, read);
  }

  private static final String STUB =
      "core.codegen/src/main/resources/futharkc/core/codegen/product/stub.sh";

  /** Returns the first groups of all matches in the main sources. */
  private static Set<String> named(Pattern pattern, String end) throws IOException {
    return named(pattern, end, "src/main/java");
  }

  private static Set<String> named(Pattern pattern, String end, String folder) throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources : modules.map(m -> m.resolve(folder)).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(sources)) {
          for (Path f : files.filter(f -> f.toString().endsWith(end)).toList()) {
            Matcher m = pattern.matcher(read(f));
            while (m.find()) {
              found.add(m.group(1));
            }
          }
        }
      }
    }
    return found;
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }

  /** Compares the kinds of parameters of a program with all kinds of kernels with the page. */
  @Test
  void allKindsOfTuningParametersAreDescribed() {
    String program =
        """
        def main [n] [m] (a: [n][m]f32) (b: [m][n]f32) (is: [n]i64) =
          let product = map (\\r -> map (\\c -> f32.sum (map2 (*) r c)) (transpose b)) a
          in (product, filter (> 0) (flatten a), map f32.sum a, hist (+) 0 n is is,
              map (scan (+) 0) a, copy (transpose a), replicate n 1i32)
        """;
    Set<String> kinds = new TreeSet<>(TuningPage.kindsOf(program));
    assertEquals(new TreeSet<>(TuningPage.PARAMETERS.keySet()), kinds);
  }

  @Test
  void messagesReferToSectionsOfThePage() throws IOException {
    List<String> headings =
        Arrays.stream(Files.readString(ROOT.resolve(Diagnostic.REFERENCE)).split("\n"))
            .filter(l -> l.startsWith("### "))
            .map(
                l -> Diagnostic.REFERENCE + "#" + l.substring(4).toLowerCase(java.util.Locale.ROOT))
            .toList();
    for (ErrorExample e : ErrorExample.all()) {
      String page = Diagnostic.error(e.code(), futharkc.core.ir.Loc.NONE, "").page();
      assertTrue(headings.contains(page), page);
    }
  }
}
