package futharkc.core.language.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.Exp;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the parser on long, deep and malformed programs. */
class RobustnessTest {
  private static final int LONG = 10_000;

  @Test
  void longChains() {
    var let = (Exp.Let) Parsing.exp(repeat("let x%d = f %d in ", "") + "x0");
    assertEquals(LONG, let.bindings().size());
    assertEquals(
        LONG, ((Exp.ArrayLit) Parsing.exp("[" + repeat("x%d + %d", ",") + "]")).elems().size());
    assertEquals(LONG, depth(Parsing.exp("a" + repeat(" + x%d", ""))));
    assertEquals(LONG, ((Exp.Apply) Parsing.exp("f" + repeat(" x%d", ""))).args().size());
    Parsing.exp(repeat("if x%d then %d else ", "") + "0");
    Parsing.exp(repeat("f%d <| ", "") + "0");
    Parsing.exp("0 :> " + repeat("[%d]", "") + "i32");
    Parsing.exp("0 :> " + repeat("i%d -> ", "") + "i32");
  }

  private static String repeat(String format, String separator) {
    return IntStream.range(0, LONG)
        .mapToObj(i -> String.format(format, i, i))
        .collect(Collectors.joining(separator));
  }

  private static int depth(Exp exp) {
    int depth = 0;
    for (; exp instanceof Exp.BinOp b; exp = b.left()) {
      depth++;
    }
    return depth;
  }

  @Test
  void hugeConstantOnOneLine() {
    String row = "[" + "1234.5f32,-7,".repeat(50) + "]";
    String text = "[" + (row + ",").repeat(15_000) + "]";
    assertTrue(text.length() > 9_000_000);
    var array =
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> (Exp.ArrayLit) Parsing.exp(text));
    assertEquals(15_000, array.elems().size());
    assertEquals("test.fut:1:10-662", array.elems().getFirst().loc().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(",
        "[",
        "{a = ",
        "f (\\x -> ",
        "\\x -> ",
        "if x then ",
        "let x = ",
        "match x case _ -> ",
        "a[",
        "(+ ",
        "loop x = ",
        "x : (",
        "x : #c (",
        "assert (",
        "#[a] (",
        "- (",
        "x : [(",
      })
  void deepNestingIsAnError(String opening) {
    String errors = Parsing.errors("def f = " + opening.repeat(5000));
    assertTrue(errors.contains("Nested too deeply"), errors);
  }

  /** Checks that the time until an error is about linear in the length of the nest. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "(",
        "{",
        "[1,",
        "[[1],",
        "[-",
        "(-",
        "{a = ",
        "if ",
        "if if ",
        "- ",
        "-",
        "!",
        "\\x -> ",
        "let x = [",
        "a[",
        "x : []",
        "x : {a:",
        "#c (",
        "f <| ",
        "(x,",
        "#[a] ",
        "a -> ",
        "(+ ",
        "`f` ",
        "module m = {",
        "def f (",
        "type t = {a: ",
        "local ",
        "open {"
      })
  void longNestsAreRefusedInLinearTime(String opening) {
    String text = "def f = " + opening.repeat(50_000);
    String errors = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Parsing.errors(text));
    assertTrue(errors.startsWith("Error at test.fut:1:"), errors);
  }

  @Test
  void constantsInsideOtherArraysAreOneToken() {
    String row = "[" + "1,".repeat(20) + "-2]";
    var rows = (Exp.ArrayLit) Parsing.exp("[" + row + "," + row + "]");
    assertEquals(List.of(21, 21), lengths(rows));
    var mixed = (Exp.ArrayLit) Parsing.exp("[" + row + ", x, " + row + ", [1, [2]], " + row + "]");
    assertEquals(5, mixed.elems().size());
    assertEquals(21, ((Exp.ArrayLit) mixed.elems().get(4)).elems().size());
    assertFalse(Parsing.errors("def f = [" + "1,".repeat(20) + ",2]").isEmpty());
    assertEquals(21, ((Exp.ArrayLit) Parsing.exp("[" + "1,".repeat(20) + "-x]")).elems().size());
  }

  private static List<Integer> lengths(Exp.ArrayLit array) {
    return array.elems().stream().map(e -> ((Exp.ArrayLit) e).elems().size()).toList();
  }

  @Test
  void nestingUpToTheLimitIsFine() {
    Parsing.exp("(".repeat(990) + "x" + ")".repeat(990));
    Parsing.exp("[".repeat(990) + "x" + "]".repeat(990));
    Parsing.exp("if a then ".repeat(990) + "x" + " else y".repeat(990));
    Parsing.exp("\\x -> ".repeat(990) + "x");
  }

  @Test
  void lambdasBesideEachOtherDoNotNest() {
    Parsing.exp("(" + "\\x -> x, ".repeat(2000) + "y)");
    Parsing.exp("let f = \\x -> x ".repeat(2000) + "in f");
    Parsing.exp("let f = \\x -> x in ".repeat(2000) + "f");
    Parsing.exp("match x " + "case 1 -> \\x -> x ".repeat(2000));
  }

  /** Parses programs with random changes: the parser neither crashes nor hangs. */
  @ParameterizedTest
  @ValueSource(strings = {"expressions.fut", "modules.fut"})
  void brokenPrograms(String program) {
    String text = Parsing.resource(program);
    var random = new Random(20);
    List<String> pieces =
        List.of(
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "let ",
            "in ",
            "if ",
            "else ",
            "match ",
            "case ",
            "->",
            "=",
            ":",
            "..",
            "#[",
            "#x ",
            "'",
            "\"",
            "\\",
            ",",
            "-",
            "--",
            "-- |",
            "with ",
            "def ",
            "module ",
            "\n",
            "1",
            "x",
            "?",
            "`",
            "\uD83D\uDE00",
            "\u0000");
    for (int i = 0; i < 500; i++) {
      String mutant = text;
      for (int n = random.nextInt(4); n >= 0; n--) {
        mutant = mutate(mutant, pieces, random);
      }
      String broken = mutant;
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> Parser.parse("t", "t.fut", broken, new Diagnostics()),
          () -> broken);
    }
  }

  private static String mutate(String text, List<String> pieces, Random random) {
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + random.nextInt(12));
    return switch (random.nextInt(4)) {
      case 0 -> text.substring(0, from) + text.substring(to);
      case 1 ->
          text.substring(0, from)
              + pieces.get(random.nextInt(pieces.size()))
              + text.substring(from);
      case 2 -> text.substring(0, to) + text.substring(from);
      default -> {
        int at = random.nextInt(text.length());
        yield text.substring(0, at) + text.substring(from, to) + text.substring(at);
      }
    };
  }

  @Test
  void invisibleCharactersAreNamed() {
    assertTrue(Parsing.errors("\uFEFFdef x = 1").contains("Unexpected character U+FEFF."));
    assertTrue(Parsing.errors("def x = 1 \0 + 1").contains("Unexpected character U+0000."));
  }
}
