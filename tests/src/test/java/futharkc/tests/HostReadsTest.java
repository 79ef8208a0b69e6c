package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.pipeline.Pipeline;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.PassSelection;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Verifier;
import futharkc.tests.kit.TestMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The number of reads by the host in small programs, without and with migration, and the number of
 * kernels of one thread that are left. The programs are those by which P. J. Børgesen, Reducing
 * Synchronous GPU Memory Transfers, 2022, explains the rules.
 */
final class HostReadsTest {
  /** Functions that only the host can call, and that any thread can call. */
  private static final String PRELUDE =
      """
      #[noinline] def host (x: i64) : i64 = (opaque [x, 1])[x & 1]
      #[noinline] def plus (x: i64) (y: i64) : i64 = x + y
      #[noinline] def id2 (x: i64) (y: i64) : (i64, i64) = (x, y)
      """;

  /** A program, and how many reads and small kernels it has. */
  private record Case(String name, String source, int without, int with, int kernels) {}

  private static final List<Case> CASES =
      List.of(
          new Case("1", "def main (A: [9]i64) = A[0] + A[1]", 2, 1, 1),
          new Case("2", "def main (A: [9]i64) = A[0] + A[1] + A[2]", 3, 1, 1),
          new Case("3", "def main (A: [9]i64) = let x = A[0] * A[1] in (x + 1, x - 1)", 2, 1, 1),
          new Case(
              "4",
              "def main (A: [9]f64) = let x = A[0] * A[1] let y = A[0] + A[1] in (x * y, x / y)",
              2,
              2,
              0),
          new Case(
              "5",
              """
              def main (A: [9]f64) =
                let a = A[0] let b = A[1]
                let x = a * b let y = a + b let z = a / b
                in x * y * z
              """,
              2,
              1,
              1),
          new Case(
              "6",
              """
              def main (A: [9]f64) =
                let a = A[0] let b = A[1] let c = A[2]
                let p = a * b let q = b + c
                let s = p * q let t = p + q let u = p - q let v = p / q
                in (s * t, u * v)
              """,
              3,
              2,
              1),
          new Case("7", "def main (A: [9]i64) = A[0] + A[0]", 1, 1, 0),
          new Case("8", "def main (A: [9]i64) = #[unsafe] A[A[0]]", 2, 1, 1),
          new Case(
              "9", "def main (A: [9][9]i64) : [9]i64 = copy (#[unsafe] A[:, A[1, 0]])", 1, 1, 0),
          new Case(
              "10",
              """
              def main [n] (xs: [n]f32) =
                let len = f32.sqrt (reduce (+) 0 (map (\\x -> x * x) xs))
                in map (/ len) xs
              """,
              1,
              0,
              0),
          new Case(
              "11",
              "def main [n] (xs: [n]i64) = let s = reduce (+) 0 xs in map (<= s) xs",
              1,
              0,
              0),
          new Case("12", "def main (A: [9]i64) = iota A[0]", 1, 1, 0),
          new Case("13", "def main (A: [9]i64) (n: i64) = replicate n (A[0] + 1)", 1, 0, 1),
          new Case("14", "def main (A: [9]i64) = ([A[0]], replicate 1 A[1])", 2, 0, 1),
          new Case("15", "def main (A: *[9]f64) = A with [4] = A[4] / 7", 1, 0, 1),
          new Case("16", "def main (A: *[9]i64) = #[unsafe] A with [A[4]] = 42", 1, 0, 1),
          new Case("17", "def main (v: i64) = [0, 1, 2, v]", 0, 0, 1),
          new Case("18", "def main (A: [9]i64) = plus A[0] A[1]", 2, 1, 1),
          new Case("19", "def main (A: [9]i64) = id2 A[0] A[1]", 2, 2, 0),
          new Case("20", "def main (A: [9]i64) = host A[0] + host A[1]", 3, 3, 1),
          new Case("21", "def main (A: [9]i64) = if A[0] == 0 then A[1] else A[2]", 3, 1, 1),
          new Case("22", "def main (A: [9]i64) : i64 = if A[0] == 0 then 42 else 1337", 1, 1, 0),
          new Case(
              "23",
              "def main (A: [9]i64) : (i64, i64) = if A[0] == 0 then (7, 42) else (A[2], 1337)",
              2,
              2,
              0),
          new Case(
              "24",
              "def main (A: [9]i64) (c: bool) = let x = if c then A[1] else 42 in x + A[3]",
              2,
              1,
              2),
          new Case(
              "25",
              """
              def main (A: *[9]i64) (c: bool) =
                let x = A[0]
                let B = if c then A with [0] = x + 1 else A
                in B with [2] = x
              """,
              1,
              0,
              2),
          new Case(
              "26",
              "def main (A: [9]i64) (m: i64) = #[unsafe] if A[0] == 0 then A[:m] else A[1:m + 1]",
              1,
              1,
              0),
          new Case(
              "27",
              """
              def main (A: [9]i64) (x: i64) =
                let B = [x, 1]
                in if A[0] == 0 then (if A[1] == 0 then [x, 2] else [3, x]) else B
              """,
              2,
              1,
              2),
          new Case(
              "28",
              """
              def main (A: [9]f64) (k: i64) =
                loop A for _i < k do
                  let s = f64.sqrt (reduce (+) 0 (map (* 2) A))
                  in map (+ s) A
              """,
              1,
              0,
              0),
          new Case(
              "29", "def main [n] (A: [n]i64) : i64 = loop x = 0 for i < n do x + A[i]", 1, 1, 1),
          new Case(
              "30", "def main [n] (A: [n]i64) : i64 = loop x = 0 for y in A do x + y", 1, 1, 1),
          new Case(
              "31",
              "def main (A: [9]i64) : i64 = #[unsafe] loop x = 1 for i < A[0] do x * A[x % 9]",
              2,
              1,
              1),
          new Case("32", "def main (A: [9]i64) : i64 = loop x = 1 for i < A[0] do x * x", 1, 1, 0),
          new Case(
              "33",
              "def main (A: [9]i64) = #[unsafe] loop x = A[0] while x < 1000 do x * A[x % 9]",
              2,
              1,
              1),
          new Case("34", "def main (A: [9]i64) = loop x = A[0] while x < 1000 do x * x", 1, 1, 0),
          new Case(
              "35",
              """
              def main (A: [9]i64) : (i64, i64) =
                #[unsafe] loop (x, y) = (0, 0) while x < 1000 do (x + A[x % 9], y + 1)
              """,
              1,
              2,
              1),
          new Case(
              "36",
              """
              def main (A: *[9]i64) =
                #[unsafe] loop A while A[0] < 1000 do A with [A[1]] = 1
              """,
              3,
              1,
              1),
          new Case(
              "37",
              """
              def main (A: [9]i64) : i64 =
                let x = A[0] let y = A[1] in loop z = 0 for i < 10 do (x ^ z) * y
              """,
              2,
              1,
              1),
          new Case(
              "38",
              """
              def main (A: [9]i64) : i64 =
                let x = A[0] let y = A[1] in loop z = 0 for i < 10 do host (x ^ z) * y
              """,
              3,
              3,
              1),
          new Case(
              "39",
              """
              def main (A: [9]i64) (k: i64) =
                let (B, _) = loop (B, y) = (A, 0) for i < k do
                  let C = map (+ y) B in (C, C[3])
                in B
              """,
              1,
              0,
              1),
          new Case(
              "40",
              """
              def main (A: [9]i64) (k: i64) : i64 =
                let x = A[0]
                in loop y = x for i < k do host y + A[1]
              """,
              3,
              3,
              1),
          new Case(
              "41",
              "def main (A: [9]i64) (is: [9]i64) = hist (+) A[0] 9 is (map (+ A[1]) A)",
              2,
              1,
              0),
          new Case("42", "def main (A: [9]i64) : i64 = assert (A[0] == 42) 1337", 1, 0, 1),
          new Case(
              "43",
              """
              def main (A: [9]i64) (c: bool) : i64 =
                #[unsafe] if c then let n = A[0] in if A[1] == 0 then reduce (+) 0 A[:n] else A[2] else A[3]
              """,
              5,
              5,
              0),
          new Case(
              "44",
              """
              def main (A: [9]i64) =
                let x = A[0] + A[1] let p = host x
                let y = A[2] + A[3] let q = host y
                in (p, q)
              """,
              5,
              3,
              2),
          new Case(
              "45",
              """
              def main (A: *[9]i64) =
                let x = A[0] + A[1]
                let B = A with [2] = x
                let y = B[3] * B[4]
                in B with [5] = y
              """,
              4,
              0,
              2));

