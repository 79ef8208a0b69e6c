package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Rep;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.format.Formatter;
import futharkc.core.language.frontend.FrontEnd;
import futharkc.core.language.index.Analyser;
import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.runtime.embed.LoadedProgram;
import futharkc.tests.kit.source.RandomProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the compiler rejects broken programs with a message and compiles long ones. */
final class BadInputTest {
  private static final int MUTANTS = 300;
  private static final int LONG = 10_000;

  private final Compiler compiler = Compiler.create();

  private void compile(Source source) {
    compiler.optimise(source, CompilerOptions.DEFAULT, Rep.MC_MEM);
  }

  @Test
  void mutantsAreRejectedOrCompiled() throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("../examples"))) {
      for (Path f : files.filter(p -> p.toString().endsWith(".fut")).sorted().toList()) {
        texts.add(Files.readString(f));
      }
    }
    assertFalse(texts.isEmpty());
    for (int seed = 0; seed < MUTANTS; seed++) {
      Random random = new Random(seed);
      String text =
          seed % 3 == 0
              ? texts.get(random.nextInt(texts.size()))
              : RandomProgram.of(seed, 6).text();
      String mutant = Mutations.mutate(text, random);
      try {
        compile(Source.ofText("mutant.fut", mutant));
      } catch (ProgramRejectedException e) {
        assertFalse(e.diagnostics().isEmpty());
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + "\n" + mutant, e);
      }
    }
  }

  /** The number of edited programs; the property {@code fuzz.edits} sets another one. */
  private static final int EDITS = Integer.getInteger("fuzz.edits", 3000);

  private final Analyser analyser = new Analyser();

  @Test
  void editedProgramsAreCheckedFormattedAndIndexed() throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("src/test/resources/futharkc/tests"))) {
      for (Path f : files.filter(p -> p.toString().endsWith(".fut")).sorted().toList()) {
        texts.add(new String(Files.readAllBytes(f), StandardCharsets.UTF_8));
      }
    }
    assertFalse(texts.isEmpty());
    for (int seed = 0; seed < EDITS; seed++) {
      Random random = new Random(seed);
      String text = Mutations.mutate(texts.get(random.nextInt(texts.size())), random);
      try {
        check(text);
        format(text);
        index(text, random);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + "\n" + text, e);
      }
    }
  }

  private static void check(String text) {
    try {
      var unused = FrontEnd.check(FrontEnd.Options.text("edited.fut", text));
    } catch (DiagnosticException e) {
      assertFalse(e.diagnostics().isEmpty());
      for (Diagnostic d : e.diagnostics()) {
        assertFalse(d.message().isBlank(), d.code());
        assertTrue(d.loc().line() > 0, d::toString);
      }
    }
  }

  private static void format(String text) {
    String formatted;
    try {
      formatted = Formatter.format("edited.fut", text);
    } catch (DiagnosticException e) {
      return;
    }
    assertEquals(formatted, Formatter.format("edited.fut", formatted));
  }

  private void index(String text, Random random) {
    ProgramIndex index =
        analyser
            .analyse("edited.fut", p -> p.equals("edited.fut") ? text : null, () -> false)
            .index();
    for (Occurrence o : index.occurrences("edited.fut")) {
      assertTrue(index.occurrences(o.symbol()).contains(o));
      var unused = index.typeOf(o.symbol());
    }
    int line = 1 + random.nextInt(20);
    int column = 1 + random.nextInt(60);
    var unusedSymbols = index.visibleAt("edited.fut", line, column);
    var unusedType = index.typeAt("edited.fut", line, column);
    var unusedFields = index.fieldsAt("edited.fut", line, column);
    var unusedSites = index.typeSites("edited.fut");
    var unusedOutline = index.outline("edited.fut");
  }

  private static String repeated(String format) {
    return IntStream.range(0, LONG)
        .mapToObj(i -> String.format(format, i + 1, i, i % 7))
        .collect(Collectors.joining());
  }

  @Test
  void longChainsAreCompiled() {
    compile(
        Source.ofText(
            "lets.fut",
            "def main (x0: i32) =\n" + repeated("let x%1$d = x%2$d * %3$d + 1\n") + "in x" + LONG));
    compile(Source.ofText("sum.fut", "def main (x: i32) = x" + repeated(" + x * %3$d")));
    compile(Source.ofText("and.fut", "def main (x: bool) = x" + repeated(" && x")));
    compile(Source.ofText("pipes.fut", "def main (x: i32) = x" + repeated(" |> (+ %3$d)")));
  }

  private LoadedProgram load(String text) {
    return compiler.compile(Source.ofText("long.fut", text), CompilerOptions.DEFAULT).load();
  }

  @Test
  void longCaseDistinctionsAreCompiled() {
    String chain =
        "def main (x: i32) (y: i32) : i32 = "
            + repeated("if x == y + %2$d then x / %1$d\nelse ")
            + "7";
    try (LoadedProgram p = load(chain)) {
      assertEquals(9_999 / 10_000, p.call("main", 9_999, 0));
      assertEquals(500, p.call("main", 1_000, 999));
      assertEquals(7, p.call("main", LONG, 0));
    }
    String match =
        "def main (x: i32) : i32 = match x " + repeated("case %2$d -> %3$d\n") + "case _ -> 9";
    try (LoadedProgram p = load(match)) {
      assertEquals(9_999 % 7, p.call("main", 9_999));
      assertEquals(9, p.call("main", -1));
    }
    String columns =
        "#[noinline] def f (x: i32) (y: i32) : i32 = match (x, y) "
            + IntStream.range(0, 50)
                .mapToObj(i -> "case (_, " + i + ") -> 100 case (" + i + ", _) -> " + i + "\n")
                .collect(Collectors.joining())
            + "case _ -> 9\ndef main = f";
    try (LoadedProgram p = load(columns)) {
      assertEquals(100, p.call("main", 3, 3));
      assertEquals(0, p.call("main", 0, 49));
      assertEquals(100, p.call("main", 49, 20));
      assertEquals(9, p.call("main", 50, 50));
    }
  }

  /** Checks that functions may have more than 255 parameters, the limit of a JVM method. */
  @Test
  void functionsMayHaveManyParameters() {
    String params =
        IntStream.range(0, 300).mapToObj(i -> "(x" + i + ": i64)").collect(Collectors.joining(" "));
    String names = IntStream.range(0, 300).mapToObj(i -> "x" + i).collect(Collectors.joining(" "));
    String text =
        "#[noinline] def f "
            + params
            + " = "
            + names.replace(" ", " + ")
            + "\ndef main "
            + params
            + " = f "
            + names;
    try (LoadedProgram p = load(text)) {
      assertEquals(
          299L * 300 / 2,
          p.call("main", IntStream.range(0, 300).mapToObj(i -> (long) i).toArray()));
    }
  }

  /** Checks that all phases of the compiler accept the nesting depth that the parser accepts. */
  @Test
  void deepNestingIsCompiled() {
    String nested =
        "def main (x: i32) : i32 = "
            + IntStream.range(0, 400)
                .mapToObj(i -> "if x == " + i + " then " + i + " else (")
                .collect(Collectors.joining())
            + "7"
            + ")".repeat(400);
    try (LoadedProgram p = load(nested)) {
      assertEquals(399, p.call("main", 399));
      assertEquals(7, p.call("main", 400));
    }
  }

  private static String rejected(Source source) {
    return String.valueOf(
        assertThrows(ProgramRejectedException.class, () -> Compiler.check(source)).getMessage());
  }

  @Test
  void importsThatDoNotExistOrGoInCircles() {
    String missing = rejected(Source.ofText("main.fut", "import \"nowhere\""));
    assertTrue(missing.contains("Could not find file \"nowhere\""), missing);
    Source circle =
        Source.ofText("main.fut", "import \"a\"\ndef main = x")
            .withImports(
                Source.ImportResolver.of(
                    Map.of("a.fut", "import \"b\"", "b.fut", "import \"a\"\ndef x = 1i32")));
    String cycle = rejected(circle);
    assertTrue(cycle.contains("Import cycle"), cycle);
  }
}
