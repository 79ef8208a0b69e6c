package futharkc.core.language.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticJson;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.PrimType;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParserTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "12, 12, ",
        "1_000i64, 1000, I64",
        "0xFFu8, 255, U8",
        "0b1_01, 5, ",
        "0rMCMXCIV, 1994, ",
        "0x1f32, 7986, ",
        "'a', 97, ",
        "'\\n', 10, ",
        "'\\'', 39, ",
        "'\\955', 955, ",
        "'λ', 955, ",
        "340282366920938463463374607431768211456, 340282366920938463463374607431768211456, "
      })
  void integers(String source, BigInteger value, PrimType suffix) {
    var literal = assertInstanceOf(Exp.IntLit.class, Parsing.exp(source));
    assertEquals(value, literal.value());
    assertEquals(suffix, literal.suffix());
  }

  @ParameterizedTest
  @CsvSource({
    "1.5, 1.5, ",
    "1f32, 1, F32",
    "1_0.2_5e-3f64, 10.25e-3, F64",
    "1e10, 1e10, ",
    "0x1.8p3, 0x1.8p3, ",
    "0xf.fp-1f16, 0xf.fp-1, F16"
  })
  void floats(String source, String text, PrimType suffix) {
    var literal = assertInstanceOf(Exp.FloatLit.class, Parsing.exp(source));
    assertEquals(text, literal.text());
    assertEquals(suffix, literal.suffix());
    assertTrue(Double.isFinite(Double.parseDouble(literal.text())));
  }

  @Test
  void bracketAfterNameIndexesAndAfterBlankIsAnArgument() {
    assertEquals("(a)[(i)]", Parsing.grouped("a[i]"));
    assertEquals("((a) ([i]))", Parsing.grouped("a [i]"));
    assertEquals("((f) ((a)[(i)]) ([i]))", Parsing.grouped("f a[i] [i]"));
  }

  @Test
  void numbersAfterDotsAreComponents() {
    assertEquals("((x).0).1", Parsing.grouped("x.0.1"));
    assertEquals("((0)..<(1))", Parsing.grouped("0..<1"));
  }

  @Test
  void minusInParentheses() {
    assertInstanceOf(Exp.Negate.class, ((Exp.Paren) Parsing.exp("(-x)")).exp());
    assertInstanceOf(Exp.Negate.class, ((Exp.Paren) Parsing.exp("(- x)")).exp());
    assertInstanceOf(Exp.OpSection.class, Parsing.exp("(-)"));
    assertInstanceOf(Exp.LeftSection.class, Parsing.exp("(x -)"));
    assertInstanceOf(Exp.RightSection.class, Parsing.exp("(* x)"));
  }

  @Test
  void adjacentLetsAreOneNode() {
    var let = assertInstanceOf(Exp.Let.class, Parsing.exp("let a = 1 let b = 2 in let c = 3 in a"));
    assertEquals(3, let.bindings().size());
  }

  @Test
  void assertionKeepsItsSource() {
    assertEquals("x % 2 != 0", ((Exp.Assert) Parsing.exp("assert (x % 2\n != 0) y")).text());
    assertEquals("ok", ((Exp.Assert) Parsing.exp("assert ok y")).text());
  }

  @Test
  void documentation() {
    var file =
        Parsing.file("-- | File.\n\n-- | First.\n-- More.\ndef x = 1\n-- plain\ndef y = 2\n");
    assertEquals("File.", file.doc().strip());
    assertEquals("First.\nMore.", ((Dec.Val) file.decs().get(0)).doc().strip());
    assertNull(((Dec.Val) file.decs().get(1)).doc());
  }

  @Test
  void locations() {
    var op = (Exp.BinOp) Parsing.exp("(2.0 + 3.0) /\n  (2 + 3i32)");
    assertEquals("test.fut:1:9-2:13", op.loc().toString());
    assertEquals("test.fut:1:21-22", op.opLoc().toString());
    assertEquals("test.fut:2:3-13", op.right().loc().toString());
  }

  @Test
  void everyDeclarationWithAnErrorIsReported() {
    var sink = new Diagnostics();
    var file =
        Parser.parse(
            "t",
            "t.fut",
            "def a = )\ndef b = 1\nmodule m = {\n  def c = in\n  def d = 2\n}\ndef e = let x = 1\n",
            sink);
    assertEquals(List.of(1, 4, 7), sink.errors().stream().map(d -> d.loc().line()).toList());
    assertEquals(1, file.decs().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "def f x = let y = x\\ndef g = 1 ~ Unexpected \"def\"; expected \"in\"",
        "def f x = let y = x ~ Unexpected end of file",
        "def f = 1 + ~ Unexpected end of file; expected an expression",
        "def f = 1 +\\ndef g = 2 ~ Unexpected token: 'def'; expected an expression",
        "def f = (1 + 2 ~ this bracket is not closed",
        "def f = if a then b ~ Every 'if' needs an 'else'",
        "def f = (1 -- | x\\n + 2) ~ are only permitted when preceding declarations",
        "def loop = 1 ~ 'loop' is a keyword",
        "def f = 0..5 ~ Use '...' for ranges",
        "def f = a[0] [1] ~ Incorrect syntax for multi-dimensional indexing",
        "def (a, b) = 1 ~ Cannot bind patterns at top level",
        "def x ! y = 1 ~ cannot be used as infix",
        "def a M.+ b = 1 ~ Cannot use a qualified name in binding position",
        "type t = #foo | bar ~ Unexpected token: 'bar'",
        "def f = \"abc ~ Unclosed string literal",
        "def f = a; b ~ Unexpected character ';'",
        "def f = \\\\x => x ~ Write '->'",
        "def f = f x.(1).(2) ~ Can only locally open module names",
        "def f = (a + b *) ~ Put parentheses around the operand",
        "def f = (1,) ~ cannot have exactly one component",
        "def f = (!) ~ Unexpected token: ')'; expected an expression",
        "def f = (!) ~ '!' is not a function",
        "def f = [1, !] ~ Unexpected token: ']'; expected an expression",
        "def f = {a = !} ~ Unexpected token: '}'; expected an expression",
        "def f = x in y ~ has no matching 'let'",
      })
  void messages(String source, String message) {
    String errors = Parsing.errors(source.replace("\\n", "\n").replace("\\\\", "\\"));
    assertTrue(errors.contains(message), errors);
  }

  @Test
  void errorTextShowsWhereItIs() {
    assertEquals(
        """
        Error at test.fut:2:9-10: [E0101]
        Unexpected token: ']'; expected ')'.

            2 |   (1 + 2]
              |         ^
            2 |   (1 + 2]
              |   - this bracket is not closed

        For more information, see: docs/reference/errors.md#e0101\
        """,
        Parsing.errors("def f =\n  (1 + 2]"));
  }

  @Test
  void referenceToErrorIndexComesLast() {
    String text =
        Diagnostic.error("E0601", Parsing.exp("x").loc(), "Bad.").hint("H").see("a-b").toString();
    String page = "For more information, see: docs/reference/errors.md#e0601\n";
    assertTrue(text.endsWith(page + "and " + Diagnostic.ERROR_INDEX + "#a-b"), text);
  }

  @Test
  void errorsAsJson() {
    var sink = new Diagnostics();
    Parser.parse("t", "a\\b.fut", "def f = )", sink);
    assertEquals(
        "[{\"severity\":\"error\",\"code\":\"E0101\",\"range\":{\"file\":\"a\\\\b.fut\",\"line\":1,"
            + "\"column\":9,\"endLine\":1,\"endColumn\":10},\"message\":\"Unexpected token: ')';"
            + " expected an expression.\",\"labels\":[],\"notes\":[],\"hint\":null,"
            + "\"page\":\"docs/reference/errors.md#e0101\",\"url\":null}]",
        DiagnosticJson.render(sink.all()));
  }
}
