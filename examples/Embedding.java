import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.embed.LoadedProgram;
import java.util.Map;

/**
 * An example that compiles, loads and calls Futhark programs from Java.
 *
 * <p>Run it with {@code java -p dist/target/modules --add-modules ALL-MODULE-PATH
 * examples/Embedding.java}.
 */
public final class Embedding {
  private Embedding() {}

  private static final String STATISTICS =
      """
      import "sums"

      type summary = {mean: f64, largest: f64}

      entry summary [n] (xs: [n]f64): summary =
        {mean = total xs / f64.i64 n, largest = f64.maximum xs}

      entry row_sums [n][m] (xss: [n][m]f64): [n]f64 =
        map total xss

      entry pick [n] (xs: [n]f64) (i: i64): f64 =
        xs[i]
      """;

  private static final String SUMS = "def total [n] (xs: [n]f64): f64 = reduce (+) 0 xs";

  /** A record of the program, with the names of its fields. */
  public record Summary(double mean, double largest) {}

  /** The entry points as methods. */
  public interface Statistics extends AutoCloseable {
    Summary summary(double[] xs);

    double[] rowSums(double[][] xss);

    double pick(double[] xs, long i);

    @Override
    void close();
  }

  public static void main(String[] args) {
    Compiler compiler = Compiler.create();
    Source source =
        Source.ofText("statistics.fut", STATISTICS)
            .withImports(Source.ImportResolver.of(Map.of("sums.fut", SUMS)));
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget("multicore").withPasses("default");
    Compiled compiled = compiler.compile(source, options);

    // Calls by name, with Java values.
    try (LoadedProgram program = compiled.load()) {
      System.out.println(program.entryPoints());
      Object sum = program.call("pick", new double[] {1, 2, 3}, 2L);
      System.out.println("third element: " + sum);
    }

    // Calls through an interface. Closing the binding stops the program's threads.
    try (Statistics statistics = compiled.load().bind(Statistics.class)) {
      System.out.println(statistics.summary(new double[] {1, 2, 6}));
      System.out.println("second row: " + statistics.rowSums(new double[][] {{1, 2}, {3, 4}})[1]);
      statistics.pick(new double[] {1, 2, 3}, 3);
    } catch (FutharkError e) {
      System.out.println("run-time error: " + e.getMessage());
    }

    // A program with an error: the errors have positions.
    try {
      compiler.compile(Source.ofText("wrong.fut", "def main (x: i32) = x && true"), options);
    } catch (ProgramRejectedException e) {
      Diagnostic error = e.diagnostics().getFirst();
      System.out.println("rejected at " + error.loc() + ": " + error.code());
    }
  }
}
