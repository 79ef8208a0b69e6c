package futharkc.core.runtime;

/**
 * Operations on {@code i16} and {@code u16}, whose carrier is {@code short}. A prefix {@code s} or
 * {@code u} in an operation's name stands for signed or unsigned.
 *
 * <p>All operations are total, since code may run before its checks. Each operation defines the
 * result of cases that Futhark leaves undefined.
 */
public final class I16 {
  private I16() {}

  /** Divides, rounding towards minus infinity. The result is 0 if the divisor is 0. */
  public static short sdiv(short a, short b) {
    return b == 0 ? 0 : (short) Math.floorDiv(a, b);
  }

  /** Divides, rounding towards plus infinity. The result is 0 if the divisor is 0. */
  public static short sdivUp(short a, short b) {
    return b == 0 ? 0 : (short) Math.ceilDiv(a, b);
  }

  /** Divides unsigned numbers, rounding up. The result is 0 if the divisor is 0. */
  public static short udivUp(short a, short b) {
    return b == 0 ? 0 : (short) Math.ceilDiv(a & 0xffff, b & 0xffff);
  }

  /**
   * Returns the remainder of {@link #sdiv}, which has the sign of the divisor. The result is 0 if
   * the divisor is 0.
   */
  public static short smod(short a, short b) {
    return b == 0 ? 0 : (short) Math.floorMod(a, b);
  }

  /** Divides, rounding towards zero. The result is 0 if the divisor is 0. */
  public static short squot(short a, short b) {
    return b == 0 ? 0 : (short) (a / b);
  }

  /**
   * Returns the remainder of {@link #squot}, which has the sign of the dividend. The result is 0 if
   * the divisor is 0.
   */
  public static short srem(short a, short b) {
    return b == 0 ? 0 : (short) (a % b);
  }

  /** Divides unsigned numbers. The result is 0 if the divisor is 0. */
  public static short udiv(short a, short b) {
    return b == 0 ? 0 : (short) ((a & 0xffff) / (b & 0xffff));
  }

  /** Returns the remainder of unsigned numbers. The result is 0 if the divisor is 0. */
  public static short umod(short a, short b) {
    return b == 0 ? 0 : (short) ((a & 0xffff) % (b & 0xffff));
  }

  /**
   * Returns the power, which wraps around. The exponent is unsigned; programs check beforehand that
   * a signed exponent is not negative.
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

  /** Returns the smaller of two signed numbers. */
  public static short smin(short a, short b) {
    return a <= b ? a : b;
  }

  /** Returns the larger of two signed numbers. */
  public static short smax(short a, short b) {
    return a >= b ? a : b;
  }

  /** Returns the smaller of two unsigned numbers. */
  public static short umin(short a, short b) {
    return (a & 0xffff) <= (b & 0xffff) ? a : b;
  }

  /** Returns the larger of two unsigned numbers. */
  public static short umax(short a, short b) {
    return (a & 0xffff) >= (b & 0xffff) ? a : b;
  }

  /** Tests whether a &lt; b as unsigned numbers. */
  public static boolean ult(short a, short b) {
    return (a & 0xffff) < (b & 0xffff);
  }

  /** Tests whether a &lt;= b as unsigned numbers. */
  public static boolean ule(short a, short b) {
    return (a & 0xffff) <= (b & 0xffff);
  }

  /** Shifts left. The result is 0 if b, as an unsigned number, is at least the width. */
  public static short shl(short a, short b) {
    return (b & ~15) == 0 ? (short) (a << b) : 0;
  }

  /**
   * Shifts right and fills with zeros. The result is 0 if b, as an unsigned number, is at least the
   * width.
   */
  public static short lshr(short a, short b) {
    return (b & ~15) == 0 ? (short) ((a & 0xffff) >>> b) : 0;
  }

  /** Shifts right and fills with the sign bit, also if b is at least the width. */
  public static short ashr(short a, short b) {
    return (short) (a >> ((b & ~15) == 0 ? b : 15));
  }

  /** Returns the absolute value; the least number is returned unchanged. */
  public static short abs(short a) {
    return (short) Math.abs(a);
  }

  /** Returns the sign: -1, 0 or 1. */
  public static short ssignum(short a) {
    return (short) Integer.signum(a);
  }

  /** Returns the sign: 0 or 1. */
  public static short usignum(short a) {
    return a == 0 ? (short) 0 : 1;
  }

  /** Returns the number of one bits. */
  public static int popc(short a) {
    return Integer.bitCount(a & 0xffff);
  }

  /** Returns the number of leading zero bits. */
  public static int clz(short a) {
    return Integer.numberOfLeadingZeros(a & 0xffff) - 16;
  }

  /** Returns the number of trailing zero bits; the width if a is 0. */
  public static int ctz(short a) {
    return Integer.numberOfTrailingZeros(a | 0x10000);
  }

  /** Returns the upper half of the signed product. */
  public static short smulHi(short a, short b) {
    return (short) (a * b >> 16);
  }

  /** Returns the upper half of the unsigned product. */
  public static short umulHi(short a, short b) {
    return (short) ((a & 0xffff) * (b & 0xffff) >>> 16);
  }

  /** Returns the upper half of the signed product, plus c. */
  public static short smadHi(short a, short b, short c) {
    return (short) (smulHi(a, b) + c);
  }

  /** Returns the upper half of the unsigned product, plus c. */
  public static short umadHi(short a, short b, short c) {
    return (short) (umulHi(a, b) + c);
  }
}
