package futharkc.backend.interpreter;

import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.runtime.F16;
import futharkc.core.runtime.F32;
import futharkc.core.runtime.F64;
import futharkc.core.runtime.I16;
import futharkc.core.runtime.I32;
import futharkc.core.runtime.I64;
import futharkc.core.runtime.I8;

/** The scalar functions on values in the format of {@link ScalarOps}. */
final class ScalarFunctions {
  private ScalarFunctions() {}

  /** A function of up to three operands. A function of fewer operands ignores the others. */
  interface Function {
    long apply(long a, long b, long c);
  }

  /** A function of {@code f32}. */
  private interface F1 {
    float apply(float a);
  }

  /** A function of {@code f64}. */
  private interface D1 {
    double apply(double a);
  }

  /** A function of {@code f16}, on its bits. */
  private interface H1 {
    short apply(short a);
  }

  static Function of(PrimFun f) {
    return switch (f.kind()) {
      case POPC, CLZ, CTZ, SMUL_HI, UMUL_HI, SMAD_HI, UMAD_HI -> onBits(f);
      case TO_BITS, FROM_BITS -> (a, b, c) -> a;
      default ->
          switch (f.type()) {
            case F16 -> half(f.kind());
            case F32 -> single(f.kind());
            case F64 -> dbl(f.kind());
            default -> onInts(f);
          };
    };
  }

  private static Function onInts(PrimFun f) {
    if (f.kind() != PrimFun.Kind.MAD) {
      throw new IllegalArgumentException("no function " + f);
    }
    PrimType t = f.type();
    return (a, b, c) -> ScalarOps.wrap(t, a * b + c);
  }

  private static Function onBits(PrimFun f) {
    return switch (f.type()) {
      case I8 ->
          switch (f.kind()) {
            case POPC -> (a, b, c) -> I8.popc((byte) a);
            case CLZ -> (a, b, c) -> I8.clz((byte) a);
            case CTZ -> (a, b, c) -> I8.ctz((byte) a);
            case SMUL_HI -> (a, b, c) -> I8.smulHi((byte) a, (byte) b);
            case UMUL_HI -> (a, b, c) -> I8.umulHi((byte) a, (byte) b);
            case SMAD_HI -> (a, b, c) -> I8.smadHi((byte) a, (byte) b, (byte) c);
            default -> (a, b, c) -> I8.umadHi((byte) a, (byte) b, (byte) c);
          };
      case I16 ->
          switch (f.kind()) {
            case POPC -> (a, b, c) -> I16.popc((short) a);
            case CLZ -> (a, b, c) -> I16.clz((short) a);
            case CTZ -> (a, b, c) -> I16.ctz((short) a);
            case SMUL_HI -> (a, b, c) -> I16.smulHi((short) a, (short) b);
            case UMUL_HI -> (a, b, c) -> I16.umulHi((short) a, (short) b);
            case SMAD_HI -> (a, b, c) -> I16.smadHi((short) a, (short) b, (short) c);
            default -> (a, b, c) -> I16.umadHi((short) a, (short) b, (short) c);
          };
      case I32 ->
          switch (f.kind()) {
            case POPC -> (a, b, c) -> I32.popc((int) a);
            case CLZ -> (a, b, c) -> I32.clz((int) a);
            case CTZ -> (a, b, c) -> I32.ctz((int) a);
            case SMUL_HI -> (a, b, c) -> I32.smulHi((int) a, (int) b);
            case UMUL_HI -> (a, b, c) -> I32.umulHi((int) a, (int) b);
            case SMAD_HI -> (a, b, c) -> I32.smadHi((int) a, (int) b, (int) c);
            default -> (a, b, c) -> I32.umadHi((int) a, (int) b, (int) c);
          };
      case I64 ->
          switch (f.kind()) {
            case POPC -> (a, b, c) -> I64.popc(a);
            case CLZ -> (a, b, c) -> I64.clz(a);
            case CTZ -> (a, b, c) -> I64.ctz(a);
            case SMUL_HI -> (a, b, c) -> I64.smulHi(a, b);
            case UMUL_HI -> (a, b, c) -> I64.umulHi(a, b);
            case SMAD_HI -> I64::smadHi;
            default -> I64::umadHi;
          };
      default -> throw new IllegalArgumentException("no function " + f);
    };
  }

  private static Function f(F1 g) {
    return (a, b, c) -> ScalarOps.bits(g.apply(ScalarOps.f32(a)));
  }

  private static Function d(D1 g) {
    return (a, b, c) -> ScalarOps.bits(g.apply(ScalarOps.f64(a)));
  }

  private static Function h(H1 g) {
    return (a, b, c) -> g.apply((short) a);
  }

