package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compiles nests of each construct, of 30 and 15 levels, to the last representation of each kind of
 * target. The memory that the compiler allocates is a measure of its work that does not depend on
 * the machine's load: it must grow at most fivefold, as a quadratic traversal with a linear rest
 * does at worst. A traversal that visits a body twice takes 2¹⁵ times as much for 15 more levels.
 * {@code -Dnests.depth=N} selects another depth, and prints the megabytes for both depths.
 */
@Timeout(600)
final class DeepNestsTest {
  private static final int DEPTH = Integer.getInteger("nests.depth", 30);

  /** The number of dimensions of arrays, whose index arithmetic grows with each dimension. */
  private static final int MOST_DIMENSIONS = 8;

  private static final Map<String, Rep> TARGETS =
      new TreeMap<>(Map.of("opencl", Rep.GPU_IMP, "multicore", Rep.MC_IMP, "c", Rep.SEQ_IMP));

  private static final double MOST_GROWTH = 5;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final Compiler COMPILER = Compiler.create();

  /** Nests a template, with the level for {@code #} and the next level for {@code @}. */
  private static String nest(int depth, String template, String innermost) {
    String text = innermost;
    for (int level = depth; level >= 1; level--) {
      text = template.replace("#", "" + level).replace("@", "(" + text + ")");
    }
    return text;
  }

  private static String entry(String parameters, String body) {
    return "entry main " + parameters + " =\n  " + body + "\n";
  }

  /** Nests several templates in turn. */
  private static String mixed(int depth, List<String> templates, String innermost) {
    String text = innermost;
    for (int level = depth; level >= 1; level--) {
      String template = templates.get(level % templates.size());
      text = template.replace("#", "" + level).replace("@", "(" + text + ")");
    }
    return text;
  }

  private static final String REDUCTION = "i64.sum (map (\\x# -> let x = x# in @) (iota (x % 3)))";
  private static final String SCAN =
      "last (scan (+) 0 (map (\\x# -> let x = x# in @) (iota (1 + x % 3))))";
  private static final String HISTOGRAM =
      "(hist (+) 0 2 [0, 1, x % 2] (map (\\x# -> let x = x# in @) [x, 1, 2]))[x % 2]";
  private static final String LOOP = "loop x for i# < n do let x = x + i# in @";
  private static final String WHILE = "loop x while x < n do 1 + @";
  private static final String IF = "if x % # == 1 then let x = x + # in @ else x * #";
  private static final String LAMBDA = "(\\y# -> let x = y# * # in @) (x + #)";
  private static final String FILTER =
      "length (filter (\\x# -> let x = x# in @ > 0) (iota (x % 5)))";
  private static final String UPDATE =
      "i64.sum (loop a = iota 3 for i# < x % 4 do let x = a[i# % 3] in a with [i# % 3] = @)";
  private static final String OPERATOR = "reduce_comm (\\a# b# -> let x = a# + b# in @) 0 (iota x)";
  private static final String MATCH = "match x case # -> 1 case _ -> let x = x - # in @";
  private static final String RECORD = "(let r# = {a = x, b = @} in {a = r#.b, b = r#.a}).a";
  private static final String ASSERTED = "assert (x > #) (let x = x - # in @)";
  private static final String ARRAYS = "i64.sum (if x > # then (let x = x - # in [@, 1]) else [x])";

