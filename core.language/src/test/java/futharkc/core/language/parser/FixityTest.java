package futharkc.core.language.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixityTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '"',
      value = {
        "a + b * c ~ (a + (b * c))",
        "a * b + c ~ ((a * b) + c)",
        "a - b - c ~ ((a - b) - c)",
        "a ** b ** c ~ ((a ** b) ** c)",
        "a * b ** c ~ (a * (b ** c))",
        "a << b + c ~ (a << (b + c))",
        "a & b << c ~ (a & (b << c))",
        "a == b & c ~ (a == (b & c))",
        "a && b == c ~ (a && (b == c))",
        "a || b && c ~ (a || (b && c))",
        "a <| b <| c ~ (a <| (b <| c))",
        "a |> b |> c ~ ((a |> b) |> c)",
        "a |> b <| c ~ (a |> (b <| c))",
        "a || b |> c ~ ((a || b) |> c)",
        "a `f` b + c ~ (a `f` (b + c))",
        "a |> b `f` c ~ ((a |> b) `f` c)",
        "a +^ b *^ c ~ (a +^ (b *^ c))",
        "a //. b - c ~ ((a //. b) - c)",
        "a M.+ b M.* c ~ (a M.+ (b M.* c))",
        "-a ** b ~ ((-(a)) ** b)",
        "-a.b + c ~ ((-(a.b)) + c)",
        "!f x && y ~ ((!(((f) (x)))) && y)",
        "f x + g y ~ (((f) (x)) + ((g) (y)))",
        "a with x = b |> c ~ ((a) with .x = ((b |> c)))",
        "a + b with x = c with y = d ~ (((((a + b)) with .x = (c))) with .y = (d))",
        "0..<n + 1 ~ ((0)..<((n + 1)))",
        "a `f` b..<c ~ (((a `f` b))..<(c))",
        "a + if b then c else d + e ~ (a + (if b then c else (d + e)))",
        "a + \\x -> b : t ~ (a + (\\x -> (b : t)))",
        "if a then b else if c then d else e : t ~ (if a then b else (if c then d else (e : t)))",
        "f x \\y -> y + 1 ~ ((f) (x) ((\\y -> (y + 1))))",
        "- if a then b else c + d ~ (-((if a then b else (c + d))))",
      })
  void groups(String source, String grouped) {
    assertEquals(grouped, Parsing.grouped(source));
  }
}