  private static long bool(boolean b) {
    return b ? 1 : 0;
  }

  private static Function half(PrimFun.Kind kind) {
    return switch (kind) {
      case SQRT -> h(F16::sqrt);
      case RSQRT -> h(F16::rsqrt);
      case CBRT -> h(F16::cbrt);
      case EXP -> h(F16::exp);
      case LOG -> h(F16::log);
      case LOG2 -> h(F16::log2);
      case LOG10 -> h(F16::log10);
      case LOG1P -> h(F16::log1p);
      case SIN -> h(F16::sin);
      case COS -> h(F16::cos);
      case TAN -> h(F16::tan);
      case ASIN -> h(F16::asin);
      case ACOS -> h(F16::acos);
      case ATAN -> h(F16::atan);
      case SINH -> h(F16::sinh);
      case COSH -> h(F16::cosh);
      case TANH -> h(F16::tanh);
      case ASINH -> h(F16::asinh);
      case ACOSH -> h(F16::acosh);
      case ATANH -> h(F16::atanh);
      case SINPI -> h(F16::sinpi);
      case COSPI -> h(F16::cospi);
      case TANPI -> h(F16::tanpi);
      case ASINPI -> h(F16::asinpi);
      case ACOSPI -> h(F16::acospi);
      case ATANPI -> h(F16::atanpi);
      case GAMMA -> h(F16::gamma);
      case LGAMMA -> h(F16::lgamma);
      case ERF -> h(F16::erf);
      case ERFC -> h(F16::erfc);
      case CEIL -> h(F16::ceil);
      case FLOOR -> h(F16::floor);
      case ROUND -> h(F16::round);
      case ISNAN -> (a, b, c) -> bool(F16.isNaN((short) a));
      case ISINF -> (a, b, c) -> bool(F16.isInfinite((short) a));
      case ATAN2 -> (a, b, c) -> F16.atan2((short) a, (short) b);
      case ATAN2PI -> (a, b, c) -> F16.atan2pi((short) a, (short) b);
      case HYPOT -> (a, b, c) -> F16.hypot((short) a, (short) b);
      case NEXTAFTER -> (a, b, c) -> F16.nextAfter((short) a, (short) b);
      case LDEXP -> (a, b, c) -> F16.ldexp((short) a, (int) b);
      case COPYSIGN -> (a, b, c) -> F16.copySign((short) a, (short) b);
      case LERP -> (a, b, c) -> F16.lerp((short) a, (short) b, (short) c);
      case MAD -> (a, b, c) -> F16.mad((short) a, (short) b, (short) c);
      case FMA -> (a, b, c) -> F16.fma((short) a, (short) b, (short) c);
      default -> throw new IllegalArgumentException("no float function " + kind);
    };
  }

  private static Function single(PrimFun.Kind kind) {
    return switch (kind) {
      case SQRT -> f(F32::sqrt);
      case RSQRT -> f(F32::rsqrt);
      case CBRT -> f(F32::cbrt);
      case EXP -> f(F32::exp);
      case LOG -> f(F32::log);
      case LOG2 -> f(F32::log2);
      case LOG10 -> f(F32::log10);
      case LOG1P -> f(F32::log1p);
      case SIN -> f(F32::sin);
      case COS -> f(F32::cos);
      case TAN -> f(F32::tan);
      case ASIN -> f(F32::asin);
      case ACOS -> f(F32::acos);
      case ATAN -> f(F32::atan);
      case SINH -> f(F32::sinh);
      case COSH -> f(F32::cosh);
      case TANH -> f(F32::tanh);
      case ASINH -> f(F32::asinh);
      case ACOSH -> f(F32::acosh);
      case ATANH -> f(F32::atanh);
      case SINPI -> f(F32::sinpi);
      case COSPI -> f(F32::cospi);
      case TANPI -> f(F32::tanpi);
      case ASINPI -> f(F32::asinpi);
      case ACOSPI -> f(F32::acospi);
      case ATANPI -> f(F32::atanpi);
      case GAMMA -> f(F32::gamma);
      case LGAMMA -> f(F32::lgamma);
      case ERF -> f(F32::erf);
      case ERFC -> f(F32::erfc);
      case CEIL -> f(F32::ceil);
      case FLOOR -> f(F32::floor);
      case ROUND -> f(F32::round);
      case ISNAN -> (a, b, c) -> bool(Float.isNaN(ScalarOps.f32(a)));
      case ISINF -> (a, b, c) -> bool(Float.isInfinite(ScalarOps.f32(a)));
      case ATAN2 -> (a, b, c) -> ScalarOps.bits(F32.atan2(ScalarOps.f32(a), ScalarOps.f32(b)));
      case ATAN2PI -> (a, b, c) -> ScalarOps.bits(F32.atan2pi(ScalarOps.f32(a), ScalarOps.f32(b)));
      case HYPOT -> (a, b, c) -> ScalarOps.bits(F32.hypot(ScalarOps.f32(a), ScalarOps.f32(b)));
      case NEXTAFTER ->
          (a, b, c) -> ScalarOps.bits(Math.nextAfter(ScalarOps.f32(a), ScalarOps.f32(b)));
      case LDEXP -> (a, b, c) -> ScalarOps.bits(F32.ldexp(ScalarOps.f32(a), (int) b));
      case COPYSIGN ->
          (a, b, c) -> ScalarOps.bits(Math.copySign(ScalarOps.f32(a), ScalarOps.f32(b)));
      case LERP ->
          (a, b, c) ->
              ScalarOps.bits(F32.lerp(ScalarOps.f32(a), ScalarOps.f32(b), ScalarOps.f32(c)));
      case MAD ->
          (a, b, c) ->
              ScalarOps.bits(F32.mad(ScalarOps.f32(a), ScalarOps.f32(b), ScalarOps.f32(c)));
      case FMA ->
          (a, b, c) ->
              ScalarOps.bits(Math.fma(ScalarOps.f32(a), ScalarOps.f32(b), ScalarOps.f32(c)));
      default -> throw new IllegalArgumentException("no float function " + kind);
    };
  }

