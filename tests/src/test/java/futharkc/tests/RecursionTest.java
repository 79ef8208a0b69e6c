package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Interpreter;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Program;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the interpreter keeps the calls of a deep recursion on its own stack. */
final class RecursionTest {
  private static final long DEEP = 300_000;

  @Test
  void callsInOperandsAndBranches() {
    String program =
        """
        def sum [n] (xs: [n]i64) (i: i64) : i64 = if i == n then 0 else xs[i] + sum xs (i + 1)
        def main (n: i64) : i64 = sum (iota n) 0
        """;
    assertEquals(DEEP * (DEEP - 1) / 2, run(program, DEEP));
  }

  @Test
  void mutualCallsInCases() {
    String program =
        """
        def down (odd: bool) (n: i64) : i64 =
          match (odd, n)
          case (false, 0) -> 0
          case (true, 0) -> 1
          case (o, m) -> let r = down (!o) (m - 1) in if r > 1000 then r - 1000 else r + 1
        def main (n: i64) : i64 = down false n
        """;
    long expected = 0;
    for (long i = 0; i < DEEP; i++) {
      expected = expected > 1000 ? expected - 1000 : expected + 1;
    }
    assertEquals(expected, run(program, DEEP));
  }

  /**
   * Calls from loops and array operations start on Java's stack and continue on the interpreter's
   * stack.
   */
  @Test
  void callsInLoopsAndMaps() {
    String program =
        """
        def f (n: i64) : i64 = if n <= 0 then 1 else f (n - 1) + 1
        def tree (n: i64) : i64 =
          if n <= 0 then 1
          else i64.sum (map (\\i -> tree (n - 1 - i)) (iota 2))
               + (loop x = 0 for i < 2 do x + tree (n - 2 - i))
        def main (n: i64) : i64 = tree 7 + i64.sum (map (\\i -> f (n - i)) (iota 3))
        """;
    long tree = tree(7);
    assertEquals(tree + 3 * DEEP, run(program, DEEP));
  }

  private static long tree(long n) {
    return n <= 0 ? 1 : tree(n - 1) + tree(n - 2) + tree(n - 2) + tree(n - 3);
  }

  @Test
  void errorsComeFromTheDepth() {
    String program =
        """
        def f [n] (xs: [n]i64) (i: i64) : i64 = if i > n then 0 else xs[i] + f xs (i + 1)
        def main (n: i64) : i64 = f (iota n) 0
        """;
    FutharkError error = assertThrows(FutharkError.class, () -> run(program, DEEP));
    assertTrue(String.valueOf(error.getMessage()).contains("Index [" + DEEP + "] out of bounds"));
  }

  private static long run(String text, long n) {
    Program program =
        Compiler.create()
            .optimise(
                Source.ofText("deep.fut", text), CompilerOptions.DEFAULT.withPasses("none"), null)
            .program();
    List<Value> result = Interpreter.run(program, "main", List.of(Scalar.i64(n)));
    return ((Scalar) result.getFirst()).asLong();
  }
}
