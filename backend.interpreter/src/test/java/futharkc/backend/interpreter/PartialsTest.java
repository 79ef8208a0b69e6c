package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.UnOp;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of first and second partial derivatives of float functions against finite differences. */
final class PartialsTest {
  private static final int POINTS = 24;

  /** A float function, with operand intervals where it is smooth. */
  private record Smooth(Object kind, double[][] operands) {
    Operation at(PrimType t) {
      return switch (kind) {
        case PrimFun.Kind k -> Operation.of(new PrimFun(k, t));
        case BinOp.Kind k -> Operation.of(new BinOp(k, t));
        case UnOp.Kind k -> Operation.of(new UnOp(k, t));
        default -> throw new IllegalArgumentException(String.valueOf(kind));
      };
    }

    /** Tests whether operand {@code i} is an integer. */
    boolean isInteger(int i) {
      return kind == PrimFun.Kind.LDEXP && i == 1;
    }

    @Override
    public String toString() {
      return kind.toString();
    }
  }

  private static double[][] within(double... ends) {
    double[][] intervals = new double[ends.length / 2][];
    for (int i = 0; i < intervals.length; i++) {
      intervals[i] = new double[] {ends[2 * i], ends[2 * i + 1]};
    }
    return intervals;
  }

  private static double[][] domain(PrimFun.Kind k) {
    return switch (k) {
      case SQRT, RSQRT, LOG, LOG2, LOG10, CBRT -> within(0.1, 9);
      case EXP, SIN, COS, SINH, COSH, TANH, ERF, ERFC -> within(-2, 2);
      case LOG1P -> within(-0.8, 4);
      case TAN -> within(-1.2, 1.2);
      case ASIN, ACOS, ATANH, ASINPI, ACOSPI -> within(-0.9, 0.9);
      case ATAN, ASINH, ATANPI -> within(-4, 4);
      case ACOSH -> within(1.2, 6);
      case SINPI, COSPI -> within(-0.9, 0.9);
      case TANPI -> within(-0.4, 0.4);
      case ATAN2, ATAN2PI, HYPOT -> within(0.2, 3, -3, 3);
      case GAMMA -> within(0.3, 4);
      case LGAMMA -> within(0.3, 9);
      case CEIL, FLOOR -> within(0.1, 0.9);
      case ROUND -> within(0.6, 1.4);
      case NEXTAFTER -> within(1, 2, 3, 4);
      case LDEXP -> within(-2, 2, -3, 3);
      case COPYSIGN -> within(0.1, 2, -2, -0.1);
      case LERP, MAD, FMA -> within(-2, 2, -2, 2, -2, 2);
      case ISNAN, ISINF, TO_BITS, FROM_BITS, POPC, CLZ, CTZ, SMUL_HI, UMUL_HI, SMAD_HI, UMAD_HI ->
          within();
    };
  }

