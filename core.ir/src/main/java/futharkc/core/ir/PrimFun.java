package futharkc.core.ir;

import java.util.Locale;

/**
 * A scalar function at a type. Unless said otherwise, all operands and the result are of that type.
 *
 * @param type a float type for the float functions, an integer type for those on bits
 */
public record PrimFun(Kind kind, PrimType type) {
  /** The functions, with the number of operands. */
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
    /** Half to even. */
    ROUND(1),
    /** Result: bool. */
    ISNAN(1),
    /** Result: bool. */
    ISINF(1),
    NEXTAFTER(2),
    /** Second operand: i32. */
    LDEXP(2),
    COPYSIGN(2),
    /** {@code a + (b - a) * t}. */
    LERP(3),
    /** {@code a * b + c}, rounded once or twice. */
    MAD(3),
    /** {@code a * b + c}, rounded once. */
    FMA(3),
    /** Float to the integer of its width with the same bits. */
    TO_BITS(1),
    /** Integer of the same width to the float {@code type}. */
    FROM_BITS(1),
    /** Of an integer type; result: i32, here and in the next two. */
    POPC(1),
    CLZ(1),
    CTZ(1),
    SMUL_HI(2),
    UMUL_HI(2),
    /** {@code mul_hi(a, b) + c}. */
    SMAD_HI(3),
    UMAD_HI(3);

    /** The number of operands. */
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

  /** The type of the result. */
  public PrimType result() {
    return switch (kind) {
      case ISNAN, ISINF -> PrimType.BOOL;
      case POPC, CLZ, CTZ -> PrimType.I32;
      case TO_BITS -> bitsType();
      default -> type;
    };
  }

  /** The type of operand {@code i}. */
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
      default -> throw new IllegalArgumentException("bits of " + type);
    };
  }

  /** As in {@code sqrt_f32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
