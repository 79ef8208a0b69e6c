package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.backend.cuda.CudaBackend;
import futharkc.backend.cuda.CudaDialect;
import futharkc.backend.cuda.runtime.Nvrtc;
import futharkc.core.codegen.Backend;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of every operation on every type at edge values, against the interpreter: in kernels of the
 * devices, with variables as operands; and on the targets of the host, with variables and with
 * constants as operands.
 */
final class OperationsTest {
  /** The targets of the host and their representations. */
  private static final Map<String, Rep> HOST = Map.of("multicore", Rep.MC_IMP, "c", Rep.SEQ_IMP);

  private static final double[] FLOATS = {
    0,
    -0.0,
    1,
    -1,
    2,
    -2,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3,
    -3,
    0.1,
    1e-3,
    -1e-3,
    7,
    10,
    24,
    -7.25,
    100.75,
    255,
    256,
    1000,
    -1000,
    65504,
    -65504,
    65520,
    1e5,
    6e-8,
    6e-5,
    -6e-5,
    2147483648.0,
    -2147483648.0,
    4294967296.0,
    9.3e18,
    -9.3e18,
    1.9e19,
    1e-40,
    -1e-40,
    1e30,
    -1e30,
    3.4e38,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    1e300,
    -1e300,
    1e-310
  };