  static List<Smooth> functions() {
    List<Smooth> all = new ArrayList<>();
    for (PrimFun.Kind k : PrimFun.Kind.values()) {
      if (domain(k).length > 0) {
        all.add(new Smooth(k, domain(k)));
      }
    }
    all.add(new Smooth(PrimFun.Kind.CBRT, within(-9, -0.1)));
    all.add(new Smooth(PrimFun.Kind.GAMMA, within(-1.8, -1.2)));
    all.add(new Smooth(PrimFun.Kind.LGAMMA, within(-2.8, -2.2)));
    all.add(new Smooth(PrimFun.Kind.ATAN2, within(-3, -0.2, -3, 3)));
    all.add(new Smooth(PrimFun.Kind.COPYSIGN, within(-2, -0.1, -2, -0.1)));
    all.add(new Smooth(BinOp.Kind.FADD, within(-2, 2, -2, 2)));
    all.add(new Smooth(BinOp.Kind.FSUB, within(-2, 2, -2, 2)));
    all.add(new Smooth(BinOp.Kind.FMUL, within(-2, 2, -2, 2)));
    all.add(new Smooth(BinOp.Kind.FDIV, within(-2, 2, 0.3, 3)));
    all.add(new Smooth(BinOp.Kind.FMOD, within(7.1, 7.4, 2.1, 2.3)));
    all.add(new Smooth(BinOp.Kind.FMOD, within(-7.4, -7.1, 2.1, 2.3)));
    all.add(new Smooth(BinOp.Kind.FPOW, within(0.2, 3, -2, 3)));
    all.add(new Smooth(BinOp.Kind.FMIN, within(1, 2, 2.1, 3)));
    all.add(new Smooth(BinOp.Kind.FMIN, within(2.1, 3, 1, 2)));
    all.add(new Smooth(BinOp.Kind.FMAX, within(1, 2, 2.1, 3)));
    all.add(new Smooth(BinOp.Kind.FMAX, within(2.1, 3, 1, 2)));
    all.add(new Smooth(UnOp.Kind.NEG, within(-2, 2)));
    all.add(new Smooth(UnOp.Kind.ABS, within(0.1, 2)));
    all.add(new Smooth(UnOp.Kind.ABS, within(-2, -0.1)));
    all.add(new Smooth(UnOp.Kind.FSIGNUM, within(0.1, 2)));
    return all;
  }

  @Test
  void everyFunctionOfFloatsIsTried() {
    Set<BinOp.Kind> binary = EnumSet.noneOf(BinOp.Kind.class);
    for (Smooth f : functions()) {
      if (f.kind instanceof BinOp.Kind k) {
        binary.add(k);
      }
    }
    for (BinOp.Kind k : BinOp.Kind.values()) {
      if (k.toString().startsWith("f")) {
        assertTrue(binary.contains(k), () -> "nothing tries " + k);
      }
    }
  }

  private static Num number(PrimType t, double v) {
    PrimValue value = t.isFloat() ? PrimValue.ofFloat(t, v) : PrimValue.ofInt(t, (long) v);
    return new Num.Const(ScalarOps.bits(value));
  }

  private static double value(PrimType t, Num n) {
    return new NumArithmetic(t).value(n);
  }

  private static Num[] point(Smooth f, PrimType t, Random random) {
    Num[] x = new Num[f.operands.length];
    for (int i = 0; i < x.length; i++) {
      double[] interval = f.operands[i];
      double v = interval[0] + (interval[1] - interval[0]) * random.nextDouble();
      x[i] = number(f.isInteger(i) ? PrimType.I32 : t, v);
    }
    return x;
  }

  /**
   * Returns the finite-difference derivative with respect to operand {@code i}, in double
   * precision.
   */
  private static double difference(Smooth f, PrimType t, Num[] x, int i) {
    double h = 1e-5;
    double[] ends = new double[2];
    for (int side = 0; side < 2; side++) {
      Num[] near = new Num[x.length];
      for (int j = 0; j < x.length; j++) {
        if (f.isInteger(j)) {
          near[j] = x[j];
        } else {
          near[j] = number(PrimType.F64, value(t, x[j]) + (j == i ? h * (2 * side - 1) : 0));
        }
      }
      ends[side] = value(PrimType.F64, f.at(PrimType.F64).apply(near));
    }
    return (ends[1] - ends[0]) / (2 * h);
  }

  private static void assertNear(double expected, double actual, double tolerance, String what) {
    assertEquals(expected, actual, tolerance * Math.max(1, Math.abs(expected)), what);
  }

