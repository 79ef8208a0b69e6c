package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.ir.Program;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of the structure of derivatives: the chosen rule, the tape, and the absence of dead code.
 */
final class DerivativeStructureTest {
  private static final String PLAN = "inline,simplify,differentiate,simplify";

  private static String differentiated(String source) {
    DerivativeTrial trial = new DerivativeTrial();
    return Printer.print(trial.planned(trial.lowered(source), PLAN));
  }

  /** Returns all matches of a pattern's first group. */
  private static List<String> all(String pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher m = Pattern.compile(pattern).matcher(text);
    while (m.find()) {
      found.add(m.group(1));
    }
    return found;
  }

  /**
   * Checks the rule for each scan by the numbers of values that the scans of the derivative carry.
   * The first number is the scan of the program, unless only its sum matters. The next one is the
   * scan of the adjoint recurrence: 2 values for a scalar with its Jacobian, 3 for two equal
   * blocks, two scans for two different blocks. The scan of a sum carries 1 value. A dense Jacobian
   * needs the general rule's scan, with a flag and the values on both sides.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|f64.sum|scan (+) 0 xs",
        "1 2|f64.sum|scan (*) 1 xs",
        "2 3|\\r"
            + "s -> f64.sum (map (.1) rs)|scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip"
            + " xs xs)",
        "1 1 2 2|\\r"
            + "s -> f64.sum (map (\\(a, b) -> a * b) rs)|scan (\\(a, b) (c, d) -> (a * c, f64.max b"
            + " d)) (1, 0) (zip xs xs)",
        "1 2|\\rs -> f64.sum (flatten rs)|scan (map2 (*)) [1, 1] (map (\\x -> [x, x * x]) xs)",
        "2 5|\\r"
            + "s -> f64.sum (map (.1) rs)|scan (\\(a, b) (c, d) -> (a * c + b * d, a * d + b * c +"
            + " 2 * b * d)) (1, 0) (zip xs xs)",
      })
  void scansAreReversedByTheCheapestRule(String carried, String use, String scan) {
    String text =
        differentiated(
            "entry main [n] (xs: [n]f64) = vjp (\\xs -> (%s) (%s)) xs 1".formatted(use, scan));
    List<String> arities = new ArrayList<>();
    for (String neutral : all("\\bscan\\(\\{([^}]*)\\}", text)) {
      arities.add(String.valueOf(neutral.split(",").length));
    }
    assertEquals(carried, String.join(" ", arities), text);
  }

  /**
   * Checks that the tape of a loop has one entry per iteration; strip-mining replaces it by the
   * tapes of two shorter loops.
   */
  @Test
  void stripMiningShortensTheTape() {
    String loop = "loop a = x for _i < 10000i64 do f64.sin (a * x)";
    String plain = differentiated("entry main (x: f64) = vjp (\\x -> " + loop + ") x 1");
    String mined =
        differentiated("entry main (x: f64) = vjp (\\x -> #[stripmine(2)] " + loop + ") x 1");
    assertTrue(plain.contains("scratch([10000i64]"), plain);
    assertFalse(mined.contains("scratch([10000i64]"), mined);
    assertEquals(2, all("(scratch)\\(", mined).size(), mined);
  }

  /**
   * Checks that a while loop that exceeds the bound of its attribute reports an error instead of a
   * wrong derivative.
   */
  @Test
  void moreIterationsThanPromisedAreAnError() {
    DerivativeTrial trial = new DerivativeTrial();
    String source =
        """
        entry main (x: f64) =
          vjp (\\x -> (#[bound(3)] loop (a, i) = (x, 0i32) while a < 10 do (a * x, i + 1)).0) x 1
        """;
    Program after = trial.planned(trial.lowered(source), PLAN);
    Value three = Scalar.f64(2);
    assertEquals(
        List.of(Scalar.f64(4 * 8)),
        Interpreter.run(after, "main", List.of(three), Options.DEFAULT));
    Value six = Scalar.f64(1.5);
    var e =
        assertThrows(
            FutharkError.class,
            () -> Interpreter.run(after, "main", List.of(six), Options.DEFAULT));
    assertTrue(String.valueOf(e.getMessage()).contains("more iterations than the 3"));
  }

  /** Checks that a reduction to an extremum ignores NaNs, and so does its derivative. */
  @Test
  void theIndexOfAnExtremumIsThatOfANumber() {
    DerivativeTrial trial = new DerivativeTrial();
    String source =
        """
        entry main (xs: []f64) =
          (vjp f64.maximum xs 1, vjp f64.minimum xs 1, jvp f64.maximum xs xs, jvp f64.minimum xs xs)
        """;
    Program after = trial.planned(trial.lowered(source), PLAN);
    double[] xs = {Double.NaN, 2, Double.NaN, 2, Double.NaN};
    List<Value> results =
        Interpreter.run(
            after, "main", List.of(ArrayValue.vector(ElemType.F64, xs)), Options.DEFAULT);
    double[] second = {0, 1, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
      Object data = ((ArrayValue) results.get(i)).data();
      assertArrayEquals(second, Arrays.copyOf((double[]) data, second.length));
      assertEquals(Scalar.f64(2), results.get(i + 2));
    }
  }

  /**
   * Checks that the tape omits a loop parameter whose attribute states that the loop does not
   * overwrite its elements.
   */
  @Test
  void trueDependencesAreNotTaped() {
    String loop =
        """
        entry main [n] (x: f64) (ys: [n]f64) =
          vjp (\\x -> let (as, b) = loop (ATTR as, b) = (replicate (n + 1) x, x) for i < n do
                       let c = as[i] * b
                       in (as with [i + 1] = c * ys[i], f64.sin (b * c))
                     in b * as[n]) x 1
        """;
    String kept = differentiated(loop.replace("ATTR", ""));
    String promised = differentiated(loop.replace("ATTR", "#[true_dep]"));
    assertEquals(2, all("(scratch)\\(", kept).size(), kept);
    assertEquals(1, all("(scratch)\\(", promised).size(), promised);
  }

  /**
   * Checks that a map of which the program uses one element is differentiated at this element only.
   */
  @Test
  void oneElementOfAMapNeedsNoMap() {
    String text =
        differentiated(
            "entry main (xs: [100]f64) = vjp (\\xs -> (map (\\x -> f64.sin x * x) xs)[7]) xs 1");
    assertFalse(text.contains("screma"), text);
  }

  /** Checks that the attribute {@code #[unroll]} replaces the map over directions. */
  @Test
  void unrolledDirectionsNeedNoMap() {
    String source = "entry main (x: f64) = ATTR mjp (\\x -> f64.sin x * x) x [1, 2, 3]";
    assertTrue(differentiated(source.replace("ATTR", "")).contains("screma"));
    String unrolled = differentiated(source.replace("ATTR", "#[unroll]"));
    assertFalse(unrolled.contains("screma"), unrolled);
  }

  /** Checks that the derivative contains no computation of the function that it does not use. */
  @Test
  void nothingOfTheFunctionIsLeftThatNobodyNeeds() {
    String text =
        differentiated(
            "entry main [n] (xs: [n]f64) = vjp (\\xs -> f64.sum (map (\\x -> 3 * x) xs)) xs 1");
    assertFalse(text.contains("screma"), text);
    assertFalse(text.contains("fadd"), text);
  }
}
