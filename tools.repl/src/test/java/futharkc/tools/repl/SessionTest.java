package futharkc.tools.repl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SessionTest {
  private static final Compiler COMPILER = Compiler.create();

  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(messages, true, StandardCharsets.UTF_8);
  private final Session session = Session.empty(COMPILER, Path.of(""), false);

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      quoteCharacter = '`',
      value = {
        "1 + 1 @ 2",
        "200u8 @ 200",
        "0f64/0 @ f64.nan",
        "-1f32/0 @ -f32.inf",
        "0.5 @ 0.5",
        "{b = [true], a = (1u8, -2i64)} @ {a = (1, -2), b = [true]}",
        "(#some 3 : #some i32 |#none) @ #some 3",
        "[(1, #a : #a |#b)] @ [(1, #a)]",
        "(filter (> 2) (iota 2)) @ empty([0]i64)",
        "[[1, 2], [3, 4]] @ `[[1, 2],\n [3, 4]]`",
        "\\(x: i32) -> x @ <function: i32 -> i32>",
        "(1, \\(x: i32) -> x) @ (1, <function: i32 -> i32>)",
        "() @ ()",
      })
  void valuesOfAllTypesAreShown(String expression, String value) throws SessionException {
    assertEquals(value, session.evaluate("[0]", expression, out));
  }

  @Test
  void inputsDefineAndRedefineNames() throws SessionException {
    session.define("[0]", "def x = 1i32", out);
    session.define("[1]", "def y = x + 1", out);
    session.define("[2]", "local def x = 10i32", out);
    session.define("[3]", "entry f (z: i32) = z + y", out);
    session.define("[4]", "type t = {v: i32}", out);
    assertEquals("(10, 2, 12)", session.evaluate("[5]", "(x, y, f x)", out));
    assertEquals("{v = 3}", session.evaluate("[6]", "{v = 3} : t", out));
    assertTrue(session.names().containsAll(java.util.List.of("x", "y", "f", "t")));
  }

  @Test
  void aRejectedDefinitionLeavesNoTrace() throws SessionException {
    session.define("[0]", "def x = 1i32", out);
    SessionException e =
        assertThrows(
            SessionException.class, () -> session.define("[1]", "def y =\n  x + true", out));
    assertTrue(e.getMessage().contains("Error at [1]:2:7-11: [E0401]"), e.getMessage());
    assertTrue(e.getMessage().contains("    2 |   x + true"), e.getMessage());
    e = assertThrows(SessionException.class, () -> session.define("[2]", "def z = 1 / 0i32", out));
    assertTrue(e.getMessage().contains("[2]:1:9-17"), e.getMessage());
    assertThrows(SessionException.class, () -> session.evaluate("[3]", "y", out));
    assertThrows(SessionException.class, () -> session.evaluate("[3]", "z", out));
  }

  @Test
  void definitionsOfTheProgramAreInScopeEvenIfLocal() throws SessionException {
    Session other =
        Session.ofProgram(
            COMPILER,
            Source.ofText("p.fut", "local def secret = 42i32\nentry main (x: i32) = x / secret"),
            false);
    assertEquals("42", other.evaluate("[0]", "secret", out));
    SessionException e =
        assertThrows(SessionException.class, () -> other.evaluate("[1]", "mian 3", out));
    assertTrue(e.getMessage().startsWith("Error at [1]:1:1-5"), e.getMessage());
    other.define("[2]", "def secret = 0i32", out);
    assertEquals("1", other.evaluate("[3]", "main 42 + secret", out));
  }

  @Test
  void tracesHavePositionsInTheInput() throws SessionException {
    assertEquals("3", session.evaluate("[7]", "2 + #[trace] 1", out));
    assertTrue(
        messages.toString(StandardCharsets.UTF_8).startsWith("[7]:1:"),
        messages.toString(StandardCharsets.UTF_8));
  }

  @Test
  void typesAreShown() throws SessionException {
    assertEquals("i32", session.type("[0]", "1 + 2"));
    assertTrue(session.type("[0]", "\\x -> x").contains("Polymorphic in '"));
    String type = session.moduleType("[0]", "{ type t = i32 def x : t = 3 def f 'a (y: a) = y }");
    assertEquals("{\n  type t = i32\n  val x: i32\n  val f 'a: a -> a\n}", type);
    assertThrows(SessionException.class, () -> session.moduleType("[0]", "nothing"));
  }

  @Test
  void anAmbiguousTypeIsNoValue() {
    SessionException e =
        assertThrows(SessionException.class, () -> session.evaluate("[0]", "[]", out));
    assertTrue(e.getMessage().contains("ambiguous"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"def f x =", "let x = 1", "1 +", "(1,", "map (\\x -> x", "if true then 1"})
  void inputsThatMustContinue(String input) {
    assertEquals(!input.equals("let x = 1"), Repl.isIncomplete(input));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 + 1", "1 + )", "def f = 3", ":type (", "", "f x"})
  void inputsThatAreComplete(String input) {
    assertFalse(Repl.isIncomplete(input));
  }
}
