package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests of kernels for flat operations against the interpreted source. Sizes are near the sizes of
 * thread blocks and grids. The tests cover both orders of threads and each code generation variant.
 */
final class FlatKernelsTest {
  private static final Path PROGRAM = Path.of("src/test/resources/futharkc/tests/kernels/flat.fut");

  /** The pass selections for the code generation variants. */
  private static final List<String> PASSES =
      List.of(
          "default",
          "-segment-strategy,-histogram-strategy",
          "+row-staging,+vectorise-memory-accesses{elements=1},+thread-coarsening{iterations=4},+segment-strategy{scans=single-pass,scan-elements=3},+lower-gpu{shuffled=4,tile-elements=1},+histogram-strategy{bin-bytes=8}");

  /**
   * Vector sizes near multiples of the interpreter's thread block size, 8 threads; a grid has 4
   * thread blocks.
   */
  private static final List<Integer> VECTORS = List.of(0, 1, 8, 33, 300);

  private static final List<List<Integer>> MATRICES =
      List.of(
          List.of(0, 3),
          List.of(3, 0),
          List.of(1, 9),
          List.of(40, 3),
          List.of(5, 70),
          List.of(36, 44),
          List.of(3, 300));

  private final Compiler compiler = Compiler.create();

  @TestFactory
  Stream<DynamicTest> kernels() throws IOException {
    String text = Files.readString(PROGRAM);
    List<String> entries =
        text.lines().filter(l -> l.startsWith("entry ")).map(l -> l.split(" ", -1)[1]).toList();
    assertFalse(entries.isEmpty());
    return PASSES.stream()
        .flatMap(
            passes -> {
              Source source = Source.ofText("flat.fut", text);
              CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1);
              Ir soacs =
                  compiler.optimise(source, options.withPasses("none"), Rep.SOACS).ir().program();
              Ir kernels =
                  compiler.optimise(source, options.withPasses(passes), Rep.GPU_IMP).ir().program();
              return entries.stream()
                  .map(
                      e ->
                          DynamicTest.dynamicTest(
                              passes + ": " + e, () -> check(soacs, kernels, e)));
            });
  }

  private static void check(Ir soacs, Ir kernels, String entry) throws IOException {
    Random random = new Random(entry.hashCode());
    boolean matrix = entry.startsWith("m_");
    for (int k = 0; k < (matrix ? MATRICES.size() : VECTORS.size()); k++) {
      List<Integer> shape = matrix ? MATRICES.get(k) : List.of(VECTORS.get(k));
      int count = shape.stream().reduce(1, (a, b) -> a * b);
      int[] xs = random.ints(count, -2, 20).toArray();
      String expected = run(soacs, entry, shape, xs, Options.DEFAULT);
      for (boolean backwards : new boolean[] {false, true}) {
        for (long threshold : new long[] {0, Long.MAX_VALUE}) {
          Options o = Options.DEFAULT.withBackwards(backwards).withThreshold(threshold);
          String actual = run(kernels, entry, shape, xs, o);
          assertEquals(
              expected, actual, () -> entry + " of " + shape + ", backwards: " + backwards);
        }
      }
    }
  }

  private static String run(
      Ir program, String entry, List<Integer> shape, int[] xs, Options options) throws IOException {
    long[] sizes = shape.stream().mapToLong(x -> x).toArray();
    Value input = new ArrayValue(ElemType.I32, sizes, xs.clone());
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ValueWriter out = new ValueWriter(bytes);
      for (Value v : Interpreter.run(program, entry, List.of(input), options)) {
        out.text(v);
        out.newline();
      }
      out.flush();
      return bytes.toString(StandardCharsets.UTF_8);
    } catch (FutharkError e) {
      // The order of threads determines which failure a kernel reports, so the test ignores the
      // message.
      return "a failure";
    }
  }
}