  private static final long[] INTEGERS = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    5,
    7,
    -7,
    8,
    10,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    100,
    -100,
    127,
    -128,
    128,
    255,
    256,
    1000,
    32767,
    -32768,
    65535,
    65537,
    2147483647L,
    -2147483648L,
    4294967295L,
    4294967296L,
    1234567890123L,
    -1234567890123L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    1L << 53
  };

  private static List<Scalar> values(PrimType type) {
    List<Scalar> values = new ArrayList<>();
    switch (type) {
      case F16 -> {
        for (double d : FLOATS) {
          values.add(half(d));
        }
      }
      case F32 -> {
        for (double d : FLOATS) {
          values.add(Scalar.f32((float) d));
        }
      }
      case F64 -> {
        for (double d : FLOATS) {
          values.add(Scalar.f64(d));
        }
      }
      case BOOL -> {
        values.add(Scalar.bool(false));
        values.add(Scalar.bool(true));
      }
      case I8, I16, I32, I64 -> {
        for (long n : INTEGERS) {
          values.add(new Scalar(elem(type), n));
        }
      }
      case UNIT -> throw new IllegalArgumentException();
    }
    return values.stream().distinct().toList();
  }

  private static Scalar half(double d) {
    return new Scalar(ElemType.F16, Float.floatToFloat16((float) d));
  }

  private static ElemType elem(PrimType t) {
    return ElemType.valueOf(t.toString().toUpperCase(Locale.ROOT));
  }

  private static ArrayValue[] run(String target, ImperativeProgram p, Value[] args) {
    try (Context ctx = Devices.load(p, target)) {
      OpaqueValue result = (OpaqueValue) ctx.run(ctx.program().entryPoints()[0], args);
      ArrayValue[] parts = new ArrayValue[result.parts().length];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = ((ArrayValue) result.parts()[i]).onHost();
      }
      return parts;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = PrimType.class,
      names = {"I8", "I16", "I32", "I64", "F16", "F32", "F64", "BOOL"})
  void kernelsComputeWhatTheInterpreterDoes(PrimType type) {
    List<String> targets = Devices.targets();
    assumeTrue(!targets.isEmpty(), "no device: nothing of this is tested");
    ArrayValue[] args = operands(type);
    int n = args[0].length();
    Operations operations = new Operations(type);
    ImperativeProgram program = operations.program(n, Rep.GPU_IMP);
    Verifier.verify(program);
    ArrayValue[] expected = run("interpreter", program, args);
    for (String target : targets) {
      compare(operations, n, args, expected, run(target, program, args), target);
    }
  }

  /** Returns three arrays with all pairs of edge values in the first two. */
  private static ArrayValue[] operands(PrimType type) {
    List<Scalar> values = values(type);
    int m = values.size();
    int n = m * m;
    ArrayValue[] args = new ArrayValue[3];
    for (int k = 0; k < 3; k++) {
      args[k] = ArrayValue.vector(elem(type), elem(type).newArray(n));
      for (int i = 0; i < n; i++) {
        int which = k == 0 ? i / m : k == 1 ? i % m : (i * 7 + i / m) % m;
        args[k].setElement(i, values.get(which));
      }
    }
    return args;
  }

  @ParameterizedTest
  @EnumSource(
      value = PrimType.class,
      names = {"I8", "I16", "I32", "I64", "F16", "F32", "F64", "BOOL"})
  void hostTargetsComputeWhatTheInterpreterDoes(PrimType type) {
    compareOnHost(new Operations(type), operands(type));
  }

  @ParameterizedTest
  @EnumSource(
      value = PrimType.class,
      names = {"I8", "I16", "I32", "I64", "F16", "F32", "F64", "BOOL"})
  void hostTargetsComputeWhatTheInterpreterDoesWithConstants(PrimType type) {
    List<Scalar> values = values(type);
    ArrayValue[] args = new ArrayValue[3];
    for (int k = 0; k < 3; k++) {
      args[k] = ArrayValue.vector(elem(type), elem(type).newArray(values.size()));
      for (int i = 0; i < values.size(); i++) {
        args[k].setElement(i, values.get((i * (k + 1) + k) % values.size()));
      }
    }
    for (Scalar value : values) {
      compareOnHost(new Operations(type, constant(type, value)), args);
    }
  }

  private static PrimValue constant(PrimType type, Scalar value) {
    return switch (type) {
      case BOOL -> PrimValue.of(value.bits() != 0);
      case F16, F32, F64 -> PrimValue.ofFloat(type, value(value));
      default -> PrimValue.ofInt(type, value.bits());
    };
  }

  private static void compareOnHost(Operations operations, ArrayValue[] args) {
    int n = args[0].length();
    ArrayValue[] expected = null;
    for (Map.Entry<String, Rep> target : HOST.entrySet()) {
      ImperativeProgram program = operations.program(n, target.getValue());
      Verifier.verify(program);
      if (expected == null) {
        expected = run("interpreter", program, args);
      }
      compare(operations, n, args, expected, run(target.getKey(), program, args), target.getKey());
    }
  }

  private static void compare(
      Operations operations,
      int n,
      ArrayValue[] args,
      ArrayValue[] expected,
      ArrayValue[] got,
      String target) {
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    int part = 0;
    for (Map.Entry<PrimType, List<Expr>> e : operations.byResult.entrySet()) {
      for (int j = 0; j < e.getValue().size(); j++) {
        int bad = 0;
        for (int i = 0; i < n; i++) {
          Scalar x = expected[part].element((long) j * n + i);
          Scalar y = got[part].element((long) j * n + i);
          compared++;
          Scalar[] operands = {args[0].element(i), args[1].element(i), args[2].element(i)};
          // On CUDA a division by zero must not stop the device; its result is unspecified.
          if (target.equals("cuda") && dividesByZero(e.getValue().get(j), operands)) {
            continue;
          }
          if (!same(e.getValue().get(j), x, y)
              && !isFused(e.getValue().get(j), operands, y)
              && bad++ < 4) {
            wrong.add(e.getValue().get(j) + " of " + List.of(operands) + ": " + y + ", not " + x);
          }
        }
        if (bad > 4) {
          wrong.add("  and " + (bad - 4) + " more of " + n);
        }
      }
      part++;
    }
    assertTrue(compared >= 40, "fewer than 40 results were compared");
    assertEquals("", String.join("\n", wrong), target);
  }

  /** Tests whether an operation is a division by zero; its second operand is the divisor. */
  private static boolean dividesByZero(Expr e, Scalar[] operands) {
    return e instanceof Expr.Binary b
        && b.op().isPartial()
        && b.op().kind() != BinOp.Kind.POW
        && operands[1].bits() == 0;
  }

  @Test
  void cudaCompilesAllOperations() {
    Nvrtc.Search search = Nvrtc.search(Integer.MAX_VALUE);
    Nvrtc nvrtc = search.found();
    assumeTrue(nvrtc != null, "no NVRTC: nothing of this is tested");
    for (PrimType type : PrimType.values()) {
      if (type == PrimType.UNIT) {
        continue;
      }
      CudaBackend cuda = new CudaBackend();
      Backend.Product product =
          cuda.compile(
              new Operations(type).program(100, Rep.GPU_IMP), "ops", cuda.targets().get(0));
      String kernels = product.sources().get(1).text();
      byte[] ptx = nvrtc.ptx(kernels, new CudaDialect().options(), nvrtc.oldestCapability());
      assertTrue(ptx.length > 1000, type::toString);
    }
  }

  /**
   * Tests for bitwise equality if the operation is exact, or for equality up to rounding. All NaNs
   * are equal, and a minimum may return a zero of either sign.
   */
  private static boolean same(Expr operation, Scalar x, Scalar y) {
    ElemType t = x.type();
    if (!t.isFloat()) {
      return x.bits() == y.bits();
    }
    double a = value(x);
    double b = value(y);
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.isNaN(a) == Double.isNaN(b);
    }
    if (a == b) {
      return a != 0 || !isExact(operation) || x.bits() == y.bits();
    }
    if (isExact(operation)) {
      return false;
    }
    double precision = t == ElemType.F16 ? 2e-3 : t == ElemType.F32 ? 4e-6 : 1e-13;
    double smallest = t == ElemType.F16 ? 3e-7 : t == ElemType.F32 ? 1e-37 : 1e-307;
    double largest = t == ElemType.F16 ? 65504 : t == ElemType.F32 ? 3.4e38 : 1.7e308;
    double p = Math.max(-largest, Math.min(largest, a));
    double q = Math.max(-largest, Math.min(largest, b));
    return Math.abs(p - q) <= precision * Math.abs(p) + smallest;
  }

  /** Tests whether a result is another one that the operation permits. */
  private static boolean isFused(Expr operation, Scalar[] x, Scalar y) {
    if (!(operation instanceof Expr.Apply a)) {
      return false;
    }
    return switch (a.fun().kind()) {
      case MAD ->
          switch (a.fun().type()) {
            case F32 -> Math.fma(x[0].asFloat(), x[1].asFloat(), x[2].asFloat()) == y.asFloat();
            case F64 -> Math.fma(x[0].asDouble(), x[1].asDouble(), x[2].asDouble()) == y.asDouble();
            default -> false;
          };
      case TO_BITS -> Double.isNaN(value(x[0]));
      default -> false;
    };
  }

  private static double value(Scalar x) {
    return switch (x.type()) {
      case F16 -> Float.float16ToFloat((short) x.bits());
      case F32 -> x.asFloat();
      default -> x.asDouble();
    };
  }

  private static boolean isExact(Expr operation) {
    return switch (operation) {
      case Expr.Binary b ->
          switch (b.op().kind()) {
            case FPOW, FMIN, FMAX -> false;
            default -> true;
          };
      case Expr.Apply a ->
          switch (a.fun().kind()) {
            case CEIL, FLOOR, ROUND, COPYSIGN, NEXTAFTER, LDEXP, FMA, LERP, SQRT, FROM_BITS -> true;
            default -> a.fun().kind() == PrimFun.Kind.TO_BITS;
          };
      case Expr.Const c -> true;
      case Expr.Var v -> true;
      case Expr.Index i -> true;
      case Expr.Unary u -> true;
      case Expr.Compare c -> true;
      case Expr.Convert c -> true;
      case Expr.Load l -> true;
      case Expr.Capacity c -> true;
      case Expr.Tuning t -> true;
    };
  }
}
