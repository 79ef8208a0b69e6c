package futharkc.tests.fuzz;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Program;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.tests.kit.source.MappedDerivatives;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.SourceType.Prim;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Compares derivatives of {@link MappedDerivatives} in the interpreter, before any pass, with those
 * of compiled programs. Numbers may differ by rounding; a difference counts only if a second point
 * shows one too, because rounding decides between branches where two numbers are nearly equal.
 */
final class MappedDerivativeTrial {
  private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());
  private static final double TOLERANCE = 1e-8;

  /** Sizes n and m of the arguments. */
  private static final int[][] SIZES = {{3, 2}, {1, 4}, {0, 2}, {2, 0}};

  private final Compiler compiler = Compiler.create();
  private final List<String> targets;
  private final Map<String, Device> devices = new HashMap<>();

  /** The number of finite elements that were compared. */
  long compared;

  MappedDerivativeTrial(List<String> targets) {
    this.targets = targets;
  }

  /** Returns the first failure of a program, or null if there is none. */
  Trial.@Nullable Failure run(RandomProgram program, long seed) {
    String where = "front end";
    try {
      Source source = Source.ofText("random.fut", program.text());
      Program start =
          compiler
              .optimise(source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null)
              .program();
      for (String target : targets) {
        where = target;
        CompilerOptions options =
            CompilerOptions.DEFAULT.withTarget(target).withPasses("-contraction").withThreads(1);
        try (Context context = context(compiler.compile(source, options), target)) {
          Trial.Failure failure = compare(start, context, seed, target);
          if (failure != null) {
            return failure;
          }
        }
      }
      return null;
    } catch (ProgramRejectedException e) {
      return new Trial.Failure("rejected", String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      StackTraceElement[] trace = root.getStackTrace();
      String first = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
      return new Trial.Failure(
          where
              + ": "
              + root.getClass().getSimpleName()
              + (trace.length == 0 ? "" : " " + trace[0]),
          first + "\n" + Arrays.toString(Arrays.copyOf(trace, Math.min(12, trace.length))));
    }
  }

  private Context context(Compiled compiled, String target) {
    Context.Builder builder = Context.of(compiled.instance(), NOWHERE).threads(2);
    if (!target.equals("multicore") && !target.equals("c")) {
      builder.accelerator(
          devices.computeIfAbsent(
              target,
              t ->
                  compiled.openDevice(
                      t.equals("opencl")
                          ? new DeviceOptions.Builder().compilerOption("-cl-opt-disable").build()
                          : new DeviceOptions.Builder().build())));
    }
    return builder.build();
  }

  private Trial.@Nullable Failure compare(
      Program start, Context context, long seed, String target) {
    Random random = new Random(seed);
    for (int[] sizes : SIZES) {
      int m = sizes[1];
      int n = MappedDerivatives.isSquare(seed) ? m : sizes[0];
      for (int i = 0; i < MappedDerivatives.ENTRIES; i++) {
        String entry = "d" + i;
        String wrong = difference(start, context, entry, arguments(seed, n, m, random));
        if (wrong == null) {
          continue;
        }
        wrong = difference(start, context, entry, arguments(seed, n, m, random));
        if (wrong != null) {
          String kind = wrong.lines().findFirst().orElse("");
          return new Trial.Failure(target + ": " + kind, entry + "\n" + wrong);
        }
      }
    }
    return null;
  }

  private static List<Value> arguments(long seed, int n, int m, Random random) {
    boolean ints = MappedDerivatives.number(seed) == Prim.I32;
    return List.of(
        value(ints, random),
        value(ints, random, n),
        value(ints, random, m),
        value(ints, random, n, m));
  }

  private static Value value(boolean ints, Random random, long... shape) {
    int size = Math.toIntExact(ArrayValue.size(shape));
    Object data =
        ints ? random.ints(size, -9, 10).toArray() : random.doubles(size, -1.5, 1.5).toArray();
    if (shape.length > 0) {
      return new ArrayValue(ints ? ElemType.I32 : ElemType.F64, shape, data);
    }
    return ints ? Scalar.i32(((int[]) data)[0]) : Scalar.f64(((double[]) data)[0]);
  }

  /** Returns the difference between the interpreter and a compiled program, or null for none. */
  private @Nullable String difference(
      Program start, Context context, String entry, List<Value> arguments) {
    Object expected;
    try {
      expected = Interpreter.run(start, entry, RandomInputs.copy(arguments), Options.DEFAULT);
    } catch (FutharkError e) {
      expected = e.getMessage();
    }
    Object got;
    try {
      var point =
          Arrays.stream(context.program().entryPoints())
              .filter(p -> p.name().equals(entry))
              .findFirst()
              .orElseThrow();
      Value result = context.run(point, RandomInputs.copy(arguments).toArray(new Value[0]));
      List<Value> parts = new ArrayList<>();
      for (Value part : Opaques.parts(result)) {
        parts.add(part instanceof ArrayValue a ? a.onHost() : part);
      }
      got = parts;
    } catch (FutharkError e) {
      got = e.getMessage();
    }
    if (expected instanceof List<?> a && got instanceof List<?> b) {
      if (same(a, b)) {
        return null;
      }
    } else if (expected instanceof String && got instanceof String) {
      return null;
    }
    return "other result\n"
        + RandomInputs.text(arguments)
        + "expected\n"
        + text(expected)
        + "\ngot\n"
        + text(got);
  }

  private static String text(Object outcome) {
    return outcome instanceof List<?> l
        ? RandomInputs.text(l.stream().map(Value.class::cast).toList())
        : "error " + outcome;
  }

  private boolean same(List<?> expected, List<?> got) {
    if (expected.size() != got.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!(expected.get(i) instanceof ArrayValue a && got.get(i) instanceof ArrayValue b)) {
        throw new IllegalArgumentException("results are arrays");
      }
      if (!Arrays.equals(a.shape(), b.shape())) {
        return false;
      }
      double scale = 1;
      for (int j = 0; j < a.size(); j++) {
        double x = Math.abs(number(a.element(j)));
        if (Double.isFinite(x)) {
          scale = Math.max(scale, x);
        }
      }
      double most = a.elemType() == ElemType.I32 ? 0 : TOLERANCE * scale;
      for (int j = 0; j < a.size(); j++) {
        double x = number(a.element(j));
        double y = number(b.element(j));
        // The derivative at a pole depends on how it is computed.
        if (!Double.isFinite(x)) {
          continue;
        }
        compared++;
        if (x != y && !(Math.abs(x - y) <= most)) {
          return false;
        }
      }
    }
    return true;
  }

  private static double number(Scalar s) {
    return s.type() == ElemType.F64 ? s.asDouble() : s.bits();
  }
}