  static Stream<Arguments> shapes() {
    String scalars = "(n: i64) (x: i64)";
    return Stream.concat(
        Map.ofEntries(
                Map.entry("reductions", REDUCTION),
                Map.entry("scans", SCAN),
                Map.entry("histograms", HISTOGRAM),
                Map.entry("loops", LOOP),
                Map.entry("while loops", WHILE),
                Map.entry("ifs", IF),
                Map.entry("lambdas", LAMBDA),
                Map.entry("filters", FILTER),
                Map.entry("updates", UPDATE),
                Map.entry("operators", OPERATOR),
                Map.entry("matches", MATCH),
                Map.entry("records", RECORD),
                Map.entry("assertions", ASSERTED),
                Map.entry("branches of arrays", ARRAYS))
            .entrySet()
            .stream()
            .sorted(Map.Entry.comparingByKey())
            .map(e -> shape(e.getKey(), d -> entry(scalars, nest(d, e.getValue(), "x + n")))),
        Stream.of(
            shape(
                "maps",
                d ->
                    entry(
                        "(n: i64)",
                        "let x = 0 in "
                            + nest(
                                Math.min(d, MOST_DIMENSIONS),
                                "tabulate n (\\x# -> let x = x + x# in @)",
                                "x"))),
            shape(
                "loops of arrays",
                d ->
                    entry(
                        "[n] (a: *[n]i64)",
                        nest(
                            d,
                            "loop a for i# < n do let a = copy a with [i#] = # in @",
                            "map (+ 1) a"))),
            shape(
                "loops in kernels",
                d ->
                    entry(
                        "(n: i64) (xs: []i64)", "map (\\x -> " + nest(d, LOOP, "x * x") + ") xs")),
            shape(
                "arrays of branches in kernels",
                d ->
                    entry(
                        "(n: i64) (xs: []i64)",
                        "map (\\x -> " + nest(d, ARRAYS, "x * x") + ") xs")),
            shape(
                "nested records",
                d ->
                    entry(
                        "(x: i64)",
                        "let r = "
                            + nest(d, "{a = x + #, b = @}", "{c = x}")
                            + " in r"
                            + ".b".repeat(d)
                            + ".c")),
            shape(
                "loops and parallel operations",
                d ->
                    entry(
                        scalars,
                        mixed(d, List.of(REDUCTION, LOOP, SCAN, IF, HISTOGRAM, LAMBDA), "x + n"))),
            shape(
                "loops and updates",
                d -> entry(scalars, mixed(d, List.of(UPDATE, WHILE, ARRAYS, LOOP), "x + n"))),
            shape(
                "operators and loops",
                d -> entry(scalars, mixed(d, List.of(OPERATOR, LOOP, IF), "x + n"))),
            shape(
                "calls",
                d -> {
                  StringBuilder text =
                      new StringBuilder("def f0 (n: i64) (x: i64) : i64 = x + n\n");
                  for (int i = 1; i <= d; i++) {
                    text.append("def f").append(i).append(" (n: i64) (x: i64) : i64 = ");
                    text.append("i64.sum (map (f").append(i - 1).append(" n) (iota x))\n");
                  }
                  return text + entry(scalars, "f" + d + " n x");
                })));
  }

  /** A nest of a given depth. */
  private interface Shape {
    String text(int depth);
  }

  private static Arguments shape(String name, Shape text) {
    return Arguments.of(name, text);
  }

  @BeforeAll
  static void loadClasses() {
    shapes()
        .forEach(s -> TARGETS.keySet().forEach(t -> allocated(((Shape) s.get()[1]).text(2), t)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void compilerWorkIsAtMostQuadraticInDepth(String name, Shape shape) {
    for (String target : TARGETS.keySet()) {
      long half = allocated(shape.text(DEPTH / 2), target);
      long whole = allocated(shape.text(DEPTH), target);
      if (whole > MOST_GROWTH * half) {
        // The JVM may count the bytes of a thread that ends with those of the next measurement.
        half = Math.max(half, allocated(shape.text(DEPTH / 2), target));
        whole = Math.min(whole, allocated(shape.text(DEPTH), target));
      }
      if (System.getProperty("nests.depth") != null) {
        System.out.printf("%-32s %-10s %6d %6d%n", name, target, half >> 20, whole >> 20);
        System.out.flush();
      }
      String figures = "for " + target + ": " + half + " bytes, for twice the depth " + whole;
      assertTrue(whole <= MOST_GROWTH * half, figures);
    }
  }

  /** Returns the number of bytes that the compiler allocates. */
  private static long allocated(String text, String target) {
    Rep rep = Objects.requireNonNull(TARGETS.get(target));
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target).withThreads(1);
    long before = THREADS.getTotalThreadAllocatedBytes();
    Compiled compiled = COMPILER.optimise(Source.ofText("nest.fut", text), options, rep);
    assertEquals(rep, compiled.ir().program().rep());
    return THREADS.getTotalThreadAllocatedBytes() - before;
  }
}
