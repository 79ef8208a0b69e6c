package futharkc.benchmarks;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.embed.LoadedProgram;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A benchmark of one kernel of each kind, compiled for multicore and called in this process. */
public class KernelBenchmark extends CallTime {
  private static final int N = 4_000_000;
  private static final int SIDE = 400;

  /** The entry point. */
  @Param({"dot", "prefix", "histogram", "scattered", "kept", "transposed", "product", "rows"})
  public String kernel = "dot";

  private @Nullable LoadedProgram program;
  private final float[] floats = new float[N];
  private final float[][] matrix = new float[SIDE][SIDE];
  private final int[] ints = IntStream.range(0, N).map(i -> (int) (i * 2654435761L)).toArray();

  /** Compiles and loads the program. */
  @Setup
  public void load() {
    String text =
        """
        entry dot (xs: []f32) (ys: []f32) = f32.sum (map2 (*) xs ys)
        entry prefix (xs: []i32) = scan (+) 0 xs
        entry histogram (xs: []i32) =
          reduce_by_index (replicate 1000 0i32) (+) 0 (map (\\x -> i64.i32 (x % 1000)) xs) xs
        entry scattered [n] (xs: [n]i32) =
          scatter (replicate n 0i32) (map (\\i -> (i * 7919) % n) (iota n)) xs
        entry kept (xs: []i32) = filter (> 0) xs
        entry transposed (xss: [][]f32) = copy (transpose xss)
        entry product [n] (xss: [n][n]f32) : [n][n]f32 =
          map (\\xs -> map (\\ys -> f32.sum (map2 (*) xs ys)) (transpose xss)) xss
        entry rows (xss: [][]f32) = map f32.sum xss
        """;
    Source source = Source.ofText("kernels.fut", text);
    program = Compiler.create().compile(source, CompilerOptions.DEFAULT).load();
    for (int i = 0; i < N; i++) {
      floats[i] = i % 17;
    }
    for (float[] row : matrix) {
      System.arraycopy(floats, 0, row, 0, SIDE);
    }
  }

  /** Ends the program's threads. */
  @TearDown
  public void close() {
    if (program != null) {
      program.close();
    }
  }

  /** Calls the entry point, including the conversion of arguments and result. */
  @Benchmark
  public @Nullable Object call() {
    LoadedProgram loaded = program;
    if (loaded == null) {
      throw new IllegalStateException("not set up");
    }
    return switch (kernel) {
      case "dot" -> loaded.call(kernel, floats, floats);
      case "transposed", "product", "rows" -> loaded.call(kernel, (Object) matrix);
      default -> loaded.call(kernel, (Object) ints);
    };
  }
}