  private static Function dbl(PrimFun.Kind kind) {
    return switch (kind) {
      case SQRT -> d(Math::sqrt);
      case RSQRT -> d(F64::rsqrt);
      case CBRT -> d(Math::cbrt);
      case EXP -> d(Math::exp);
      case LOG -> d(Math::log);
      case LOG2 -> d(F64::log2);
      case LOG10 -> d(Math::log10);
      case LOG1P -> d(Math::log1p);
      case SIN -> d(Math::sin);
      case COS -> d(Math::cos);
      case TAN -> d(Math::tan);
      case ASIN -> d(Math::asin);
      case ACOS -> d(Math::acos);
      case ATAN -> d(Math::atan);
      case SINH -> d(Math::sinh);
      case COSH -> d(Math::cosh);
      case TANH -> d(Math::tanh);
      case ASINH -> d(F64::asinh);
      case ACOSH -> d(F64::acosh);
      case ATANH -> d(F64::atanh);
      case SINPI -> d(F64::sinpi);
      case COSPI -> d(F64::cospi);
      case TANPI -> d(F64::tanpi);
      case ASINPI -> d(F64::asinpi);
      case ACOSPI -> d(F64::acospi);
      case ATANPI -> d(F64::atanpi);
      case GAMMA -> d(F64::gamma);
      case LGAMMA -> d(F64::lgamma);
      case ERF -> d(F64::erf);
      case ERFC -> d(F64::erfc);
      case CEIL -> d(Math::ceil);
      case FLOOR -> d(Math::floor);
      case ROUND -> d(F64::round);
      case ISNAN -> (a, b, c) -> bool(Double.isNaN(ScalarOps.f64(a)));
      case ISINF -> (a, b, c) -> bool(Double.isInfinite(ScalarOps.f64(a)));
      case ATAN2 -> (a, b, c) -> ScalarOps.bits(Math.atan2(ScalarOps.f64(a), ScalarOps.f64(b)));
      case ATAN2PI -> (a, b, c) -> ScalarOps.bits(F64.atan2pi(ScalarOps.f64(a), ScalarOps.f64(b)));
      case HYPOT -> (a, b, c) -> ScalarOps.bits(F64.hypot(ScalarOps.f64(a), ScalarOps.f64(b)));
      case NEXTAFTER ->
          (a, b, c) -> ScalarOps.bits(Math.nextAfter(ScalarOps.f64(a), ScalarOps.f64(b)));
      case LDEXP -> (a, b, c) -> ScalarOps.bits(F64.ldexp(ScalarOps.f64(a), (int) b));
      case COPYSIGN ->
          (a, b, c) -> ScalarOps.bits(Math.copySign(ScalarOps.f64(a), ScalarOps.f64(b)));
      case LERP ->
          (a, b, c) ->
              ScalarOps.bits(F64.lerp(ScalarOps.f64(a), ScalarOps.f64(b), ScalarOps.f64(c)));
      case MAD ->
          (a, b, c) ->
              ScalarOps.bits(F64.mad(ScalarOps.f64(a), ScalarOps.f64(b), ScalarOps.f64(c)));
      case FMA ->
          (a, b, c) ->
              ScalarOps.bits(Math.fma(ScalarOps.f64(a), ScalarOps.f64(b), ScalarOps.f64(c)));
      default -> throw new IllegalArgumentException("no float function " + kind);
    };
  }
}
