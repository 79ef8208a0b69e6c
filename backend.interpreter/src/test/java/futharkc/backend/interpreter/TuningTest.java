package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.Scalar;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/**
 * A test that tuning parameters of interpreted programs are set like those of compiled programs.
 */
final class TuningTest {
  private static final String PROGRAM =
      """
      #futhark-ir soacs v1
      entry "main" ("x": i64) -> i64
      fun main(x_0: i64) -> (res_1: i64) = {
        let {n_2: i64} = user_param("n", x_0)
        in {n_2}
      }
      """;

  @Test
  void parametersAreSetInTheContext() {
    InterpretedProgram program = new InterpretedProgram(Parser.parse("t", PROGRAM), "t");
    Context.Builder builder = Context.of(program, new PrintStream(OutputStream.nullOutputStream()));
    assertFalse(builder.tuning("m", 1));
    assertTrue(builder.tuning("n", 7));
    try (Context ctx = builder.build()) {
      var entry = program.entryPoints()[0];
      assertEquals(Scalar.i64(7), ctx.run(entry, Scalar.i64(2)));
      ctx.setTuning("n", 0);
      assertEquals(Scalar.i64(2), ctx.run(entry, Scalar.i64(2)));
    }
  }
}
