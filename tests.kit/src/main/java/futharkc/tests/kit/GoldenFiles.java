package futharkc.tests.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The runner of golden tests of one pass. A file {@code NAME.fir}, or {@code NAME.imp} for an
 * imperative program, holds a program in text form, a line {@code =====}, and the program after the
 * pass. The verifier accepts both programs. Comment lines {@code -- option: name=value} before the
 * program set options of the pass.
 *
 * <p>With {@code FUTHARKC_BLESS=1} in the environment the runner overwrites the expected program
 * with the actual one. The runner refuses this if {@code CI} is set.
 */
public final class GoldenFiles {
  private static final String SEPARATOR = "=====\n";

  private GoldenFiles() {}

  /**
   * Returns one test for each golden file in a folder below {@code src/test/resources} of the
   * module under test.
   */
  public static Stream<DynamicTest> in(String folder, Pass pass) {
    Path dir = Path.of("src/test/resources", folder);
    try (Stream<Path> files = Files.list(dir)) {
      List<Path> golden = files.filter(GoldenFiles::isGolden).sorted().toList();
      assertFalse(golden.isEmpty(), "the folder " + dir + " has no golden files");
      return golden.stream()
          .map(
              f ->
                  DynamicTest.dynamicTest(
                      f.getFileName().toString(), f.toUri(), () -> check(f, pass)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isGolden(Path file) {
    return file.toString().endsWith(".fir") || file.toString().endsWith(".imp");
  }

  private static void check(Path file, Pass pass) throws IOException {
    String text = Files.readString(file);
    int at = text.indexOf(SEPARATOR);
    String input = at < 0 ? text : text.substring(0, at);
    String expected = at < 0 ? "" : text.substring(at + SEPARATOR.length());
    Ir program = Parser.parseAny(file.toString(), input);
    Verifier.verify(program);
    Ir after =
        switch (program) {
          case Program p when pass instanceof Pass.Lowering l ->
              l.run(p, new RecordingContext(pass, options(input)));
          case Program p -> run(pass, p, options(input));
          case ImperativeProgram p -> run(pass, p, options(input));
        };
    Verifier.verify(after);
    Verifier.verifyMemory(after);
    String actual = Printer.print(after);
    assertEquals(
        actual,
        Printer.print(Parser.parseAny("printed", actual)),
        "the text form does not parse back to the same program");
    if (isBlessed(expected, actual)) {
      Files.writeString(file, input + SEPARATOR + actual);
      return;
    }
    assertEquals(expected, actual);
  }

  /**
   * Compares the text of a generated file with its expected text, or writes the file under {@code
   * FUTHARKC_BLESS=1}.
   *
   * @throws IOException if the file cannot be read or written
   */
  public static void compare(Path file, String actual) throws IOException {
    String expected = Files.exists(file) ? Files.readString(file) : "";
    if (isBlessed(expected, actual)) {
      Files.writeString(file, actual);
      return;
    }
    assertEquals(
        expected,
        actual,
        () -> file + " is out of date; run this test with FUTHARKC_BLESS=1 to rewrite it");
  }

  private static boolean isBlessed(String expected, String actual) {
    if (!"1".equals(System.getenv("FUTHARKC_BLESS")) || actual.equals(expected)) {
      return false;
    }
    assertFalse(System.getenv("CI") != null, "golden files must not be blessed in CI");
    return true;
  }

  private static Map<String, String> options(String input) {
    Map<String, String> options = new HashMap<>();
    input
        .lines()
        .filter(l -> l.startsWith("-- option: "))
        .map(l -> l.substring("-- option: ".length()).split("=", 2))
        .forEach(o -> options.put(o[0], o[1]));
    return options;
  }

  /**
   * Runs a pass on a program. Options that {@code options} does not name have their declared
   * defaults.
   */
  public static Program run(Pass pass, Program program, Map<String, String> options) {
    PassContext context = new RecordingContext(pass, options);
    return switch (pass) {
      case Pass.OnProgram p -> p.run(program, context);
      case Pass.OnFunction p -> {
        Program start = p.runOnConstants(program, context);
        Map<String, FunDef> functions = new LinkedHashMap<>();
        start.functions().forEach((name, f) -> functions.put(name, p.run(f, start, context)));
        yield start.withFunctions(functions);
      }
      case Pass.Lowering p -> throw new IllegalArgumentException("not a pass on arrays: " + p);
      case Pass.OnImperative p -> throw new IllegalArgumentException("not a pass on arrays: " + p);
      case Pass.OnImperativeProgram p ->
          throw new IllegalArgumentException("not a pass on arrays: " + p);
    };
  }

  /**
   * Runs a pass on an imperative program. Options that {@code options} does not name have their
   * declared defaults.
   */
  public static ImperativeProgram run(
      Pass pass, ImperativeProgram program, Map<String, String> options) {
    PassContext context = new RecordingContext(pass, options);
    return switch (pass) {
      case Pass.OnImperativeProgram p -> p.run(program, context);
      case Pass.OnImperative p ->
          program.with(
              p.run(program.initialise(), program, context),
              program.functions().stream().map(f -> p.run(f, program, context)).toList());
      case Pass.OnProgram p ->
          throw new IllegalArgumentException("not on imperative programs: " + p);
      case Pass.OnFunction p ->
          throw new IllegalArgumentException("not on imperative programs: " + p);
      case Pass.Lowering p ->
          throw new IllegalArgumentException("not on imperative programs: " + p);
    };
  }
}
