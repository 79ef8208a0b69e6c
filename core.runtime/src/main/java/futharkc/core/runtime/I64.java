package futharkc.core.runtime;

/**
 * Operations on {@code i64} and {@code u64}, both carried by {@code long}; an {@code s} or {@code
 * u} before the name of an operation says which of the two.
 *
 * <p>All are total, so that code can run before its checks: what Futhark leaves undefined yields
 * what is said here.
 */
public final class I64 {
  private I64() {}

  /** Division rounding towards minus infinity; 0 if the divisor is. */
  public static long sdiv(long a, long b) {
    return b == 0 ? 0 : Math.floorDiv(a, b);
  }

  /** Division rounding towards plus infinity; 0 if the divisor is. */
  public static long sdivUp(long a, long b) {
    return b == 0 ? 0 : Math.ceilDiv(a, b);
  }

  /** Unsigned division rounding up; 0 if the divisor is. */
  public static long udivUp(long a, long b) {
    return b == 0 || a == 0 ? 0 : udiv(a - 1, b) + 1;
  }

  /** The remainder of {@link #sdiv}, with the sign of the divisor; 0 if the divisor is. */
  public static long smod(long a, long b) {
    return b == 0 ? 0 : Math.floorMod(a, b);
  }

  /** Division rounding towards zero; 0 if the divisor is. */
  public static long squot(long a, long b) {
    return b == 0 ? 0 : a / b;
  }

  /** The remainder of {@link #squot}, with the sign of the dividend; 0 if the divisor is. */
  public static long srem(long a, long b) {
    return b == 0 ? 0 : a % b;
  }

  /** Unsigned division; 0 if the divisor is. */
  public static long udiv(long a, long b) {
    return b == 0 ? 0 : Long.divideUnsigned(a, b);
  }

  /** Unsigned remainder; 0 if the divisor is. */
  public static long umod(long a, long b) {
    return b == 0 ? 0 : Long.remainderUnsigned(a, b);
  }

  /**
   * The power, wrapping around. The exponent counts as unsigned; a program checks before that a
   * signed one is not negative.
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

  /** The smaller of two signed numbers. */
  public static long smin(long a, long b) {
    return Math.min(a, b);
  }

  /** The larger of two signed numbers. */
  public static long smax(long a, long b) {
    return Math.max(a, b);
  }

  /** The smaller of two unsigned numbers. */
  public static long umin(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /** The larger of two unsigned numbers. */
  public static long umax(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** Whether a &lt; b, unsigned. */
  public static boolean ult(long a, long b) {
    return Long.compareUnsigned(a, b) < 0;
  }

  /** Whether a &lt;= b, unsigned. */
  public static boolean ule(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0;
  }

  /** Shift to the left; 0 if b, taken as unsigned, is not below the width. */
  public static long shl(long a, long b) {
    return (b & ~63L) == 0 ? a << (int) b : 0;
  }

  /** Shift to the right, filling with zeros; 0 if b, taken as unsigned, is not below the width. */
  public static long lshr(long a, long b) {
    return (b & ~63L) == 0 ? a >>> (int) b : 0;
  }

  /** Shift to the right, filling with the sign, also if b is not below the width. */
  public static long ashr(long a, long b) {
    return a >> ((b & ~63L) == 0 ? (int) b : 63);
  }

  /** The absolute value; that of the least number is itself. */
  public static long abs(long a) {
    return Math.abs(a);
  }

  /** -1, 0 or 1. */
  public static long ssignum(long a) {
    return Long.signum(a);
  }

  /** 0 or 1. */
  public static long usignum(long a) {
    return a == 0 ? 0 : 1;
  }

  /** The number of one bits. */
  public static int popc(long a) {
    return Long.bitCount(a);
  }

  /** The number of leading zero bits. */
  public static int clz(long a) {
    return Long.numberOfLeadingZeros(a);
  }

  /** The number of trailing zero bits; the width if there is no one bit. */
  public static int ctz(long a) {
    return Long.numberOfTrailingZeros(a);
  }

  /** The upper half of the signed product. */
  public static long smulHi(long a, long b) {
    return Math.multiplyHigh(a, b);
  }

  /** The upper half of the unsigned product. */
  public static long umulHi(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b);
  }

  /** The upper half of the signed product, plus c. */
  public static long smadHi(long a, long b, long c) {
    return smulHi(a, b) + c;
  }

  /** The upper half of the unsigned product, plus c. */
  public static long umadHi(long a, long b, long c) {
    return umulHi(a, b) + c;
  }
}
