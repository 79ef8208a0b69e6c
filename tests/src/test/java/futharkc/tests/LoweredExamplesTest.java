package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the imperative programs for the examples. */
final class LoweredExamplesTest {
  private static final Path EXAMPLES = Path.of("../examples");

  /** The program that the launcher runs to make its class archive. */
  private static final Path TRAIN = Path.of("../dist/train.fut");

  @ParameterizedTest
  @MethodSource("examples")
  void textReadsBackAsItWas(Path file, String target) throws IOException {
    Ir lowered = lowered(file, target);
    String text = Printer.print(lowered);
    assertEquals(lowered, Parser.parseAny(file.toString(), text), () -> text);
    assertEquals(text, Printer.print(Parser.parseAny(file.toString(), text)));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void rulesAreKept(Path file, String target) throws IOException {
    assertEquals(List.of(), Verifier.violations(lowered(file, target)));
  }

  private static Ir lowered(Path file, String target) throws IOException {
    return Compiler.create()
        .optimise(Source.ofFile(file), CompilerOptions.DEFAULT.withTarget(target), null)
        .ir()
        .program();
  }

  static Stream<Arguments> examples() throws IOException {
    List<Arguments> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      for (Path f : files.filter(f -> f.toString().endsWith(".fut")).sorted().toList()) {
        for (String target : List.of("multicore", "c", "interpreter-gpu")) {
          all.add(Arguments.of(f, target));
        }
      }
    }
    for (String target : List.of("multicore", "cuda")) {
      all.add(Arguments.of(TRAIN, target));
    }
    assertFalse(all.isEmpty());
    return all.stream();
  }
}
