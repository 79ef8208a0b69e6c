package futharkc.pass.differentiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Metrics;
import futharkc.core.ir.Program;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.tests.kit.GoldenFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DifferentiationTest {
  private static final String FOLDER = "futharkc/pass/differentiation";

  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in(FOLDER, new DifferentiationPass());
  }

  private static Program input(String name) {
    try {
      String text = Files.readString(Path.of("src/test/resources", FOLDER, name + ".fir"));
      return Parser.parse(name, text.substring(0, text.indexOf("=====")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Program differentiated(Program p) {
    Program after = GoldenFiles.run(new DifferentiationPass(), p, Map.of());
    Verifier.verify(after);
    return after;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nested", "custom", "call", "directions", "scatter", "loop-in-place"})
  void noOperatorStays(String name) {
    Set<String> nodes = Metrics.names(differentiated(input(name)));
    assertFalse(nodes.contains("JVP") || nodes.contains("VJP") || nodes.contains("WithVJP"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nested", "map-free", "loop-tape", "call"})
  void whatIsDifferentiatedStaysAsItIs(String name) {
    Program once = differentiated(input(name));
    Program twice = differentiated(once);
    once.functions().forEach((f, def) -> assertSame(def, twice.functions().get(f)));
  }

  @Test
  void theSameInputGivesTheSameOutput() {
    String first = Printer.print(differentiated(input("loop-in-place")));
    assertEquals(first, Printer.print(differentiated(input("loop-in-place"))));
  }

  /**
   * Tests a convention that the interpreter lacks, so that no golden file can contain this program.
   */
  @Test
  void theSizeOfAnIotaHasTheSumOfItsElements() {
    String text =
        """
        #futhark-ir soacs v1

        fun main(n_0: i64, seed_1: [n_0]i64) -> (res_2: i64) next 20 = {
          let {y_3: [n_0]i64, d_4: i64} = vjp([], {n_0}, {seed_1})
              \\{k_5: i64} -> {[n_0]i64} {
                let {is_6: [k_5]i64} = iota_i64(k_5, 0i64, 1i64)
                let {all_7: [n_0]i64} = coerce([n_0], is_6)
                in {all_7}
              }
          in {d_4}
        }
        """;
    String after = Printer.print(differentiated(Parser.parse("iota", text)));
    assertTrue(after.contains("reduce_comm({0i64})"), after);
  }

  /** Tests that the tape holds overwritten elements, not the array. */
  @Test
  void noTapeHoldsWholeArrays() {
    String text = Printer.print(differentiated(input("loop-in-place")));
    assertTrue(text.contains("_tape_"), text);
    assertFalse(text.matches("(?s).*_tape_[0-9]+: \\*?\\[[^\\]]*\\]\\[.*"), text);
  }

  @Test
  void whatCannotBeDifferentiatedSaysSo() {
    String text =
        """
        #futhark-ir soacs v1
        fun f(n_0: i64, x_1: [n_0]f64, y_2: [n_0]f64) -> (d_3: [n_0]f64) next 40 = {
          let {r_4: [n_0]f64, d_5: [n_0]f64} = vjp([], {x_1}, {y_2}) \\{a_6: [n_0]f64} -> {[n_0]f64} {
            let {b_7: [n_0]f64} = replicate([], a_6)
            let {c_8: [n_0]f64} = with_acc acc([n_0], {b_7}, {1.0f64})
                \\{i_9: i64, p_10: f64, q_11: f64} -> {f64} {
                  let {m_12: f64} = fmul_f64(p_10, q_11)
                  in {m_12}
                }
                do \\{t_13: unit, acc_14: acc(t_13, [n_0], {f64})} -> {acc(t_13, [n_0], {f64})} {
                  let {acc_15: acc(t_13, [n_0], {f64})} = update_acc(acc_14, [0i64], {2.0f64})
                  in {acc_15}
                }
            in {c_8}
          }
          in {d_5}
        }
        """;
    Program p = Parser.parse("f", text);
    Verifier.verify(p);
    var e = assertThrows(PassException.class, () -> differentiated(p));
    assertTrue(String.valueOf(e.getMessage()).contains("operator is not a sum"), e.getMessage());
  }
}
