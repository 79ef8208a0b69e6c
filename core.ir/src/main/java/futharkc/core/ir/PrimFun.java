package futharkc.core.ir;

import java.util.Locale;

/**
 * A scalar function at a type. All operands and the result have that type unless the function says
 * otherwise.
 *
 * @param type a float type for float functions, an integer type for bit functions
 */
public record PrimFun(Kind kind, PrimType type) {
  /** The functions, with their arity. */
  public enum Kind {
    SQRT(1),
    RSQRT(1),
    CBRT(1),
    EXP(1),
    LOG(1),
    LOG2(1),
    LOG10(1),
    LOG1P(1),
    SIN(1),
    COS(1),
    TAN(1),
    ASIN(1),
    ACOS(1),
    ATAN(1),
    SINH(1),
    COSH(1),
    TANH(1),
    ASINH(1),
    ACOSH(1),
    ATANH(1),
    SINPI(1),
    COSPI(1),
    TANPI(1),
    ASINPI(1),
    ACOSPI(1),
    ATANPI(1),
    ATAN2(2),
    ATAN2PI(2),
    HYPOT(2),
    GAMMA(1),
    LGAMMA(1),
    ERF(1),
    ERFC(1),
    CEIL(1),
    FLOOR(1),
    /** Rounds to the nearest integer, ties to even. */
    ROUND(1),
    /** Tests for NaN. The result is a bool. */
    ISNAN(1),
    /** Tests for an infinity. The result is a bool. */
    ISINF(1),
    NEXTAFTER(2),
    /** Multiplies by a power of two. The second operand is an i32. */
    LDEXP(2),
    COPYSIGN(2),
    /** {@code a + (b - a) * t}. */
    LERP(3),
    /** {@code a * b + c}, rounded once or twice. */
    MAD(3),
    /** {@code a * b + c}, rounded once. */
    FMA(3),
    /** Converts a float to the integer with the same width and bits. */
    TO_BITS(1),
    /** Converts an integer to the float {@code type} with the same width and bits. */
    FROM_BITS(1),
    /** Counts set bits of an integer. This function and the next two return an i32. */
    POPC(1),
    CLZ(1),
    CTZ(1),
    SMUL_HI(2),
    UMUL_HI(2),
    /** {@code mul_hi(a, b) + c}. */
    SMAD_HI(3),
    UMAD_HI(3);

    /** The arity. */
    public final int arity;

    private final String text = name().toLowerCase(Locale.ROOT);

    Kind(int arity) {
      this.arity = arity;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns the type of the result. */
  public PrimType result() {
    return switch (kind) {
      case ISNAN, ISINF -> PrimType.BOOL;
      case POPC, CLZ, CTZ -> PrimType.I32;
      case TO_BITS -> bitsType();
      default -> type;
    };
  }

  /** Returns the type of operand {@code i}. */
  public PrimType operand(int i) {
    return switch (kind) {
      case LDEXP -> i == 1 ? PrimType.I32 : type;
      case FROM_BITS -> bitsType();
      default -> type;
    };
  }

  private PrimType bitsType() {
    return switch (type) {
      case F16 -> PrimType.I16;
      case F32 -> PrimType.I32;
      case F64 -> PrimType.I64;
      default ->
          throw new IllegalArgumentException(
              "type " + type + " has no bit operations, which need a float type");
    };
  }

  /** Returns the text form, for example {@code sqrt_f32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
