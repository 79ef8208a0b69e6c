package futharkc.tests.fuzz;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.ir.Program;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests of the derivative of each scalar operation for each type, forward and in reverse for each
 * operand, at random points. The tests compare the pass with the interpreter, which has its own
 * partial derivatives. {@code PartialsTest} compares those with finite differences.
 */
final class ScalarDerivativesTest {
  private static final int POINTS = 24;
  private static final List<String> FLOATS = List.of("f16", "f32", "f64");
  private static final List<String> SIGNED = List.of("i8", "i16", "i32", "i64");
  private static final List<String> UNSIGNED = List.of("u8", "u16", "u32", "u64");

  /** The range of the operands of a function. */
  private record Range(double from, double to) {}

  /**
   * An operation.
   *
   * @param text the expression over x, y and z of the operand types
   */
  private record Operation(String text, List<String> types, String result, List<Range> ranges) {}

  private final List<Operation> all = new ArrayList<>();

  private void add(String text, String type, double... ends) {
    List<String> types = new ArrayList<>();
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < ends.length; i += 2) {
      types.add(type);
      ranges.add(new Range(ends[i], ends[i + 1]));
    }
    all.add(new Operation(text.replace("T.", type + "."), types, type, ranges));
  }

  private void addFloats(String t) {
    for (String f : List.of("sqrt", "rsqrt", "log", "log2", "log10")) {
      add("T." + f + " x", t, 0.1, 9);
    }
    for (String f :
        List.of(
            "cbrt", "exp", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "atan",
            "atanpi", "abs", "sgn", "ceil", "floor", "round", "trunc", "neg")) {
      add("T." + f + " x", t, -3, 3);
    }
    add("T.log1p x", t, -0.8, 4);
    add("T.tan x", t, -1.4, 1.4);
    for (String f : List.of("asin", "acos", "atanh", "asinpi", "acospi", "sinpi", "cospi")) {
      add("T." + f + " x", t, -0.9, 0.9);
    }
    add("T.tanpi x", t, -0.45, 0.45);
    add("T.acosh x", t, 1.1, 6);
    add("T.gamma x", t, 0.3, 4);
    add("T.lgamma x", t, 0.3, 9);
    for (String op : List.of("+", "-", "*", "/", "%")) {
      add("x " + op + " y", t, -3, 3, 0.2, 3);
    }
    add("x ** y", t, -1, 3, -2, 3);
    add("x ** y", t, 0, 0, -1, 2);
    for (String f : List.of("min", "max", "atan2", "atan2pi", "hypot", "copysign", "nextafter")) {
      add("T." + f + " x y", t, -3, 3, -3, 3);
    }
    add("T.min x y", t, 1, 1, 1, 1);
    add("T.max x y", t, 1, 1, 1, 1);
    for (String f : List.of("fma", "mad", "lerp")) {
      add("T." + f + " x y z", t, -2, 2, -2, 2, -1, 2);
    }
    all.add(
        new Operation(
            t + ".ldexp x y", List.of(t, "i32"), t, List.of(new Range(-2, 2), new Range(-3, 4))));
  }

  private void addIntegers(String t, boolean signed) {
    double least = signed ? -100 : 0;
    for (String op : List.of("+", "-", "*", "&", "|", "^")) {
      add("x " + op + " y", t, least, 120, least, 120);
    }
    for (String op : List.of("/", "%", "//", "%%")) {
      add("x " + op + " y", t, least, 120, 1, 9);
      if (signed) {
        add("x " + op + " y", t, least, 120, -9, -1);
      }
    }
    add("x ** y", t, least, 120, 0, 5);
    for (String op : List.of("<<", ">>")) {
      add("x " + op + " y", t, least, 120, 0, 7);
    }
    for (String f : List.of("min", "max")) {
      add("T." + f + " x y", t, least / 50, 2, least / 50, 2);
    }
    for (String f : List.of("abs", "sgn", "not", "neg")) {
      add("T." + f + " x", t, least, 120);
    }
    for (String f : List.of("popc", "clz", "ctz")) {
      all.add(new Operation(t + "." + f + " x", List.of(t), "i32", List.of(new Range(least, 120))));
    }
    add("T.mul_hi x y", t, least, 120, least, 120);
    add("T.mad_hi x y z", t, least, 120, least, 120, least, 120);
  }

  private void addConversions() {
    List<String> types = new ArrayList<>(FLOATS);
    types.addAll(SIGNED);
    types.addAll(UNSIGNED);
    types.add("bool");
    for (String to : types) {
      for (String from : types) {
        double least = UNSIGNED.contains(to) || UNSIGNED.contains(from) ? 0 : -50;
        all.add(
            new Operation(
                to + "." + from + " x", List.of(from), to, List.of(new Range(least, 50))));
      }
    }
    for (String bits : List.of("16", "32", "64")) {
      String f = "f" + bits;
      String u = "u" + bits;
      all.add(new Operation(f + ".to_bits x", List.of(f), u, List.of(new Range(-3, 3))));
      all.add(new Operation(f + ".from_bits x", List.of(u), f, List.of(new Range(1000, 9000))));
    }
  }

  private static final List<String> NAMES = List.of("x", "y", "z");

  /** Returns an entry point that takes the derivatives of an operation at several points. */
  private static String entry(Operation op, int number) {
    int n = op.types.size();
    List<String> names = NAMES.subList(0, n);
    StringBuilder params = new StringBuilder();
    StringBuilder elements = new StringBuilder();
    for (int i = 0; i < 2 * n + 1; i++) {
      String name = i < n ? names.get(i) : i < 2 * n ? "d" + names.get(i - n) : "dr";
      params.append(" (" + name + "s: [n]" + (i < 2 * n ? op.types.get(i % n) : op.result) + ")");
      elements.append("let " + name + " = " + name + "s[i] ");
    }
    String x = "(" + String.join(", ", names) + ")";
    String dx = "(d" + String.join(", d", names) + ")";
    String gx = "(g" + String.join(", g", names) + ")";
    String f = "(\\" + x + " -> " + op.text + ")";
    return ("entry e" + number + " [n]" + params + " =\n  unzip" + (n + 2))
        + (" (tabulate n (\\i -> " + elements + "let (r, s) = jvp2 " + f + " " + x + " " + dx)
        + (" let " + gx + " = vjp " + f + " " + x + " dr in (r, s, " + gx.substring(1) + "))\n");
  }

  private static Scalar scalar(String type, double v) {
    ElemType t = requireNonNull(ElemType.ofText(type));
    return switch (t) {
      case F64 -> Scalar.f64(v);
      case F32 -> Scalar.f32((float) v);
      case F16 -> Scalar.f16(Float.floatToFloat16((float) v));
      case BOOL -> new Scalar(t, v > 0 ? 1 : 0);
      default -> new Scalar(t, Math.round(v));
    };
  }

  private static double number(Scalar s) {
    return switch (s.type()) {
      case F64 -> Double.longBitsToDouble(s.bits());
      case F32 -> Float.intBitsToFloat((int) s.bits());
      case F16 -> Float.float16ToFloat((short) s.bits());
      default -> s.bits();
    };
  }

  private static double tolerance(ElemType t) {
    return switch (t) {
      case F64 -> 1e-11;
      case F32 -> 2e-5;
      case F16 -> 2e-2;
      default -> 0;
    };
  }

  /** Tests whether results are equal up to rounding. */
  private static boolean isSame(Value expected, Value actual) {
    if (expected.equals(actual)) {
      return true;
    }
    Scalar a = (Scalar) expected;
    double x = number(a);
    double y = number((Scalar) actual);
    if (!Double.isFinite(x)) {
      return Double.isNaN(x) ? Double.isNaN(y) : x == y;
    }
    return Math.abs(x - y) <= tolerance(a.type()) * (1 + Math.abs(x));
  }

  @Test
  void passAndInterpreterAgreeOnEveryOperation() {
    for (String t : FLOATS) {
      addFloats(t);
    }
    for (String t : SIGNED) {
      addIntegers(t, true);
    }
    for (String t : UNSIGNED) {
      addIntegers(t, false);
    }
    addConversions();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      text.append(entry(all.get(i), i));
    }
    DerivativeTrial trial = new DerivativeTrial();
    Program start = trial.lowered(text.toString());
    Program after = trial.planned(start, requireNonNull(trial.plan()));
    Random random = new Random(1);
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (int i = 0; i < all.size(); i++) {
      List<Value> args = arguments(all.get(i), random);
      List<Value> expected;
      try {
        expected = Interpreter.run(start, "e" + i, args, Options.DEFAULT);
      } catch (FutharkError e) {
        throw new AssertionError(all.get(i) + " at " + args, e);
      }
      List<Value> actual = Interpreter.run(after, "e" + i, args, Options.DEFAULT);
      for (int k = 0; k < POINTS; k++) {
        List<Value> x = elements(expected, k);
        List<Value> y = elements(actual, k);
        for (int r = 0; r < x.size(); r++) {
          compared++;
          if (isSame(x.get(r), y.get(r))) {
            continue;
          }
          wrong.add(all.get(i) + " at " + elements(args, k) + ": " + x + ", the pass: " + y);
          break;
        }
      }
    }
    if (!wrong.isEmpty()) {
      String first = String.join("\n", wrong.subList(0, Math.min(20, wrong.size())));
      fail(wrong.size() + " points\n" + first);
    }
    assertTrue(compared > 30_000, "few comparisons: " + compared);
  }

  private static List<Value> elements(List<Value> arrays, int k) {
    return arrays.stream().<Value>map(a -> ((ArrayValue) a).element(k)).toList();
  }

  /** Returns points, tangents and adjoints. */
  private static List<Value> arguments(Operation op, Random random) {
    List<Value> args = new ArrayList<>();
    for (int i = 0; i < op.types.size(); i++) {
      args.add(array(op.types.get(i), op.ranges.get(i), random));
    }
    for (String t : op.types) {
      args.add(array(t, new Range(1, 4), random));
    }
    args.add(array(op.result, new Range(1, 4), random));
    return args;
  }

  private static Value array(String type, Range r, Random random) {
    ElemType t = requireNonNull(ElemType.ofText(type));
    Object data = t.newArray(POINTS);
    for (int k = 0; k < POINTS; k++) {
      Scalar x = scalar(type, r.from + (r.to - r.from) * random.nextDouble());
      switch (t) {
        case F64 -> Array.setDouble(data, k, number(x));
        case F32 -> Array.setFloat(data, k, (float) number(x));
        case I64, U64 -> Array.setLong(data, k, x.bits());
        case I32, U32 -> Array.setInt(data, k, (int) x.bits());
        case F16, I16, U16 -> Array.setShort(data, k, (short) x.bits());
        case I8, U8 -> Array.setByte(data, k, (byte) x.bits());
        case BOOL, UNIT -> Array.setBoolean(data, k, x.bits() != 0);
      }
    }
    return ArrayValue.vector(t, data);
  }
}