  private final Compiler compiler = Compiler.create();
  private final Solver solver =
      new Solver(compiler.registry().passes().values().stream().map(p -> p.info()).toList());

  @TestFactory
  Stream<DynamicTest> reads() {
    return CASES.stream().map(c -> DynamicTest.dynamicTest("program " + c.name, () -> check(c)));
  }

  private void check(Case c) {
    Map<String, Integer> without = metrics(c, "-migration");
    Map<String, Integer> with = metrics(c, "default");
    String got =
        "%d %d %d"
            .formatted(
                without.getOrDefault("HostRead", 0),
                with.getOrDefault("HostRead", 0),
                with.getOrDefault("GPUBody", 0));
    assertEquals("%d %d %d".formatted(c.without, c.with, c.kernels), got);
  }

  @Test
  void constantsMove() {
    String source =
        """
        def A = opaque [1i64, 2, 3, 4]
        def c = A[0] + A[1]
        entry main (x: i64) = x + c
        """;
    Map<String, Integer> with = metrics(new Case("46", source, 2, 1, 1), "default");
    assertEquals(1, with.get("HostRead"));
    assertTrue(with.getOrDefault("GPUBody/BinOp", 0) == 1);
  }

  /**
   * Prints the reads of the programs of a folder, the argument: without migration and in loops,
   * with it and in loops, the kernels of one thread, and the reads on the path with the most reads
   * without and with migration.
   */
  public static void main(String[] arguments) throws IOException {
    List<Path> programs;
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      programs = files.filter(f -> f.toString().endsWith(".fut")).sorted().toList();
    }
    HostReadsTest test = new HostReadsTest();
    int[] sums = new int[7];
    for (Path f : programs) {
      Source source = Source.ofFile(f);
      Program withoutMigration = test.program(source, "-migration");
      Program withMigration = test.program(source, "default");
      Map<String, Integer> without = Metrics.of(withoutMigration);
      Map<String, Integer> with = Metrics.of(withMigration);
      int[] row = {
        without.getOrDefault("HostRead", 0),
        inLoops(without),
        with.getOrDefault("HostRead", 0),
        inLoops(with),
        with.getOrDefault("GPUBody", 0),
        onPath(withoutMigration),
        onPath(withMigration)
      };
      for (int k = 0; k < row.length; k++) {
        sums[k] += row[k];
      }
      System.out.println(f.getFileName() + " " + Arrays.toString(row));
    }
    System.out.println("sum " + Arrays.toString(sums));
  }

  /** Returns the most reads on any path through the host code of a program's functions. */
  private static int onPath(Program p) {
    int reads = onPath(p.constants());
    for (FunDef f : p.functions().values()) {
      reads += onPath(f.body().stms());
    }
    return reads;
  }

  private static int onPath(List<Stm> stms) {
    int reads = 0;
    for (Stm s : stms) {
      reads +=
          switch (s.exp()) {
            case BasicOp.Index x
                when x.slice().isElement() && s.pat().get(0).type() instanceof Type.Prim ->
                s.pat().get(0).type().equals(Type.UNIT) ? 0 : 1;
            case Exp.Match m -> {
              int most = onPath(m.otherwise().stms());
              for (Exp.Case c : m.cases()) {
                most = Math.max(most, onPath(c.body().stms()));
              }
              yield most;
            }
            case Exp.Loop l -> onPath(l.body().stms());
            case Exp.WithAcc w -> onPath(w.lambda().body().stms());
            default -> 0;
          };
    }
    return reads;
  }

  private static int inLoops(Map<String, Integer> metrics) {
    int sum = 0;
    for (Map.Entry<String, Integer> e : metrics.entrySet()) {
      String path = e.getKey();
      boolean whole = path.startsWith("/") && path.endsWith("/HostRead");
      if (whole && path.contains("/Loop/")) {
        sum += e.getValue();
      }
    }
    return sum;
  }

  private Map<String, Integer> metrics(Case c, String passes) {
    return metrics(Source.ofText(c.name + ".fut", PRELUDE + c.source), passes);
  }

  private Map<String, Integer> metrics(Source source, String passes) {
    return Metrics.of(program(source, passes));
  }

  private Program program(Source source, String passes) {
    Program start =
        compiler
            .optimise(source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null)
            .program();
    List<Program> last = new ArrayList<>(List.of(start));
    var plan =
        solver.solve(State.LOWERED, new Goal("the test", Rep.GPU), PassSelection.parse(passes));
    new Pipeline(
            compiler.registry(),
            new Pipeline.Settings(
                TestMachine.WITH_DEVICE,
                1,
                Verifier::verify,
                null,
                new Timings(),
                List.of((index, step, program) -> last.set(0, (Program) program)),
                () -> false))
        .run(start, plan, plan.steps().size());
    return last.get(0);
  }
}
