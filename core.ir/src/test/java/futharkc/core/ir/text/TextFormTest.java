package futharkc.core.ir.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TextFormTest {
  @ParameterizedTest
  @ValueSource(strings = {"soacs", "mc-mem", "gpu-mem"})
  void aPrintedProgramPrintsTheSameAfterParsing(String name) {
    String text = resource(name + ".fir");
    assertEquals(text, Printer.print(Parser.parse(name, text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mc-imp", "gpu-imp"})
  void aPrintedImperativeProgramPrintsTheSameAfterParsing(String name) {
    String text = resource(name + ".imp");
    assertEquals(text, Printer.print(Parser.parseImperative(name, text)));
  }

  @Test
  void useOfUndeclaredVariableStatesType() {
    String text =
        """
        fun f(x_1: f32) next 9 {
          {
            var y_2: i32 = x_1: i32
            x_1 = sitofp_i32_f32(y_2)
          }
          zs_3: []f32[y_2] = x_1
          return (y_2: i32, zs_3: []f32)
        }\
        """;
    ImperativeProgram p =
        Parser.parseImperative("f", "#futhark-ir seq-imp v1\n" + text.replace(" next 9", ""));
    assertEquals(text.replace("next 9", "next 4"), Printer.print(p.functions().get(0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x_1 = y_2 | 3:7: y_2 is not declared; state its type, as in y_2: i64",
        "{ var x_1: i32 } y_2 = x_1 | 3:24: x_1 is not declared; state its type, as in"
            + " x_1: i64",
        "n_0[4] = 1i64 | 3:1: n_0 is a scalar, not a block",
        "n_0 = b_0 | 3:7: b_0 is not declared; state its type, as in b_0: i64",
        "n_0 = xs_9: []i64 | 3:19: expected '[', found 'return'",
        "var x_1: i32 = frob(1i32) | 3:16: unknown operation frob",
        "frob(1i32) | 3:1: unknown statement frob",
        "for i_1: i64 { } | 3:14: expected '<', found '{'",
        "parallel p(c_1, from_2) over 1i64 in 1i64 {} | 3:11: a region has three names: chunk,"
            + " first index, and index after the last",
      })
  void malformedStatementsAreRejectedAtTheirPosition(String line, String message) {
    String text = "#futhark-ir mc-imp v1\nfun f(n_0: i64) {\n" + line + " return ()}";
    ParseException e =
        assertThrows(ParseException.class, () -> Parser.parseImperative("f.imp", text));
    assertEquals("f.imp:" + message, e.getMessage());
  }

  @Test
  void aProgramOfTheOtherKindIsRejected() {
    assertEquals(
        "f:1:1: expected a program of arrays, found one in seq-imp",
        assertThrows(ParseException.class, () -> Parser.parse("f", "#futhark-ir seq-imp v1\n"))
            .getMessage());
    assertEquals(
        "f:1:1: expected an imperative program, found one in seq",
        assertThrows(
                ParseException.class, () -> Parser.parseImperative("f", "#futhark-ir seq v1\n"))
            .getMessage());
  }

  @Test
  void omittedNextNumberIsComputed() {
    String text =
        """
        #futhark-ir seq v1
        -- A comment.
        fun f(x_7: i32) -> (r_8: i32) = {let {y_41: i32} = x_7 in {y_41}}
        """;
    Program p = Parser.parse("f", text);
    assertEquals(42, Objects.requireNonNull(p.functions().get("f")).nextTag());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "let {x: i32} = 1i32 | 3:6: expected a name, such as x_12, found 'x'",
        "let {x_1: i32} = 1 | 3:18: a constant needs a type, as in 1i64",
        "let {x_1: i32} = 300i8 | 3:18: 300 is not in the range of i8",
        "let {x_1: i32} = add_i32(1i32) | 3:18: add_i32 takes 2 operands, not 1",
        "let {x_1: i32} = frob(1i32) | 3:18: unknown operation frob",
        "let {x_1: i32} = \"abc | 3:18: no closing \"",
        "let {x_1: i32 = 1i32 | 3:15: expected ',' or '}', found '='",
        "let {x_1: i32} = 1i32 let | 4:3: expected '{', found 'in'",
        "let {x_1: [n_2]i32 @ m_3} = 1i32 | 3:25: expected '->', found '}'",
      })
  void malformedTextIsRejectedAtItsPosition(String line, String message) {
    String text = "#futhark-ir seq v1\nfun f() -> () = {\n" + line + "\n  in {}}";
    ParseException e = assertThrows(ParseException.class, () -> Parser.parse("f.fir", text));
    assertEquals("f.fir:" + message, e.getMessage());
  }

  @Test
  void anUnknownHeaderIsRejected() {
    ParseException e =
        assertThrows(ParseException.class, () -> Parser.parse("f.fir", "#futhark-ir cpu v1\n"));
    assertEquals(
        "f.fir:1:1: expected a first line such as '#futhark-ir soacs v1', found '#futhark-ir cpu"
            + " v1'",
        e.getMessage());
  }

  @Test
  void longChainOfStatementsIsParsed() {
    StringBuilder s =
        new StringBuilder("#futhark-ir seq v1\n\nfun f(x_0: i32) -> (r_1: i32) next 100002 = {\n");
    for (int i = 1; i <= 100_000; i++) {
      int operand = i == 1 ? 0 : i;
      s.append("  let {x_" + (i + 1) + ": i32} = add_i32(x_" + operand + ", 1i32)\n");
    }
    s.append("  in {x_100001}\n}\n");
    assertEquals(s.toString(), Printer.print(Parser.parse("f", s.toString())));
  }

  static String resource(String name) {
    try (InputStream in = TextFormTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
