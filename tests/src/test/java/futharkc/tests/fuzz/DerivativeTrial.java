package futharkc.tests.fuzz;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.driver.pipeline.Pipeline;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.TestMachine;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.SmoothPrograms;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the derivatives of programs of {@link SmoothPrograms}: forward, reverse, several
 * directions at a time, and finite differences. With a plan, the program after the plan must have
 * the same derivatives.
 */
final class DerivativeTrial {
  private static final int DIRECTIONS = 2;
  private static final double STEP = 1e-6;

  /** The number of finite elements that were compared. */
  long compared;

  private final Compiler compiler = Compiler.create();

  /** Returns a plan with the pass that differentiates, or null if no pass does. */
  @Nullable String plan() {
    return compiler.registry().passes().values().stream()
        .map(p -> p.info())
        .filter(i -> i.establishes().contains(Property.DIFFERENTIATED))
        .map(i -> "inline,simplify," + i.name() + ",simplify")
        .findFirst()
        .orElse(null);
  }

  /** A failure that ends the comparison for this program. */
  private static final class WrongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String kind;

    WrongException(String kind, String details) {
      super(details);
      this.kind = kind;
    }
  }

  /** Compares the derivatives of a program; returns null if they agree. */
  Trial.@Nullable Failure run(RandomProgram program, long seed, @Nullable String plan) {
    try {
      Program start = lowered(program);
      Prim number = SmoothPrograms.number(seed);
      Random random = new Random(seed);
      for (int i = 0; i < 2; i++) {
        boolean nested = SmoothPrograms.isNested(seed);
        Point point = new Point(number, nested, random.nextInt(5), random.nextInt(4), random);
        List<List<Value>> results = point.check(start);
        if (plan != null) {
          point.compare(results, planned(start, plan), plan);
        }
      }
      return null;
    } catch (WrongException e) {
      return new Trial.Failure(e.kind, String.valueOf(e.getMessage()));
    } catch (ProgramRejectedException e) {
      return new Trial.Failure("rejected", e.getMessage());
    } catch (RuntimeException | Error e) {
      StackTraceElement[] trace = e.getStackTrace();
      String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      return new Trial.Failure(
          e.getClass().getSimpleName() + (trace.length == 0 ? "" : " at " + trace[0]),
          first + "\n" + Arrays.toString(Arrays.copyOf(trace, Math.min(8, trace.length))));
    }
  }

  private Program lowered(RandomProgram program) {
    return lowered(program.text());
  }

  /** Returns a program after the front end. */
  Program lowered(String text) {
    Compiled lowered =
        compiler.optimise(
            Source.ofText("random.fut", text),
            CompilerOptions.DEFAULT.withPasses("none").withThreads(1),
            null);
    return lowered.program();
  }

  /** Returns a program after the passes of a plan. */
  Program planned(Program start, String text) {
    List<PassInfo> passes =
        compiler.registry().passes().values().stream().map(p -> p.info()).toList();
    Plan plan =
        new Solver(passes)
            .exactly(text, new State(Rep.SOACS, Set.of()), new Goal("the test", Rep.SOACS));
    List<Ir> programs = new ArrayList<>(List.of(start));
    Pipeline.Settings settings =
        new Pipeline.Settings(
            TestMachine.WITH_DEVICE,
            1,
            Verifier::verify,
            null,
            new Timings(),
            List.of((index, step, made) -> programs.add(made)),
            Thread.currentThread()::isInterrupted);
    new Pipeline(compiler.registry(), settings).run(start, plan, plan.steps().size());
    return (Program) programs.getLast();
  }

  /** Returns all numbers of some values, in order, as doubles. */
  private static double[] numbers(List<Value> values) {
    List<Double> all = new ArrayList<>();
    for (Value v : values) {
      switch (v) {
        case Scalar s -> all.add(number(s));
        case ArrayValue a -> {
          ArrayValue row = new ArrayValue(a.elemType(), new long[] {a.size()}, a.data());
          for (int i = 0; i < a.size(); i++) {
            if (row.element(i) instanceof Scalar s) {
              all.add(number(s));
            }
          }
        }
        default -> throw new IllegalArgumentException("opaque: " + v);
      }
    }
    return all.stream().mapToDouble(x -> x).toArray();
  }

  private static double number(Scalar s) {
    return s.type() == ElemType.F64 ? Double.longBitsToDouble(s.bits()) : s.bits();
  }

  /** A point with directions and adjoints. */
  private final class Point {
    private final Prim number;
    private final boolean nested;
    private final Random random;
    private final int n;
    private final int m;
    private final List<Value> at;
    private final List<List<Value>> tangents = new ArrayList<>();
    private final List<List<Value>> adjoints = new ArrayList<>();

    Point(Prim number, boolean nested, int n, int m, Random random) {
      this.number = number;
      this.nested = nested;
      this.random = random;
      this.n = n;
      this.m = m;
      this.at = arguments();
      for (int k = 0; k < DIRECTIONS; k++) {
        tangents.add(arguments());
        adjoints.add(List.of(value(), value(n)));
      }
    }

    private List<Value> arguments() {
      return List.of(value(), value(n), value(m), value(n, m));
    }

    private Value value(long... shape) {
      int size = Math.toIntExact(ArrayValue.size(shape));
      boolean ints = number == Prim.I32;
      Object data =
          ints ? random.ints(size, -9, 10).toArray() : random.doubles(size, -1.5, 1.5).toArray();
      if (shape.length > 0) {
        return new ArrayValue(ints ? ElemType.I32 : ElemType.F64, shape, data);
      }
      return ints ? Scalar.i32(((int[]) data)[0]) : Scalar.f64(((double[]) data)[0]);
    }

    private static List<Value> with(List<Value> a, List<Value> b) {
      List<Value> all = new ArrayList<>(a);
      all.addAll(b);
      return all;
    }

    /** Stacks the components of several values: each result has an additional outer dimension. */
    private static List<Value> together(List<List<Value>> values) {
      List<Value> all = new ArrayList<>();
      for (int i = 0; i < values.getFirst().size(); i++) {
        List<Value> parts = new ArrayList<>();
        for (List<Value> v : values) {
          parts.add(v.get(i));
        }
        double[] numbers = numbers(parts);
        Value first = parts.getFirst();
        long[] inner = first instanceof ArrayValue a ? a.shape() : new long[0];
        long[] shape = new long[inner.length + 1];
        shape[0] = parts.size();
        System.arraycopy(inner, 0, shape, 1, inner.length);
        ElemType t = first instanceof ArrayValue a ? a.elemType() : ((Scalar) first).type();
        Object data =
            t == ElemType.F64 ? numbers : Arrays.stream(numbers).mapToInt(x -> (int) x).toArray();
        all.add(new ArrayValue(t, shape, data));
      }
      return all;
    }

    /**
     * Returns the results of the entry points in order, with one result for each direction if an
     * entry point takes one.
     */
    private List<List<Value>> results(Program program) {
      List<List<Value>> all = new ArrayList<>();
      all.add(call(program, "primal", at));
      for (List<Value> t : tangents) {
        all.add(call(program, "forward", with(at, t)));
      }
      for (List<Value> a : adjoints) {
        all.add(call(program, "reverse", with(at, a)));
      }
      all.add(call(program, "forwards", with(at, together(tangents))));
      all.add(call(program, "reverses", with(at, together(adjoints))));
      if (nested) {
        List<Value> along = with(at, tangents.get(0));
        List<Value> against = with(at, adjoints.get(0));
        all.add(call(program, "forward_forward", with(along, tangents.get(1))));
        all.add(call(program, "reverse_forward", with(along, adjoints.get(0))));
        all.add(call(program, "forward_reverse", with(against, tangents.get(0))));
        all.add(call(program, "reverse_reverse", with(against, tangents.get(0))));
      }
      return all;
    }

    private List<Value> call(Program program, String entry, List<Value> args) {
      try {
        return Interpreter.run(program, entry, args, Options.DEFAULT);
      } catch (FutharkError e) {
        throw wrong("error in " + entry, String.valueOf(e.getMessage()));
      }
    }

    private WrongException wrong(String kind, String details) {
      return new WrongException(
          kind, "n = " + n + ", m = " + m + "\nat\n" + RandomInputs.text(at) + details);
    }

    List<List<Value>> check(Program program) {
      List<List<Value>> results = results(program);
      List<Value> primal = results.getFirst();
      for (List<Value> r : results.subList(0, 3 + 2 * DIRECTIONS)) {
        same("the result itself", primal, r.subList(0, 2), 0);
      }
      for (int k = 0; k < DIRECTIONS; k++) {
        List<Value> tangent = forward(results, k);
        differences(program, primal, tangents.get(k), tangent);
        for (int j = 0; j < DIRECTIONS; j++) {
          transposed(tangents.get(k), tangent, adjoints.get(j), reverse(results, j));
        }
      }
      List<List<Value>> forwards = List.of(forward(results, 0), forward(results, 1));
      List<List<Value>> reverses = List.of(reverse(results, 0), reverse(results, 1));
      List<Value> all = results.get(1 + 2 * DIRECTIONS);
      same("forward directions together", together(forwards), all.subList(2, all.size()), 1e-12);
      all = results.get(2 + 2 * DIRECTIONS);
      same("adjoints together", together(reverses), all.subList(2, all.size()), 1e-12);
      if (nested) {
        nested(results.subList(3 + 2 * DIRECTIONS, results.size()));
      }
      return results;
    }

    /**
     * Checks that the second derivative is linear in both directions and the adjoint, and does not
     * depend on the order of differentiation.
     */
    private void nested(List<List<Value>> results) {
      List<Value> first = results.get(1);
      transposed(tangents.get(1), results.get(0), adjoints.get(0), first);
      same("forward of reverse", first, results.get(2), 1e-9);
      same("reverse of reverse", first, results.get(3), 1e-9);
    }

    private static List<Value> forward(List<List<Value>> results, int k) {
      return results.get(1 + k).subList(2, 4);
    }

    private static List<Value> reverse(List<List<Value>> results, int k) {
      return results.get(1 + DIRECTIONS + k).subList(2, 6);
    }

    private void same(String what, List<Value> expected, List<Value> actual, double tolerance) {
      double[] a = numbers(expected);
      double[] b = numbers(actual);
      boolean same = a.length == b.length;
      double most = number == Prim.I32 ? 0 : tolerance;
      double scale = 1 + Arrays.stream(a).map(Math::abs).filter(Double::isFinite).max().orElse(0);
      for (int i = 0; same && i < a.length; i++) {
        compared += Double.isFinite(a[i]) ? 1 : 0;
        // A non-finite derivative depends on the order of evaluation, so it is not compared.
        same = !Double.isFinite(a[i]) || a[i] == b[i] || Math.abs(a[i] - b[i]) <= most * scale;
      }
      if (!same) {
        throw wrong(
            "different: " + what,
            "expected\n" + RandomInputs.text(expected) + "got\n" + RandomInputs.text(actual));
      }
    }

    /**
     * Checks that the inner product of adjoint and tangent is equal before and after the function.
     */
    private void transposed(
        List<Value> tangent, List<Value> image, List<Value> adjoint, List<Value> preimage) {
      double[] left = products(adjoint, image);
      double[] right = products(preimage, tangent);
      if (number == Prim.I32) {
        if (wrapped(adjoint, image) == wrapped(preimage, tangent)) {
          return;
        }
      } else {
        double scale = 1 + Arrays.stream(left).map(Math::abs).sum();
        scale += Arrays.stream(right).map(Math::abs).sum();
        double difference = Arrays.stream(left).sum() - Arrays.stream(right).sum();
        if (!Double.isFinite(scale) || Math.abs(difference) <= 1e-9 * scale) {
          return;
        }
      }
      throw wrong(
          "reverse is not the transpose of forward",
          "tangent\n"
              + RandomInputs.text(tangent)
              + "gives\n"
              + RandomInputs.text(image)
              + "adjoint\n"
              + RandomInputs.text(adjoint)
              + "gives\n"
              + RandomInputs.text(preimage));
    }

    private static double[] products(List<Value> a, List<Value> b) {
      double[] x = numbers(a);
      double[] y = numbers(b);
      for (int i = 0; i < x.length; i++) {
        x[i] *= y[i];
      }
      return x;
    }

    private static int wrapped(List<Value> a, List<Value> b) {
      double[] x = numbers(a);
      double[] y = numbers(b);
      int sum = 0;
      for (int i = 0; i < x.length; i++) {
        sum += ((int) x[i]) * ((int) y[i]);
      }
      return sum;
    }

    /**
     * Compares the tangent with central differences if the one-sided differences agree; otherwise
     * the function has a kink or jump.
     */
    private void differences(
        Program program, List<Value> primal, List<Value> tangent, List<Value> image) {
      if (number == Prim.I32) {
        return;
      }
      double[] here = numbers(primal);
      double[] after = numbers(call(program, "primal", moved(tangent, STEP)));
      double[] before = numbers(call(program, "primal", moved(tangent, -STEP)));
      double[] derivative = numbers(image);
      for (int i = 0; i < here.length; i++) {
        double up = (after[i] - here[i]) / STEP;
        double down = (here[i] - before[i]) / STEP;
        double expected = (up + down) / 2;
        double scale = 1 + Math.abs(expected) + Math.abs(here[i]);
        if (!Double.isFinite(scale) || Math.abs(up - down) > 1e-4 * scale) {
          continue;
        }
        if (!(Math.abs(expected - derivative[i]) <= 1e-4 * scale)) {
          throw wrong(
              "not near differences",
              "number "
                  + i
                  + " of the results: "
                  + derivative[i]
                  + ", differences "
                  + expected
                  + "\nalong\n"
                  + RandomInputs.text(tangent));
        }
      }
    }

    private List<Value> moved(List<Value> tangent, double step) {
      List<Value> all = new ArrayList<>();
      for (int i = 0; i < at.size(); i++) {
        double[] x = numbers(List.of(at.get(i)));
        double[] d = numbers(List.of(tangent.get(i)));
        for (int j = 0; j < x.length; j++) {
          x[j] += step * d[j];
        }
        all.add(
            at.get(i) instanceof ArrayValue a
                ? new ArrayValue(ElemType.F64, a.shape(), x)
                : Scalar.f64(x[0]));
      }
      return all;
    }

    void compare(List<List<Value>> expected, Program differentiated, String plan) {
      List<List<Value>> actual = results(differentiated);
      for (int i = 0; i < expected.size(); i++) {
        same("after " + plan + ", result " + i, expected.get(i), actual.get(i), 1e-9);
      }
    }
  }
}
