package futharkc.core.runtime.executable;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Parallel;
import futharkc.core.runtime.ParallelRegion;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.util.stream.IntStream;

/** A hand-written program in the form of a compiled one. */
public final class SampleProgram extends FutharkProgram {
  private static final ValueType I32 = new ValueType.Prim(ElemType.I32);
  private static final ValueType BOOL = new ValueType.Prim(ElemType.BOOL);
  private static final ValueType I32S = new ValueType.Array(ElemType.I32, 1);
  private static final ValueType.Opaque PAIR =
      opaque(
          "(i32, bool)",
          new ValueType.Record(new ValueType.Field("0", I32), new ValueType.Field("1", BOOL)));
  private static final ValueType PAIRS = ValueType.arrayOf(1, PAIR);
  private static final ValueType TUPLE =
      opaque(
          "(i32, []i32)",
          new ValueType.Record(new ValueType.Field("0", I32), new ValueType.Field("1", I32S)));
  private static final ValueType RECORD =
      opaque(
          "point",
          new ValueType.Record(new ValueType.Field("x", I32), new ValueType.Field("y", I32)));
  private static final ValueType SUM =
      opaque(
          "shape",
          new ValueType.Sum(
              new ValueType.Part[] {
                new ValueType.Part(ElemType.I8),
                new ValueType.Part(ElemType.I32, "n"),
                new ValueType.Part(ElemType.BOOL, "n", "2"),
                new ValueType.Part(ElemType.I32),
                new ValueType.Part(ElemType.I32)
              },
              new ValueType.Variant(
                  "ints", new ValueType[] {I32S, RECORD}, new int[][] {{1}, {3, 4}}),
              new ValueType.Variant(
                  "bools",
                  new ValueType[] {new ValueType.Array(ElemType.BOOL, 2)},
                  new int[][] {{2}})));
  private static final ValueType SECRET =
      opaque("secret", new ValueType.Abstract(new ValueType.Part(ElemType.I64)));

  private int[] constant = {};

  private static ValueType.Opaque opaque(String name, ValueType.Structure structure) {
    return new ValueType.Opaque(name, structure);
  }

  private static EntryPoint.Parameter param(String name, ValueType type) {
    return new EntryPoint.Parameter(name, type, false);
  }

  private static EntryPoint.Parameter unique(String name, ValueType type) {
    return new EntryPoint.Parameter(name, type, true);
  }

  private interface Body {
    Value[] call(Context ctx, Value[] args);
  }

  private static EntryPoint entry(
      String name, ValueType result, boolean unique, Body body, EntryPoint.Parameter... params) {
    return new EntryPoint(
        name, params, result, unique, new String[] {"sample.grain"}, new String[] {"noinline"}) {
      @Override
      public Value[] call(Context ctx, Value[] args) {
        return body.call(ctx, args);
      }
    };
  }

  private static Value[] values(Value... values) {
    return values;
  }

  @Override
  public String name() {
    return "sample";
  }

  @Override
  public String backend() {
    return "none";
  }

  @Override
  public TuningParameter[] tuningParameters() {
    return new TuningParameter[] {new TuningParameter("sample.grain", "threshold(def, )", 10)};
  }

  @Override
  public void initialise(Context ctx) {
    constant = ctx.memory().ints(2000, "");
    java.util.Arrays.fill(constant, 7);
    ctx.memory().pin(constant);
  }

  @Override
  public EntryPoint[] entryPoints() {
    return new EntryPoint[] {
      entry("main", I32, true, SampleProgram::sum, param("xs", I32S)),
      entry("increment", I32S, true, SampleProgram::increment, unique("xs", I32S)),
      entry(
          "constant",
          I32S,
          false,
          (ctx, args) -> values(new ArrayValue(ElemType.I32, new long[] {2000}, constant))),
      entry(
          "iota",
          TUPLE,
          true,
          (ctx, args) -> {
            long n = ((Scalar) args[0]).asLong();
            int[] out = ctx.memory().ints(n, "");
            for (int i = 0; i < n; i++) {
              out[i] = i;
            }
            return values(args[0], new ArrayValue(ElemType.I32, new long[] {n}, out));
          },
          param("n", I32)),
      entry("pairs", PAIRS, true, (ctx, args) -> args, param("", PAIRS)),
      entry("point", RECORD, true, (ctx, args) -> values(args[1], args[0]), param("", RECORD)),
      entry("shape", SUM, false, (ctx, args) -> args, param("s", SUM)),
      entry("secret", SECRET, true, (ctx, args) -> values(Scalar.i64(1))),
      entry("grain", I32, true, (ctx, args) -> values(Scalar.i32((int) ctx.tuning(0)))),
      entry(
          "fail",
          I32,
          true,
          (ctx, args) -> {
            throw new FutharkError("Index [1] out of bounds.", "-> #0  a.fut:1:2-3");
          }),
      entry(
          "memory",
          I32,
          true,
          (ctx, args) -> values(Scalar.i32(ctx.memory().ints(1L << 40, "sample.fut:3:5-20")[0]))),
      entry(
          "fail_late",
          I32S,
          true,
          (ctx, args) -> {
            increment(ctx, args);
            ctx.memory().ints(10_000, "");
            throw new FutharkError("Too late.");
          },
          unique("xs", I32S))
    };
  }

  private static Value[] sum(Context ctx, Value[] args) {
    ArrayValue xs = (ArrayValue) args[0];
    int[] data = (int[]) xs.data();
    int n = xs.length();
    int chunks = Parallel.chunkCount(ctx, n, ctx.tuning(0), 8);
    int[] partial = new int[chunks];
    ParallelRegion region =
        new ParallelRegion(ctx, n, chunks) {
          @Override
          protected void run(int chunk, long from, long to) {
            for (int i = (int) from; i < to; i++) {
              partial[chunk] += data[i];
            }
          }
        };
    IntStream.range(0, region.begin()).parallel().forEach(region);
    region.end("sum", "a.fut:1:1-10");
    int sum = 0;
    for (int x : partial) {
      sum += x;
    }
    return values(Scalar.i32(sum));
  }

  private static Value[] increment(Context ctx, Value[] args) {
    ArrayValue xs = (ArrayValue) args[0];
    int[] data = (int[]) xs.data();
    for (int i = 0; i < xs.size(); i++) {
      data[i]++;
    }
    return args;
  }
}
