package futharkc.benchmarks;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.embed.LoadedProgram;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A benchmark of cancellation: the time from {@code cancel} until the cancelled call has ended. It
 * should be under 100 ms for each entry point and target.
 */
public class CancellationBenchmark extends CallTime {
  private static final String PROGRAM =
      """
      def step (x: i64) : i64 = x * 6364136223846793005 + 1442695040888963407
      entry counting (n: i64) : i64 = loop x = n for i < n do step (x + i)
      entry updates (n: i64) : i64 =
        let xs = loop xs = iota 1000 for i < n do xs with [i % 1000] = step xs[(i * i) % 1000]
        in xs[7]
      entry regions (n: i64) : i64 =
        let xs = loop xs = iota 1000000 for i < n do map (\\x -> step (x + i)) xs
        in xs[7]
      entry maps (n: i64) : i64 =
        i64.sum (map (\\i -> loop x = i + 1 for j < n do step (x + j)) (iota 100))
      entry reductions (n: i64) : i64 = reduce (\\a b -> step (a + b)) 0 (map step (iota n))
      """;

  /** The target; {@code opencl} and {@code cuda} need a device. */
  @Param({"c", "multicore"})
  public String target = "";

  /** The entry point, which runs for years. */
  @Param({"counting", "updates", "regions", "maps", "reductions"})
  public String entry = "";

  private @Nullable LoadedProgram program;
  private @Nullable Thread caller;

  /** Compiles the program. */
  @Setup
  public void compile() {
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target);
    Compiled compiled = Compiler.create().compile(Source.ofText("endless.fut", PROGRAM), options);
    program = compiled.load();
  }

  /** Closes the program. */
  @TearDown
  public void close() {
    Objects.requireNonNull(program).close();
  }

  /** Starts a call, and waits until it computes. */
  @Setup(Level.Invocation)
  public void start() throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              try {
                Objects.requireNonNull(program).call(entry, 1L << 40);
                throw new IllegalStateException("the call has ended by itself");
              } catch (FutharkError e) {
                // The call has been cancelled.
              }
            });
    caller = thread;
    thread.start();
    Thread.sleep(100);
  }

  /** Cancels the call. */
  @Benchmark
  public void cancel() throws InterruptedException {
    Objects.requireNonNull(program).context().cancel();
    Objects.requireNonNull(caller).join();
  }
}
