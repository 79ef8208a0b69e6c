package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.ProgramRejectedException;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import futharkc.tests.kit.source.RandomProgram;
import java.io.IOException;
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

/** Broken programs are rejected with a message, long ones compiled. */
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
