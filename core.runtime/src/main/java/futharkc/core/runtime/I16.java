package futharkc.core.runtime;

/**
 * Operations on {@code i16} and {@code u16}, both carried by {@code short}; an {@code s} or {@code
 * u} before the name of an operation says which of the two.
 *
 * <p>All are total, so that code can run before its checks: what Futhark leaves undefined yields
 * what is said here.
 */
public final class I16 {
  private I16() {}

  /** Division rounding towards minus infinity; 0 if the divisor is. */
  public static short sdiv(short a, short b) {
    return b == 0 ? 0 : (short) Math.floorDiv(a, b);
  }

  /** Division rounding towards plus infinity; 0 if the divisor is. */
  public static short sdivUp(short a, short b) {
    return b == 0 ? 0 : (short) Math.ceilDiv(a, b);
  }

  /** Unsigned division rounding up; 0 if the divisor is. */
  public static short udivUp(short a, short b) {
    return b == 0 ? 0 : (short) Math.ceilDiv(a & 0xffff, b & 0xffff);
  }

  /** The remainder of {@link #sdiv}, with the sign of the divisor; 0 if the divisor is. */
  public static short smod(short a, short b) {
    return b == 0 ? 0 : (short) Math.floorMod(a, b);
  }

  /** Division rounding towards zero; 0 if the divisor is. */
  public static short squot(short a, short b) {
    return b == 0 ? 0 : (short) (a / b);
  }

  /** The remainder of {@link #squot}, with the sign of the dividend; 0 if the divisor is. */
  public static short srem(short a, short b) {
    return b == 0 ? 0 : (short) (a % b);
  }

  /** Unsigned division; 0 if the divisor is. */
  public static short udiv(short a, short b) {
    return b == 0 ? 0 : (short) ((a & 0xffff) / (b & 0xffff));
  }

  /** Unsigned remainder; 0 if the divisor is. */
  public static short umod(short a, short b) {
    return b == 0 ? 0 : (short) ((a & 0xffff) % (b & 0xffff));
  }

  /**
   * The power, wrapping around. The exponent counts as unsigned; a program checks before that a
   * signed one is not negative.
   */
  public static short pow(short a, short b) {
    short result = 1;
    short square = a;
    for (int e = (b & 0xffff); e != 0; e >>>= 1) {
      if ((e & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** The smaller of two signed numbers. */
  public static short smin(short a, short b) {
    return a <= b ? a : b;
  }

  /** The larger of two signed numbers. */
  public static short smax(short a, short b) {
    return a >= b ? a : b;
  }

  /** The smaller of two unsigned numbers. */
  public static short umin(short a, short b) {
    return (a & 0xffff) <= (b & 0xffff) ? a : b;
  }

  /** The larger of two unsigned numbers. */
  public static short umax(short a, short b) {
    return (a & 0xffff) >= (b & 0xffff) ? a : b;
  }

  /** Whether a &lt; b, unsigned. */
  public static boolean ult(short a, short b) {
    return (a & 0xffff) < (b & 0xffff);
  }

  /** Whether a &lt;= b, unsigned. */
  public static boolean ule(short a, short b) {
    return (a & 0xffff) <= (b & 0xffff);
  }

  /** Shift to the left; 0 if b, taken as unsigned, is not below the width. */
  public static short shl(short a, short b) {
    return (b & ~15) == 0 ? (short) (a << b) : 0;
  }

  /** Shift to the right, filling with zeros; 0 if b, taken as unsigned, is not below the width. */
  public static short lshr(short a, short b) {
    return (b & ~15) == 0 ? (short) ((a & 0xffff) >>> b) : 0;
  }

  /** Shift to the right, filling with the sign, also if b is not below the width. */
  public static short ashr(short a, short b) {
    return (short) (a >> ((b & ~15) == 0 ? b : 15));
  }

  /** The absolute value; that of the least number is itself. */
  public static short abs(short a) {
    return (short) Math.abs(a);
  }

  /** -1, 0 or 1. */
  public static short ssignum(short a) {
    return (short) Integer.signum(a);
  }

  /** 0 or 1. */
  public static short usignum(short a) {
    return a == 0 ? (short) 0 : 1;
  }

  /** The number of one bits. */
  public static int popc(short a) {
    return Integer.bitCount(a & 0xffff);
  }

  /** The number of leading zero bits. */
  public static int clz(short a) {
    return Integer.numberOfLeadingZeros(a & 0xffff) - 16;
  }

  /** The number of trailing zero bits; the width if there is no one bit. */
  public static int ctz(short a) {
    return Integer.numberOfTrailingZeros(a | 0x10000);
  }

  /** The upper half of the signed product. */
  public static short smulHi(short a, short b) {
    return (short) (a * b >> 16);
  }

  /** The upper half of the unsigned product. */
  public static short umulHi(short a, short b) {
    return (short) ((a & 0xffff) * (b & 0xffff) >>> 16);
  }

  /** The upper half of the signed product, plus c. */
  public static short smadHi(short a, short b, short c) {
    return (short) (smulHi(a, b) + c);
  }

  /** The upper half of the unsigned product, plus c. */
  public static short umadHi(short a, short b, short c) {
    return (short) (umulHi(a, b) + c);
  }
}
