package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.embed.LoadedProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of write fusion with all other passes, on its motivating programs. */
final class FusedWritesTest {
  private static final Path PROGRAMS = Path.of("../examples/writes");
  private static final Compiler COMPILER = Compiler.create();

  /** Compares the writes for each level of a search, and the writes before the first level. */
  @ParameterizedTest
  @CsvSource({
    "'default,-write-fusion', 5, 0, 11, 0, 4, 3",
    "default, 3, 0, 5, 0, 2, 1",
    "'default,-fusion', 3, 0, 5, 0, 2, 1",
  })
  void fewerWritesALevel(
      String passes,
      int padding,
      int beforePadding,
      int segments,
      int beforeSegments,
      int alternate,
      int beforeAlternate)
      throws IOException {
    Program bfs = optimised(Source.ofFile(PROGRAMS.resolve("bfs.fut")), passes);
    assertEquals(new Writes(padding, beforePadding), Writes.of(bfs, "with_padding"));
    assertEquals(new Writes(segments, beforeSegments), Writes.of(bfs, "with_segments"));
    assertEquals(new Writes(alternate, beforeAlternate), Writes.of(bfs, "with_alternate"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "default,-write-fusion", "default,check-writes"})
  void searchesAgreeWithTheSequentialOne(String passes) throws IOException {
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses(passes);
    Source bfs = Source.ofFile(PROGRAMS.resolve("bfs.fut"));
    try (LoadedProgram program = COMPILER.compile(bfs, options).load()) {
      assertEquals(true, program.call("same", 1L, 0L, 1L, 1));
      assertEquals(true, program.call("same", 10L, 0L, 3L, 5));
      assertEquals(true, program.call("same", 512L, 5L, 200L, 3));
      assertEquals(true, program.call("same", 4096L, 0L, 10L, 1));
    }
  }

  /**
   * Checks that writes without checks and fills have the results of the writes with checks and
   * fills.
   */
  @ParameterizedTest
  @ValueSource(strings = {"default", "default,-fusion", "default,check-writes"})
  void provedWritesAgreeWithOthers(String passes) throws IOException {
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses(passes);
    Source permutations = Source.ofFile(PROGRAMS.resolve("permutations.fut"));
    try (LoadedProgram program = COMPILER.compile(permutations, options).load()) {
      for (long n : new long[] {0, 1, 2, 3, 10, 1000}) {
        assertEquals(true, program.call("same", n), () -> n + " elements");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "entry main [n] (xs: [n]i32) = filter (> 3) xs",
    "'entry main [n] (xs: [n]i32) = partition (> 3) xs'",
  })
  void oneParallelOperation(String text) {
    Program fused = optimised(Source.ofText("one.fut", text), "default");
    assertEquals(1, count(fused, "main", SegExp.class));
  }

  /** Checks that arrays of equal or consecutive values need no memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "entry main [k] (a: *[k]i32) (is: [3]i64) (x: i32) = scatter a is (replicate 3 x)",
        "entry main [k][n] (a: *[k]i32) (b: *[k]i32) (is: [n]i64) ="
            + " (scatter a is (replicate n 5), scatter b is (replicate n 10))",
        "entry main [k] (a: *[k]i64) (n: i64) = scatter a (iota n) (map (\\i -> i - 9) (iota n))",
        "entry main [k] (a: *[k]i64) (b: *[k]i64) (n: i64) ="
            + " (scatter a (map (\\i -> i - 1) (iota n)) (iota n),"
            + " scatter b (map (+ 1) (iota n)) (iota n))",
      })
  void nothingIsRead(String text) {
    Program fused = optimised(Source.ofText("elimination.fut", text), "default");
    assertEquals(1, count(fused, "main", SegExp.class));
    assertEquals(0, count(fused, "main", BasicOp.Replicate.class));
    assertEquals(0, count(fused, "main", BasicOp.Iota.class));
  }

  @Test
  void conflictingWritesAreReported() {
    Source scatter =
        Source.ofText(
            "conflict.fut",
            "entry main [k][n] (a: *[k]i64) (is: [n]i64) (vs: [n]i64) = scatter a is vs");
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses("default,check-writes");
    try (LoadedProgram program = COMPILER.compile(scatter, options).load()) {
      long[] target = {0, 0, 0};
      program.call("main", target.clone(), new long[] {2, 1, 2, 7, 7}, new long[] {5, 6, 5, 1, 2});
      FutharkError error =
          assertThrows(
              FutharkError.class,
              () -> program.call("main", target, new long[] {2, 1, 2}, new long[] {5, 6, 7}));
      assertTrue(error.getMessage().contains("different values for index [2]"), error::report);
      assertTrue(error.backtrace().contains("conflict.fut:1:"), error::backtrace);
    }
  }

  private static Program optimised(Source source, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses(passes);
    return COMPILER.optimise(source, options, Rep.MC).program();
  }

  private static int count(Program p, String function, Class<? extends Exp> kind) {
    int[] count = {0};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (kind.isInstance(e)) {
          count[0]++;
        }
        return super.exp(e);
      }
    }.fun(p.functions().get(function));
    return count[0];
  }

  private record Writes(int inLoops, int outside) {
    static Writes of(Program p, String function) {
      Map<Boolean, Integer> counts = new TreeMap<>(Map.of(true, 0, false, 0));
      new Mapper() {
        private boolean inLoop;

        @Override
        public Exp exp(Exp e) {
          if (e instanceof Exp.WithAcc) {
            counts.merge(inLoop, 1, Integer::sum);
          }
          boolean before = inLoop;
          inLoop |= e instanceof Exp.Loop;
          Exp same = super.exp(e);
          inLoop = before;
          return same;
        }
      }.fun(p.functions().get(function));
      return new Writes(counts.getOrDefault(true, 0), counts.getOrDefault(false, 0));
    }
  }
}
