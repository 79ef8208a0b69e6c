package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests of kernels and parallel regions that compute products in tiles. The results are bitwise
 * equal to the same kernels without tiles, and equal to the interpreted source. Sizes are near the
 * sizes of tiles, in both orders of threads.
 */
final class TiledProductsTest {
  private static final Path PROGRAM =
      Path.of("src/test/resources/futharkc/tests/kernels/products.fut");

  /**
   * The options for tiles of 8 x 8 results and four steps, or of one row of four results and four
   * steps.
   */
  private static final String TILED =
      "+block-tiling{threads=16,side=2,depth=4,elements=1,row=4,unrolled=2},-contraction";

  /** The options for tiles of 3 rows of 16 bytes. Sums keep the order of their terms. */
  private static final String CACHED =
      "+cache-tiling{rows=3,columns=16,least=1},-reassociate-reductions";

  private static final String PLAIN = "-block-tiling,-contraction";

  /** The numbers of rows, steps and columns. */
  private static final List<List<Integer>> SHAPES =
      List.of(
          List.of(1, 1, 1),
          List.of(8, 4, 8),
          List.of(7, 3, 9),
          List.of(9, 5, 7),
          List.of(17, 8, 3),
          List.of(3, 9, 17),
          List.of(8, 0, 5),
          List.of(0, 4, 9),
          List.of(9, 4, 0),
          List.of(20, 13, 21));

  @TestFactory
  Stream<DynamicTest> products() throws IOException {
    Compiler compiler = Compiler.create();
    String text = Files.readString(PROGRAM);
    Source source = Source.ofText("products.fut", text);
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1);
    Ir soacs = program(compiler, source, options.withPasses("none"), Rep.SOACS);
    Ir plain = program(compiler, source, options.withPasses(PLAIN), Rep.GPU_IMP);
    Ir tiled = program(compiler, source, options.withPasses(TILED), Rep.GPU_IMP);
    String kernels = Printer.print(tiled);
    List<String> entries =
        text.lines().filter(l -> l.startsWith("entry ")).map(l -> l.split(" ", -1)[1]).toList();
    assertFalse(entries.isEmpty());
    return entries.stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e,
                    () -> {
                      assertTrue(
                          kernels.lines().anyMatch(l -> l.matches(" *launch " + e + "_.*_tiled.*")),
                          "no tiles");
                      for (List<Integer> shape : SHAPES) {
                        check(soacs, plain, tiled, e, shape);
                      }
                    }));
  }

  /** Tests regions of several cores that compute tiles for caches. */
  @TestFactory
  Stream<DynamicTest> regions() throws IOException {
    Compiler compiler = Compiler.create();
    Source source = Source.ofText("products.fut", Files.readString(PROGRAM));
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1);
    Ir soacs = program(compiler, source, options.withPasses("none"), Rep.SOACS);
    Ir tiled = program(compiler, source, options.withPasses(CACHED), Rep.MC_IMP);
    String regions = Printer.print(tiled);
    return Stream.of("i32_product", "f32_product", "f64_sums", "i32_batch")
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e,
                    () -> {
                      assertTrue(
                          regions
                              .lines()
                              .anyMatch(l -> l.matches(" *parallel " + e + "_.*_tiled.*")),
                          "no tiles");
                      for (List<Integer> shape : SHAPES) {
                        String expected = run(soacs, e, shape, Options.DEFAULT);
                        for (int chunks : new int[] {1, 2, 7}) {
                          Options some =
                              Options.DEFAULT.withChunks(chunks).withBackwards(chunks == 2);
                          assertEquals(
                              expected,
                              run(tiled, e, shape, some),
                              () -> shape + " in " + chunks + " chunks");
                        }
                      }
                    }));
  }

  private static Ir program(Compiler compiler, Source source, CompilerOptions options, Rep rep) {
    return compiler.optimise(source, options, rep).ir().program();
  }

  private static void check(Ir soacs, Ir plain, Ir tiled, String entry, List<Integer> shape)
      throws IOException {
    String expected = run(soacs, entry, shape, Options.DEFAULT);
    // The threshold that chooses the versions with the most parallelism.
    Options flat = Options.DEFAULT.withThreshold(0);
    assertEquals(expected, run(plain, entry, shape, flat), () -> "without tiles, " + shape);
    for (boolean backwards : new boolean[] {false, true}) {
      String actual = run(tiled, entry, shape, flat.withBackwards(backwards));
      assertEquals(expected, actual, () -> shape + ", backwards: " + backwards);
    }
  }

  private static String run(Ir program, String entry, List<Integer> shape, Options options)
      throws IOException {
    int n = shape.get(0);
    int m = shape.get(1);
    int p = shape.get(2);
    Random random = new Random(entry.hashCode() + shape.hashCode());
    ElemType type =
        ElemType.valueOf(entry.substring(0, entry.indexOf('_')).toUpperCase(Locale.ROOT));
    List<Value> input =
        List.of(
            array(type, random, n, m),
            array(type, random, m, p),
            array(type, random, n, p),
            array(type, random, m));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ValueWriter out = new ValueWriter(bytes);
    for (Value v : Interpreter.run(program, entry, input, options)) {
      out.text(v);
      out.newline();
    }
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static Value array(ElemType type, Random random, long... shape) {
    int count = 1;
    for (long size : shape) {
      count *= (int) size;
    }
    Object elements =
        switch (type) {
          case BOOL -> {
            boolean[] xs = new boolean[count];
            for (int i = 0; i < count; i++) {
              xs[i] = random.nextInt(4) == 0;
            }
            yield xs;
          }
          case I8 -> {
            byte[] xs = new byte[count];
            random.nextBytes(xs);
            yield xs;
          }
          case I16 -> {
            short[] xs = new short[count];
            for (int i = 0; i < count; i++) {
              xs[i] = (short) random.nextInt();
            }
            yield xs;
          }
          case F16 -> {
            short[] xs = new short[count];
            for (int i = 0; i < count; i++) {
              xs[i] = Float.floatToFloat16(random.nextFloat());
            }
            yield xs;
          }
          case I32 -> random.ints(count).toArray();
          case I64 -> random.longs(count).toArray();
          case F32 -> {
            float[] xs = new float[count];
            for (int i = 0; i < count; i++) {
              xs[i] = random.nextFloat() - 0.5f;
            }
            yield xs;
          }
          case F64 -> random.doubles(count, -1, 1).toArray();
          default -> throw new IllegalArgumentException(type.toString());
        };
    return new ArrayValue(type, shape, elements);
  }
}
