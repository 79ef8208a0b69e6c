package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Scalar;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the text that programs print for {@code #[trace]}. */
final class TraceTest {
  private static final String PROGRAM =
      """
      entry main [n] (xs: [n]i32) (u: u8) (b: bool) =
        let ys = #[trace] map (+ 1) xs
        let _ = #[trace(v)] (u, b)
        let d = #[trace(d)] 0.1f64 + f64.bool b
        let m = #[trace(m)] transpose [xs, ys]
        let e = #[trace(e)] filter (> 100) (#[break] xs)
        in (d, m, e)
      """;

  private static final Compiler COMPILER = Compiler.create();

  private static List<String> traces(FutharkProgram program) {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(messages, true, StandardCharsets.UTF_8);
    try (Context context = Context.of(program, out).threads(2).build()) {
      var unused =
          context.run(
              program.entryPoints()[0],
              new ArrayValue(ElemType.I32, new long[] {3}, new int[] {1, 2, 3}),
              Scalar.u8((byte) 200),
              new Scalar(ElemType.BOOL, 1));
    }
    return messages.toString(StandardCharsets.UTF_8).lines().sorted().toList();
  }

  @Test
  void compiledProgramsPrintElementsInOrder() {
    List<String> expected =
        Stream.of(
                "t.fut:2:12-33: 2 3 4 ",
                "v: 200",
                "v: true",
                "d: 1.100000",
                "m: 1 2 2 3 3 4 ",
                "e: ")
            .sorted()
            .toList();
    List<String> targets = new ArrayList<>(List.of("c", "multicore"));
    targets.addAll(Devices.targets());
    Source source = Source.ofText("t.fut", PROGRAM);
    for (String target : targets) {
      CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target);
      assertEquals(expected, traces(COMPILER.compile(source, options).instance()), target);
    }
  }

  @Test
  void theInterpreterPrintsValues() {
    Source source = Source.ofText("t.fut", PROGRAM);
    var lowered = COMPILER.optimise(source, CompilerOptions.DEFAULT, null).program();
    List<String> expected =
        Stream.of(
                "t.fut:2:12-33: [2, 3, 4]",
                "v: 200",
                "v: true",
                "d: 1.1",
                "m: [[1, 2],",
                "    [2, 3],",
                "    [3, 4]]",
                "e: empty([0]i32)")
            .sorted()
            .toList();
    assertEquals(expected, traces(COMPILER.interpreted(lowered, "t")));
  }
}
