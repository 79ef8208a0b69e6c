package futharkc.core.runtime.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LoadedProgramTest {
  private static final ValueType F64 = new ValueType.Prim(ElemType.F64);
  private static final ValueType I32 = new ValueType.Prim(ElemType.I32);
  private static final ValueType F64S = new ValueType.Array(ElemType.F64, 1);
  private static final ValueType I32SS = new ValueType.Array(ElemType.I32, 2);
  private static final ValueType POINT =
      new ValueType.Opaque(
          "point",
          new ValueType.Record(new ValueType.Field("x", F64), new ValueType.Field("name", I32)));
  private static final ValueType PAIR_OF_NUMBERS =
      new ValueType.Opaque(
          "(i32, f64)",
          new ValueType.Record(new ValueType.Field("0", I32), new ValueType.Field("1", F64)));
  private static final ValueType PAIR =
      new ValueType.Opaque(
          "(point, [][]i32)",
          new ValueType.Record(new ValueType.Field("0", POINT), new ValueType.Field("1", I32SS)));

  private static final ValueType POINTS = ValueType.arrayOf(1, POINT);
  private static final ValueType GRID = ValueType.arrayOf(2, PAIR_OF_NUMBERS);

  private static final FutharkProgram PROGRAM =
      new FutharkProgram() {
        @Override
        public String name() {
          return "test";
        }

        @Override
        public String backend() {
          return "test";
        }

        @Override
        public EntryPoint[] entryPoints() {
          return new EntryPoint[] {
            entry("sum_of", F64, a -> new Value[] {Scalar.f64(sum((ArrayValue) a[0]))}, F64S),
            entry(
                "negate",
                F64S,
                a -> {
                  double[] xs = (double[]) ((ArrayValue) a[0]).data();
                  for (int i = 0; i < xs.length; i++) {
                    xs[i] = -xs[i];
                  }
                  return a;
                },
                F64S),
            entry("rows", I32SS, a -> a, I32SS),
            entry("pair", PAIR, a -> a, POINT, I32SS),
            entry("same_points", POINTS, a -> a, POINTS),
            entry("same_grid", GRID, a -> a, GRID),
            entry("first", POINT, a -> new Value[] {a[0], a[1]}, PAIR),
          };
        }
      };

  private static double sum(ArrayValue v) {
    double s = 0;
    for (int i = 0; i < v.size(); i++) {
      s += ((double[]) v.data())[i];
    }
    return s;
  }

  private static EntryPoint entry(
      String name, ValueType result, Function<Value[], Value[]> body, ValueType... parameters) {
    EntryPoint.Parameter[] ps = new EntryPoint.Parameter[parameters.length];
    for (int i = 0; i < ps.length; i++) {
      ps[i] = new EntryPoint.Parameter("p" + i, parameters[i], name.equals("negate"));
    }
    return new EntryPoint(name, ps, result, false, new String[0], new String[0]) {
      @Override
      public Value[] call(Context ctx, Value[] args) {
        return body.apply(args);
      }
    };
  }

  private final LoadedProgram program =
      new LoadedProgram(PROGRAM, Context.of(PROGRAM, System.err).threads(1).build());

  @AfterEach
  void close() {
    program.close();
  }

  /**
   * A record with components in another order than the Futhark fields. Components match fields by
   * name.
   */
  public record Point(int name, double x) {}

  /** A record for a tuple. Components match by position. */
  public record Pair(Point point, int[][] rows) {}

  /** A record for a tuple of scalars. */
  public record Numbers(int a, double b) {}

  /** Entry points with arrays of records and tuples. */
  public interface Arrays {
    Point[] samePoints(Point[] points);

    Numbers[][] sameGrid(Numbers[][] grid);
  }

  @Test
  void arraysOfRecords() {
    Arrays arrays = program.bind(Arrays.class);
    Point[] points = {new Point(1, 0.5), new Point(2, -3)};
    assertArrayEquals(points, arrays.samePoints(points));
    assertEquals(0, arrays.samePoints(new Point[0]).length);
    Numbers[][] grid = {
      {new Numbers(1, 2), new Numbers(3, 4), new Numbers(5, 6)},
      {new Numbers(7, 8), new Numbers(9, 10), new Numbers(11, 12)}
    };
    assertArrayEquals(grid, arrays.sameGrid(grid));
    Numbers[][] ragged = {grid[0], {grid[1][0]}};
    assertThrows(IllegalArgumentException.class, () -> arrays.sameGrid(ragged));
    Point[] called = program.callFor(Point[].class, "same_points", (Object) points);
    assertArrayEquals(points, called);
    assertEquals(
        points[1], program.callFor(Point.class, "first", new Pair(points[1], new int[0][0])));
    assertThrows(
        IllegalArgumentException.class,
        () -> program.callFor(Numbers.class, "same_points", (Object) points));
  }

  /** An interface as a user of the compiler writes it. */
  public interface Binding extends AutoCloseable {
    double sumOf(DoubleBuffer xs);

    double[] negate(double[] xs);

    Pair pair(Point p, int[][] rows);

    Point first(Pair pair);

    default double twice(double[] xs) {
      return 2 * sumOf(DoubleBuffer.wrap(xs));
    }

    @Override
    void close();
  }

  @Test
  void arraysAndScalarsGoInAndOut() {
    assertEquals(6.0, program.call("sum_of", (Object) new double[] {1, 2, 3}));
    int[][] rows = {{1, 2, 3}, {4, 5, 6}};
    assertArrayEquals(rows, (int[][]) program.call("rows", (Object) rows));
    assertArrayEquals(new int[2][0], (int[][]) program.call("rows", (Object) new int[2][0]));
    assertArrayEquals(new int[0][], (int[][]) program.call("rows", (Object) new int[0][]));
  }

  @Test
  void recycledBlocksAreCutToTheShape() {
    ArrayValue longer = new ArrayValue(ElemType.F64, new long[] {2}, new double[] {1, 2, 99});
    assertArrayEquals(new double[] {-1, -2}, (double[]) program.call("negate", longer));
  }

  @Test
  void consumedArgumentsAreCopied() {
    double[] xs = {1, 2};
    assertArrayEquals(new double[] {-1, -2}, (double[]) program.call("negate", (Object) xs));
    assertArrayEquals(new double[] {1, 2}, xs);
  }

  @Test
  void interfacesBindToEntryPoints() {
    try (Binding b = program.bind(Binding.class)) {
      assertEquals(3.0, b.sumOf(DoubleBuffer.wrap(new double[] {9, 1, 2}).position(1).slice()));
      assertEquals(12.0, b.twice(new double[] {1, 2, 3}));
      Pair pair = b.pair(new Point(7, 0.5), new int[][] {{1}, {2}});
      assertEquals(new Point(7, 0.5), pair.point());
      assertArrayEquals(new int[][] {{1}, {2}}, pair.rows());
      assertEquals(new Point(7, 0.5), b.first(pair));
    }
  }

  @Test
  void opaqueValuesAreHandles() {
    Object pair = program.call("pair", new Point(1, 2), new int[0][0]);
    assertTrue(pair instanceof OpaqueValue);
    OpaqueValue first = (OpaqueValue) program.call("first", pair);
    assertEquals("point", first.type().name());
  }

  @Test
  void aValueOfAnotherProgramIsRefusedIfItsTypeOnlyHasTheName() {
    ValueType other =
        new ValueType.Opaque("point", new ValueType.Record(new ValueType.Field("x", F64)));
    OpaqueValue foreign = new OpaqueValue((ValueType.Opaque) other, new Value[] {Scalar.f64(1)});
    assertMessage(
        () -> program.call("pair", foreign, new int[0][0]), "argument 1 of pair", "point");
  }

  @Test
  void nothingRunsInAClosedProgram() {
    program.close();
    assertThrows(
        IllegalStateException.class, () -> program.call("sum_of", (Object) new double[] {1}));
  }

  private interface Wrong {
    int sumOf(double[] xs);
  }

  private interface Unknown {
    void nothing();
  }

  @Test
  void entryPointsTellTheirTypes() {
    assertEquals(
        List.of("[]f64"), program.parameters("sum_of").stream().map(p -> "" + p.type()).toList());
    assertEquals("f64", program.result("sum_of").toString());
    assertMessage(() -> program.result("nonsense"), "no entry point nonsense");
  }

  @Test
  void whatDoesNotFitIsRefusedByName() {
    assertMessage(() -> program.call("sum_of", 1), "argument 1 of sum_of", "[]f64");
    assertMessage(() -> program.call("sum_of"), "takes 1 argument, not 0");
    assertMessage(() -> program.call("nonsense"), "no entry point nonsense", "sum_of");
    assertMessage(() -> program.call("rows", (Object) new int[][] {{1, 2}, {3}}), "irregular");
    assertMessage(() -> program.bind(Wrong.class), "result", "f64");
    assertMessage(() -> program.bind(Unknown.class), "nothing");
  }

  private static void assertMessage(
      org.junit.jupiter.api.function.Executable call, String... words) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }
}
