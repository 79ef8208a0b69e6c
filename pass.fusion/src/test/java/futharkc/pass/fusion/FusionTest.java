package futharkc.pass.fusion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Soac;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import futharkc.tests.kit.RecordingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FusionTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/fusion", new FusionPass());
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-map-reduce", "map-scan-map", "horizontal", "nested"})
  void findsNothingMoreTheSecondTime(String name) {
    Program once = fuse(program(name), context(-1));
    assertSame(once.functions().get("main"), fuse(once, context(-1)).functions().get("main"));
  }

  @ParameterizedTest
  @CsvSource({
    "reduce-of-scan, a scan or reduction needs the result of a scan",
    "needed-as-a-whole, ys_20 is needed as a whole",
    "something-between, a statement between them uses the first",
    "overwritten-input, a statement between them uses the first",
  })
  void refuses(String name, String reason) {
    Program program = program(name);
    var context = context(-1);
    assertSame(program.functions().get("main"), fuse(program, context).functions().get("main"));
    assertTrue(
        context.remarks().stream().anyMatch(r -> r.message().contains(reason)),
        context.remarks().toString());
  }

  /** Tests the reason for which an operation stays. */
  @ParameterizedTest
  @CsvSource({
    "pairs, its results do not all have the same transformation",
    "into-loops, the map is profitable in parallel",
    "into-loops, the loop reads it at other indices",
    "into-loops, an array that the map reads is overwritten",
    "out-of-branches, into branches of",
    "not-out-of-branches, a result of the branches has other uses",
    "not-out-of-branches, no operation in the branches can be fused with it",
    "not-out-of-branches, a statement between them uses the first",
    "not-out-of-branches, their attributes differ",
    "not-out-of-branches, a check in the branches guards it",
    "not-out-of-branches, the code would grow too much",
    "not-out-of-branches, the order of trace output would change",
    "not-out-of-branches, a write uses all of its results",
  })
  void says(String name, String reason) {
    var context = context(-1);
    Program program = program(name);
    program.functions().values().forEach(f -> new FusionPass().run(f, program, context));
    assertTrue(
        context.remarks().stream().anyMatch(r -> r.message().contains(reason)),
        context.remarks().toString());
  }

  @Test
  void limitBoundsTheNumberOfFusions() {
    assertEquals(3, scremas(fuse(program("map-map-reduce"), context(0))));
    assertEquals(2, scremas(fuse(program("map-map-reduce"), context(1))));
    assertEquals(1, scremas(fuse(program("map-map-reduce"), context(2))));
  }

  @Test
  void limitBoundsWhatMovesIntoBranches() {
    Program program = program("out-of-branches");
    program
        .functions()
        .values()
        .forEach(f -> assertSame(f, new FusionPass().run(f, program, context(0))));
  }

  /** Tests that a long chain is fused into one operation in about linear time. */
  @Test
  void longChain() {
    var text =
        new StringBuilder(
            "#futhark-ir soacs v1\n\nfun main(n_1: i64, a_2: [n_1]i32) -> (r_3: [n_1]i32) = {\n");
    int names = 3;
    String last = "a_2";
    for (int i = 0; i < 2000; i++) {
      String next = "a_" + (names + 1);
      String x = "x_" + (names + 2);
      String y = "y_" + (names + 3);
      String p = "p_" + (names + 4);
      text.append(
          """
            let {%s: [n_1]i32} = screma(n_1, {%s})
              map \\{%s: i32} -> {i32} {
                let {%s: i32} = add_i32(%s, 1i32)
                in {%s}
              }
              post \\{%s: i32} -> {i32} {in {%s}}
          """
              .formatted(next, last, x, y, x, y, p, p));
      names += 4;
      last = next;
    }
    text.append("  in {").append(last).append("}\n}\n");
    assertEquals(1, scremas(fuse(Parser.parse("chain", text.toString()), context(-1))));
  }

  private static int scremas(Program p) {
    int[] count = {0};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof Soac.Screma) {
          count[0]++;
        }
        return super.exp(e);
      }
    }.fun(p.functions().get("main"));
    return count[0];
  }

  private static Program program(String name) {
    return Parser.parse(name, resource(name + ".fir").split("=====")[0]);
  }

  private static Program fuse(Program p, PassContext context) {
    FunDef main = new FusionPass().run(p.functions().get("main"), p, context);
    return p.withFunctions(Map.of("main", main));
  }

  private static String resource(String name) {
    try (var in = FusionTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordingContext context(long limit) {
    return new RecordingContext(new FusionPass(), Map.of()).limitedTo(limit);
  }
}
