package futharkc.tests.kit;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Golden files of a pass: a program in {@code NAME.fir}, what the pass makes of it in {@code NAME.out.fir} beside it. With
 * {@code FUTHARKC_BLESS=1} in the environment, outputs are written instead of compared; continuous integration (where
 * {@code CI} is set) refuses that.
 */
public final class Golden {
  private static final String INPUT = ".fir";
  private static final String OUTPUT = ".out.fir";

  private Golden() {}

  /**
   * The programs in a folder, by name, in order.
   *
   * @param folder relative to the module's own, where Maven runs its tests: {@code src/test/golden}
   */
  public static List<Path> inputs(String folder) {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      List<Path> inputs =
          files
              .filter(f -> f.toString().endsWith(INPUT) && !f.toString().endsWith(OUTPUT))
              .sorted()
              .toList();
      if (inputs.isEmpty()) throw new AssertionError("no golden files in " + folder);
      return inputs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Applies a pass to a program, and compares the result with the golden one. Both programs must keep the rules of their
   * representations.
   *
   * @throws AssertionError if the output differs, or is missing
   */
  public static void check(Path input, UnaryOperator<Program> pass) {
    Program before = Parser.parse(input.toString(), read(input));
    Verifier.verify(before);
    Program after = pass.apply(before);
    Verifier.verify(after);
    String actual = Printer.print(after);
    String name = input.toString();
    Path output = Path.of(name.substring(0, name.length() - INPUT.length()) + OUTPUT);
    if (blessing()) {
      write(output, actual);
      return;
    }
    if (!Files.exists(output)) throw new AssertionError(output + " is missing; the pass gives:\n" + actual);
    String expected = Printer.print(Parser.parse(output.toString(), read(output)));
    if (!expected.equals(actual)) throw new AssertionError(difference(output, expected, actual));
  }

  private static boolean blessing() {
    if (System.getenv("FUTHARKC_BLESS") == null) return false;
    if (System.getenv("CI") != null) throw new AssertionError("outputs are not blessed in CI");
    return true;
  }

  private static String difference(Path file, String expected, String actual) {
    List<String> a = expected.lines().toList();
    List<String> b = actual.lines().toList();
    int i = 0;
    while (i < a.size() && i < b.size() && a.get(i).equals(b.get(i))) i++;
    return file
        + ": line "
        + (i + 1)
        + " differs\n- "
        + (i < a.size() ? a.get(i) : "(end)")
        + "\n+ "
        + (i < b.size() ? b.get(i) : "(end)")
        + "\nThe pass gives:\n"
        + actual;
  }

  private static String read(Path p) {
    try {
      return Files.readString(p);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path p, String text) {
    try {
      Files.write(p, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
