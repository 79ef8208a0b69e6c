package futharkc.harness.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTest {
  private static final ValueType I64 = new ValueType.Prim(ElemType.I64);
  private static final ValueType F32 = new ValueType.Prim(ElemType.F32);
  private static final ValueType I64S = new ValueType.Array(ElemType.I64, 1);
  private static final ValueType U8S = new ValueType.Array(ElemType.U8, 1);
  private static final ValueType PAIR =
      new ValueType.Opaque(
          "pair",
          new ValueType.Record(new ValueType.Field("0", I64), new ValueType.Field("1", I64S)));
  private static final ValueType POINT =
      new ValueType.Opaque(
          "point",
          new ValueType.Record(new ValueType.Field("x", I64), new ValueType.Field("y", F32)));

  @TempDir private Path folder = Path.of("");

  private static final class Program extends FutharkProgram {
    private static EntryPoint entry(
        String name, ValueType result, BinaryOperator<Value[]> body, ValueType... params) {
      EntryPoint.Parameter[] parameters = new EntryPoint.Parameter[params.length];
      for (int i = 0; i < params.length; i++) {
        parameters[i] = new EntryPoint.Parameter("", params[i], name.startsWith("consume"));
      }
      String[] none = {};
      return new EntryPoint(name, parameters, result, true, none, none) {
        @Override
        public Value[] call(Context ctx, Value[] args) {
          return body.apply(args, args);
        }
      };
    }

    @Override
    public String name() {
      return "script";
    }

    @Override
    public String backend() {
      return "none";
    }

    @Override
    public EntryPoint[] entryPoints() {
      BinaryOperator<Value[]> same = (args, _) -> args;
      return new EntryPoint[] {
        entry(
            "add",
            I64,
            (a, _) -> new Value[] {Scalar.i64(((Scalar) a[0]).asLong() + ((Scalar) a[1]).asLong())},
            I64,
            I64),
        entry("pair", PAIR, same, I64, I64S),
        entry("first", I64, (a, _) -> new Value[] {a[0]}, PAIR),
        entry("point", POINT, same, POINT),
        entry("bytes", U8S, same, U8S),
        entry("take", I64S, same, I64, I64S),
        entry(
            "consume",
            I64S,
            (a, _) -> {
              ((long[]) ((ArrayValue) a[0]).data())[0] = 42;
              return a;
            },
            I64S)
      };
    }
  }

  private String arguments(String entryPoint, String script) throws ScriptException {
    Program program = new Program();
    try (Context ctx =
        Context.of(program, new PrintStream(OutputStream.nullOutputStream()))
            .threads(1)
            .debugging(true)
            .build()) {
      Ownership owner = new Ownership(ctx.values());
      for (EntryPoint entry : program.entryPoints()) {
        if (entry.name().equals(entryPoint)) {
          Value[] args =
              new ScriptEvaluator(ctx, owner, folder).arguments(entry, ScriptParser.parse(script));
          List<String> texts = new ArrayList<>();
          for (Value arg : args) {
            for (Value part : Opaques.parts(arg)) {
              texts.add(ValueText.of(part));
            }
            owner.drop(arg);
          }
          assertEquals(0, ctx.memory().liveBytes());
          return String.join(" ", texts);
        }
      }
      throw new AssertionError(entryPoint);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          add   | (1, 2i64)                            | 1i64 2i64
          add   | (add 1 2, add (3, 4))                | 3i64 7i64
          add   | let x = add 1 2 let y = 5 in (x, y)  | 3i64 5i64
          add   | let (a, b) = pair 7 [1, 2] in (a, b[1]) | 7i64 2i64
          first | pair 7 [1, 2]                        | 7i64 [1i64, 2i64]
          first | (7i64, [1])                          | 7i64 [1i64]
          take  | pair 7 [1, 2]                        | 7i64 [1i64, 2i64]
          take  | let a = [5i64] in (2, consume a)     | 2i64 [42i64]
          take  | let a = [5i64] let b = consume a in (2, a) | 2i64 [5i64]
          point | {y = 2.5f32, x = (first (1, [3])) }  | 1i64 2.5f32
          point | point {x=1, y=2}                     | 1i64 2.0f32
          add   | let p = point {x=1,y=2} in (p.x, (pair 8 [1]).0) | 1i64 8i64
          bytes | "a\\"b"                              | [97u8, 34u8, 98u8]
          consume | let a = [1i64] in a                | [1i64]
          """)
  void evaluates(String entryPoint, String script, String arguments) throws ScriptException {
    assertEquals(arguments, this.arguments(entryPoint, script));
  }

  @Test
  void readsFiles() throws IOException, ScriptException {
    Files.writeString(folder.resolve("some.in"), "3i64 [4i64]");
    assertEquals("3i64 [4i64]", arguments("take", "$loaddata \"some.in\""));
    assertEquals("3i64 [4i64]", arguments("first", "$restore \"pair\" \"some.in\""));
    Files.writeString(folder.resolve("raw"), "hi");
    assertEquals("[104u8, 105u8]", arguments("bytes", "$loadbytes \"raw\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          (1, 2          | expected ',', got the end
          add 1          | expected values of type (i64, i64) for entry point add, got i64 -> i64
          nope 1         | unknown entry point: nope
          let x = 1 in x 2 | x is not a function
          (1, 2, 3)      | expected values of type (i64, i64) for entry point add, got (i32, i32, i32)
          (1, 2.5)       | expected values of type (i64, i64) for entry point add, got (i32, f64)
          let (a, b) = 1 in a | the pattern (a, b) does not match a value of type i32
          {a=1, a=2}     | field a occurs twice
          $nope 1        | unknown built-in function or wrong number of arguments: $nope
          let a = [1] in (a[1], 2) | Index 1 out of bounds for dimension 0 of size 1
          let a = 1 in (a[1], 2)   | a value of type i32 is not an array
          1 + 2          | expected the end, got '+'
          let x 1        | expected '=', got '1'
          """)
  void mistakes(String script, String message) {
    ScriptException e = assertThrows(ScriptException.class, () -> arguments("add", script));
    assertEquals(message, e.getMessage());
  }

  @Test
  void wrongArgumentsAreListed() {
    ScriptException e = assertThrows(ScriptException.class, () -> arguments("add", "add 1i64 2.5"));
    assertEquals(
        "Function \"add\" expects 2 argument(s) of types:\ni64\ni64\n"
            + "But applied to 2 argument(s) of types:\ni64\nf64",
        e.getMessage());
  }

  @Test
  void partialApplicationsAreFunctions() throws ScriptException {
    assertEquals("3i64 4i64", arguments("add", "let f = add 1 in (f 2, add 1 3)"));
  }

  @Test
  void deepNestingIsRefused() {
    ScriptException e =
        assertThrows(ScriptException.class, () -> ScriptParser.parse("(".repeat(100_000)));
    assertTrue(String.valueOf(e.getMessage()).contains("too deeply"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f (g 1i32 [1.0f64, 2.0f64]) x.y",
        "let (a, b) = f {x=1i32, y=()} in ($loaddata \"a b\", a[1i32])"
      })
  void printsAsItReads(String script) throws ScriptException {
    assertEquals(script, ScriptParser.parse(script).text());
  }
}
