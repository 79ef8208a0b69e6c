package futharkc.core.runtime;

/**
 * Operations on {@code i32} and {@code u32}, whose carrier is {@code int}. A prefix {@code s} or
 * {@code u} in an operation's name stands for signed or unsigned.
 *
 * <p>All operations are total, since code may run before its checks. Each operation defines the
 * result of cases that Futhark leaves undefined.
 */
public final class I32 {
  private I32() {}

  /** Divides, rounding towards minus infinity. The result is 0 if the divisor is 0. */
  public static int sdiv(int a, int b) {
    return b == 0 ? 0 : Math.floorDiv(a, b);
  }

  /** Divides, rounding towards plus infinity. The result is 0 if the divisor is 0. */
  public static int sdivUp(int a, int b) {
    return b == 0 ? 0 : Math.ceilDiv(a, b);
  }

  /** Divides unsigned numbers, rounding up. The result is 0 if the divisor is 0. */
  public static int udivUp(int a, int b) {
    return b == 0 || a == 0 ? 0 : udiv(a - 1, b) + 1;
  }

  /**
   * Returns the remainder of {@link #sdiv}, which has the sign of the divisor. The result is 0 if
   * the divisor is 0.
   */
  public static int smod(int a, int b) {
    return b == 0 ? 0 : Math.floorMod(a, b);
  }

  /** Divides, rounding towards zero. The result is 0 if the divisor is 0. */
  public static int squot(int a, int b) {
    return b == 0 ? 0 : a / b;
  }

  /**
   * Returns the remainder of {@link #squot}, which has the sign of the dividend. The result is 0 if
   * the divisor is 0.
   */
  public static int srem(int a, int b) {
    return b == 0 ? 0 : a % b;
  }

  /** Divides unsigned numbers. The result is 0 if the divisor is 0. */
  public static int udiv(int a, int b) {
    return b == 0 ? 0 : Integer.divideUnsigned(a, b);
  }

  /** Returns the remainder of unsigned numbers. The result is 0 if the divisor is 0. */
  public static int umod(int a, int b) {
    return b == 0 ? 0 : Integer.remainderUnsigned(a, b);
  }

  /**
   * Returns the unsigned remainder by {@code 2^k + 1}. Since {@code 2^k} is -1 modulo the divisor,
   * the bits from k on are subtracted.
   *
   * @param a the dividend
   * @param k the exponent, from 16 to 30
   */
  public static int umodAbove(int a, int k) {
    int r = (a & (1 << k) - 1) - (a >>> k);
    return r + (r >> 31 & (1 << k) + 1);
  }

  /**
   * Returns the power, which wraps around. The exponent is unsigned; programs check beforehand that
   * a signed exponent is not negative.
   */
  public static int pow(int a, int b) {
    int result = 1;
    int square = a;
    for (int e = b; e != 0; e >>>= 1) {
      if ((e & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** Returns the smaller of two signed numbers. */
  public static int smin(int a, int b) {
    return Math.min(a, b);
  }

  /** Returns the larger of two signed numbers. */
  public static int smax(int a, int b) {
    return Math.max(a, b);
  }

  /** Returns the smaller of two unsigned numbers. */
  public static int umin(int a, int b) {
    return Integer.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /** Returns the larger of two unsigned numbers. */
  public static int umax(int a, int b) {
    return Integer.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** Tests whether a &lt; b as unsigned numbers. */
  public static boolean ult(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0;
  }

  /** Tests whether a &lt;= b as unsigned numbers. */
  public static boolean ule(int a, int b) {
    return Integer.compareUnsigned(a, b) <= 0;
  }

  /** Shifts left. The result is 0 if b, as an unsigned number, is at least the width. */
  public static int shl(int a, int b) {
    return (b & ~31) == 0 ? a << b : 0;
  }

  /**
   * Shifts right and fills with zeros. The result is 0 if b, as an unsigned number, is at least the
   * width.
   */
  public static int lshr(int a, int b) {
    return (b & ~31) == 0 ? a >>> b : 0;
  }

  /** Shifts right and fills with the sign bit, also if b is at least the width. */
  public static int ashr(int a, int b) {
    return a >> ((b & ~31) == 0 ? b : 31);
  }

  /** Returns the absolute value; the least number is returned unchanged. */
  public static int abs(int a) {
    return Math.abs(a);
  }

  /** Returns the sign: -1, 0 or 1. */
  public static int ssignum(int a) {
    return Integer.signum(a);
  }

  /** Returns the sign: 0 or 1. */
  public static int usignum(int a) {
    return a == 0 ? 0 : 1;
  }

  /** Returns the number of one bits. */
  public static int popc(int a) {
    return Integer.bitCount(a);
  }

  /** Returns the number of leading zero bits. */
  public static int clz(int a) {
    return Integer.numberOfLeadingZeros(a);
  }

  /** Returns the number of trailing zero bits; the width if a is 0. */
  public static int ctz(int a) {
    return Integer.numberOfTrailingZeros(a);
  }

  /** Returns the upper half of the signed product. */
  public static int smulHi(int a, int b) {
    return (int) ((long) a * b >> 32);
  }

  /** Returns the upper half of the unsigned product. */
  public static int umulHi(int a, int b) {
    return (int) ((a & 0xffffffffL) * (b & 0xffffffffL) >>> 32);
  }

  /** Returns the upper half of the signed product, plus c. */
  public static int smadHi(int a, int b, int c) {
    return smulHi(a, b) + c;
  }

  /** Returns the upper half of the unsigned product, plus c. */
  public static int umadHi(int a, int b, int c) {
    return umulHi(a, b) + c;
  }
}
