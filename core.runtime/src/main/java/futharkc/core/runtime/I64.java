package futharkc.core.runtime;

/**
 * Operations on {@code i64} and {@code u64}, whose carrier is {@code long}. A prefix {@code s} or
 * {@code u} in an operation's name stands for signed or unsigned.
 *
 * <p>All operations are total, since code may run before its checks. Each operation defines the
 * result of cases that Futhark leaves undefined.
 */
public final class I64 {
  private I64() {}

  /** Divides, rounding towards minus infinity. The result is 0 if the divisor is 0. */
  public static long sdiv(long a, long b) {
    return b == 0 ? 0 : Math.floorDiv(a, b);
  }

  /** Divides, rounding towards plus infinity. The result is 0 if the divisor is 0. */
  public static long sdivUp(long a, long b) {
    return b == 0 ? 0 : Math.ceilDiv(a, b);
  }

  /** Divides unsigned numbers, rounding up. The result is 0 if the divisor is 0. */
  public static long udivUp(long a, long b) {
    return b == 0 || a == 0 ? 0 : udiv(a - 1, b) + 1;
  }

  /**
   * Returns the remainder of {@link #sdiv}, which has the sign of the divisor. The result is 0 if
   * the divisor is 0.
   */
  public static long smod(long a, long b) {
    return b == 0 ? 0 : Math.floorMod(a, b);
  }

  /** Divides, rounding towards zero. The result is 0 if the divisor is 0. */
  public static long squot(long a, long b) {
    return b == 0 ? 0 : a / b;
  }

  /**
   * Returns the remainder of {@link #squot}, which has the sign of the dividend. The result is 0 if
   * the divisor is 0.
   */
  public static long srem(long a, long b) {
    return b == 0 ? 0 : a % b;
  }

  /** Divides unsigned numbers. The result is 0 if the divisor is 0. */
  public static long udiv(long a, long b) {
    return b == 0 ? 0 : Long.divideUnsigned(a, b);
  }

  /** Returns the remainder of unsigned numbers. The result is 0 if the divisor is 0. */
  public static long umod(long a, long b) {
    return b == 0 ? 0 : Long.remainderUnsigned(a, b);
  }

  /**
   * Returns the power, which wraps around. The exponent is unsigned; programs check beforehand that
   * a signed exponent is not negative.
   */
  public static long pow(long a, long b) {
    long result = 1;
    long square = a;
    for (long e = b; e != 0; e >>>= 1) {
      if ((e & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** Returns the smaller of two signed numbers. */
  public static long smin(long a, long b) {
    return Math.min(a, b);
  }

  /** Returns the larger of two signed numbers. */
  public static long smax(long a, long b) {
    return Math.max(a, b);
  }

  /** Returns the smaller of two unsigned numbers. */
  public static long umin(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /** Returns the larger of two unsigned numbers. */
  public static long umax(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** Tests whether a &lt; b as unsigned numbers. */
  public static boolean ult(long a, long b) {
    return Long.compareUnsigned(a, b) < 0;
  }

  /** Tests whether a &lt;= b as unsigned numbers. */
  public static boolean ule(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0;
  }

  /** Shifts left. The result is 0 if b, as an unsigned number, is at least the width. */
  public static long shl(long a, long b) {
    return (b & ~63L) == 0 ? a << (int) b : 0;
  }

  /**
   * Shifts right and fills with zeros. The result is 0 if b, as an unsigned number, is at least the
   * width.
   */
  public static long lshr(long a, long b) {
    return (b & ~63L) == 0 ? a >>> (int) b : 0;
  }

  /** Shifts right and fills with the sign bit, also if b is at least the width. */
  public static long ashr(long a, long b) {
    return a >> ((b & ~63L) == 0 ? (int) b : 63);
  }

  /** Returns the absolute value; the least number is returned unchanged. */
  public static long abs(long a) {
    return Math.abs(a);
  }

  /** Returns the sign: -1, 0 or 1. */
  public static long ssignum(long a) {
    return Long.signum(a);
  }

  /** Returns the sign: 0 or 1. */
  public static long usignum(long a) {
    return a == 0 ? 0 : 1;
  }

  /** Returns the number of one bits. */
  public static int popc(long a) {
    return Long.bitCount(a);
  }

  /** Returns the number of leading zero bits. */
  public static int clz(long a) {
    return Long.numberOfLeadingZeros(a);
  }

  /** Returns the number of trailing zero bits; the width if a is 0. */
  public static int ctz(long a) {
    return Long.numberOfTrailingZeros(a);
  }

  /** Returns the upper half of the signed product. */
  public static long smulHi(long a, long b) {
    return Math.multiplyHigh(a, b);
  }

  /** Returns the upper half of the unsigned product. */
  public static long umulHi(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b);
  }

  /** Returns the upper half of the signed product, plus c. */
  public static long smadHi(long a, long b, long c) {
    return smulHi(a, b) + c;
  }

  /** Returns the upper half of the unsigned product, plus c. */
  public static long umadHi(long a, long b, long c) {
    return umulHi(a, b) + c;
  }
}