  private static String text(Smooth f, PrimType t, Num[] x, int i) {
    StringBuilder s = new StringBuilder("derivative " + i + " of " + f + "_" + t + " at");
    for (int j = 0; j < x.length; j++) {
      s.append(' ').append(f.isInteger(j) ? (double) x[j].bits() : value(t, x[j]));
    }
    return s.toString();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void partialDerivatives(Smooth f) {
    Random random = new Random(1);
    for (PrimType t : List.of(PrimType.F64, PrimType.F32, PrimType.F16)) {
      double tolerance = t == PrimType.F64 ? 1e-7 : t == PrimType.F32 ? 1e-5 : 2e-2;
      for (int n = 0; n < POINTS; n++) {
        Num[] x = point(f, t, random);
        Num y = f.at(t).apply(x);
        for (int i = 0; i < x.length; i++) {
          if (f.isInteger(i)) {
            continue;
          }
          Partial p = Partials.of(f.at(t), i, x, y);
          double expected = difference(f, t, x, i);
          String what = text(f, t, x, i);
          assertNear(expected, value(t, p.forwards(number(t, 1))), tolerance, what);
          assertNear(2 * expected, value(t, p.backwards(number(t, 2))), tolerance, what);
        }
      }
    }
  }

  /**
   * Returns the derivative with respect to operand {@code i}, as a number that can be
   * differentiated again.
   */
  private static Num partial(Smooth f, Num[] x, int i) {
    Num[] duals = x.clone();
    duals[i] = new Num.Dual(9, x[i], new Num[] {number(PrimType.F64, 1)});
    Num y = f.at(PrimType.F64).apply(duals);
    Num t = y instanceof Num.Dual d && d.level() == 9 ? d.tangents()[0] : null;
    return t == null ? Num.Const.ZERO : t;
  }

  @ParameterizedTest
  @MethodSource("functions")
  void secondDerivatives(Smooth f) {
    Random random = new Random(2);
    PrimType t = PrimType.F64;
    double h = 1e-5;
    for (int n = 0; n < POINTS; n++) {
      Num[] x = point(f, t, random);
      for (int i = 0; i < x.length; i++) {
        for (int j = 0; j < x.length; j++) {
          if (f.isInteger(i) || f.isInteger(j)) {
            continue;
          }
          Num[] up = x.clone();
          Num[] down = x.clone();
          up[j] = number(t, value(t, x[j]) + h);
          down[j] = number(t, value(t, x[j]) - h);
          double expected = (value(t, partial(f, up, i)) - value(t, partial(f, down, i))) / (2 * h);
          OperationTape tape = new OperationTape(3);
          Num[] inputs = x.clone();
          inputs[j] = tape.input(t, x[j]);
          OperationTape.Sweep sweep = new OperationTape.Sweep(tape);
          sweep.add(partial(f, inputs, i), number(t, 1));
          sweep.run();
          assertNear(expected, value(t, sweep.of(inputs[j])), 1e-6, text(f, t, x, i) + " by " + j);
        }
      }
    }
  }

  @Test
  void digamma() {
    double euler = 0.5772156649015329;
    assertEquals(-euler, Polygamma.of(0, 1), 1e-14);
    assertEquals(-euler - 2 * Math.log(2), Polygamma.of(0, 0.5), 1e-14);
    assertEquals(Math.PI, Polygamma.of(0, 0.75) - Polygamma.of(0, 0.25), 1e-13);
    assertEquals(Math.PI * Math.PI / 6, Polygamma.of(1, 1), 1e-14);
    assertEquals(Math.PI * Math.PI / 2 + 4, Polygamma.of(1, -0.5), 1e-13);
    assertEquals(-2 * 1.2020569031595942, Polygamma.of(2, 1), 1e-13);
    assertTrue(Double.isNaN(Polygamma.of(0, 0)) && Double.isNaN(Polygamma.of(0, -3)));
    assertEquals(Math.log(1e10), Polygamma.of(0, 1e10), 1e-9);
    assertEquals(Double.POSITIVE_INFINITY, Polygamma.of(0, Double.POSITIVE_INFINITY));
  }

  static Stream<ConvOp> floatConversions() {
    List<PrimType> floats = List.of(PrimType.F16, PrimType.F32, PrimType.F64);
    return floats.stream()
        .flatMap(a -> floats.stream().map(b -> new ConvOp(ConvOp.Kind.FPCONV, a, b)));
  }

  @ParameterizedTest
  @MethodSource("floatConversions")
  void conversionsGoBothWays(ConvOp op) {
    Num x = number(op.from(), 1.5);
    Partial p = Partials.of(Operation.of(op), 0, new Num[] {x}, Operation.of(op).apply(x));
    assertEquals(0.25, value(op.to(), p.forwards(number(op.from(), 0.25))));
    assertEquals(0.25, value(op.from(), p.backwards(number(op.to(), 0.25))));
  }

  /** Tests derivatives at kinks, and those of integer and boolean operations. */
  @Test
  void whereThereIsAChoice() {
    assertEquals(0, at(Operation.of(new UnOp(UnOp.Kind.ABS, PrimType.F64)), 0, 0));
    double infinite = at(Operation.of(new PrimFun(PrimFun.Kind.SQRT, PrimType.F64)), 0, 0);
    assertEquals(Double.POSITIVE_INFINITY, infinite);
    Operation pow = Operation.of(new BinOp(BinOp.Kind.FPOW, PrimType.F64));
    assertEquals(1, at(pow, 0, 0, 1));
    assertEquals(0, at(pow, 0, 0, 0.5));
    assertEquals(0, at(pow, 1, 0, 0));
    assertEquals(0, at(pow, 1, -2, 2));
    assertEquals(-4, at(pow, 0, -2, 2));
    for (BinOp.Kind k : List.of(BinOp.Kind.FMIN, BinOp.Kind.FMAX)) {
      assertEquals(1, at(Operation.of(new BinOp(k, PrimType.F64)), 0, 2, 2));
      assertEquals(0, at(Operation.of(new BinOp(k, PrimType.F64)), 1, 2, 2));
      assertEquals(0, at(Operation.of(new BinOp(k, PrimType.F64)), 1, Double.NaN, 2));
    }
    assertEquals(3, ofInts(BinOp.Kind.MUL, PrimType.I8, 1, 3, 5));
    assertEquals(-64, ofInts(BinOp.Kind.MUL, PrimType.I8, 0, 2, -64));
    assertEquals(-100, ofInts(BinOp.Kind.SQUOT, PrimType.I64, 1, 100, 1));
    assertEquals(0, ofInts(BinOp.Kind.SQUOT, PrimType.I8, 1, 100, 16));
    assertEquals(-3, ofInts(BinOp.Kind.SREM, PrimType.I32, 1, 7, 2));
    assertEquals(4, ofInts(BinOp.Kind.SMOD, PrimType.I32, 1, -7, 2));
    assertEquals(12, ofInts(BinOp.Kind.POW, PrimType.I32, 0, 2, 3));
    assertEquals(0, ofInts(BinOp.Kind.POW, PrimType.I32, 0, 2, 0));
    assertEquals(8, ofInts(BinOp.Kind.SHL, PrimType.I32, 0, 5, 3));
    assertEquals(0, ofInts(BinOp.Kind.UMAX, PrimType.I32, 0, 5, -3));
    assertEquals(1, ofInts(BinOp.Kind.UMAX, PrimType.I32, 1, 5, -3));
    assertEquals(0, ofInts(BinOp.Kind.AND, PrimType.I32, 0, 5, 3));
  }

  private static double at(Operation op, int i, double... x) {
    Num[] operands = new Num[x.length];
    for (int j = 0; j < x.length; j++) {
      operands[j] = number(PrimType.F64, x[j]);
    }
    Num one = number(PrimType.F64, 1);
    return value(PrimType.F64, Partials.of(op, i, operands, op.apply(operands)).forwards(one));
  }

  private static long ofInts(BinOp.Kind kind, PrimType t, int i, long x, long y) {
    Operation op = Operation.of(new BinOp(kind, t));
    Num[] operands = {new Num.Const(x), new Num.Const(y)};
    return Partials.of(op, i, operands, op.apply(operands)).forwards(new Num.Const(1)).bits();
  }
}
