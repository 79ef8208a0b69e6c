package futharkc.core.runtime;

/**
 * Operations on {@code i32} and {@code u32}, both carried by {@code int}; an {@code s} or {@code u}
 * before the name of an operation says which of the two.
 *
 * <p>All are total, so that code can run before its checks: what Futhark leaves undefined yields
 * what is said here.
 */
public final class I32 {
  private I32() {}

  /** Division rounding towards minus infinity; 0 if the divisor is. */
  public static int sdiv(int a, int b) {
    return b == 0 ? 0 : Math.floorDiv(a, b);
  }

  /** Division rounding towards plus infinity; 0 if the divisor is. */
  public static int sdivUp(int a, int b) {
    return b == 0 ? 0 : Math.ceilDiv(a, b);
  }

  /** Unsigned division rounding up; 0 if the divisor is. */
  public static int udivUp(int a, int b) {
    return b == 0 || a == 0 ? 0 : udiv(a - 1, b) + 1;
  }

  /** The remainder of {@link #sdiv}, with the sign of the divisor; 0 if the divisor is. */
  public static int smod(int a, int b) {
    return b == 0 ? 0 : Math.floorMod(a, b);
  }

  /** Division rounding towards zero; 0 if the divisor is. */
  public static int squot(int a, int b) {
    return b == 0 ? 0 : a / b;
  }

  /** The remainder of {@link #squot}, with the sign of the dividend; 0 if the divisor is. */
  public static int srem(int a, int b) {
    return b == 0 ? 0 : a % b;
  }

  /** Unsigned division; 0 if the divisor is. */
  public static int udiv(int a, int b) {
    return b == 0 ? 0 : Integer.divideUnsigned(a, b);
  }

  /** Unsigned remainder; 0 if the divisor is. */
  public static int umod(int a, int b) {
    return b == 0 ? 0 : Integer.remainderUnsigned(a, b);
  }

  /**
   * Unsigned remainder by {@code 2^k + 1}, of which {@code 2^k} is -1: what is above bit k counts
   * negative.
   *
   * @param k from 16 to 30
   */
  public static int umodAbove(int a, int k) {
    int r = (a & (1 << k) - 1) - (a >>> k);
    return r + (r >> 31 & (1 << k) + 1);
  }

  /**
   * The power, wrapping around. The exponent counts as unsigned; a program checks before that a
   * signed one is not negative.
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

  /** The smaller of two signed numbers. */
  public static int smin(int a, int b) {
    return Math.min(a, b);
  }

  /** The larger of two signed numbers. */
  public static int smax(int a, int b) {
    return Math.max(a, b);
  }

  /** The smaller of two unsigned numbers. */
  public static int umin(int a, int b) {
    return Integer.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /** The larger of two unsigned numbers. */
  public static int umax(int a, int b) {
    return Integer.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** Whether a &lt; b, unsigned. */
  public static boolean ult(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0;
  }

  /** Whether a &lt;= b, unsigned. */
  public static boolean ule(int a, int b) {
    return Integer.compareUnsigned(a, b) <= 0;
  }

  /** Shift to the left; 0 if b, taken as unsigned, is not below the width. */
  public static int shl(int a, int b) {
    return (b & ~31) == 0 ? a << b : 0;
  }

  /** Shift to the right, filling with zeros; 0 if b, taken as unsigned, is not below the width. */
  public static int lshr(int a, int b) {
    return (b & ~31) == 0 ? a >>> b : 0;
  }

  /** Shift to the right, filling with the sign, also if b is not below the width. */
  public static int ashr(int a, int b) {
    return a >> ((b & ~31) == 0 ? b : 31);
  }

  /** The absolute value; that of the least number is itself. */
  public static int abs(int a) {
    return Math.abs(a);
  }

  /** -1, 0 or 1. */
  public static int ssignum(int a) {
    return Integer.signum(a);
  }

  /** 0 or 1. */
  public static int usignum(int a) {
    return a == 0 ? 0 : 1;
  }

  /** The number of one bits. */
  public static int popc(int a) {
    return Integer.bitCount(a);
  }

  /** The number of leading zero bits. */
  public static int clz(int a) {
    return Integer.numberOfLeadingZeros(a);
  }

  /** The number of trailing zero bits; the width if there is no one bit. */
  public static int ctz(int a) {
    return Integer.numberOfTrailingZeros(a);
  }

  /** The upper half of the signed product. */
  public static int smulHi(int a, int b) {
    return (int) ((long) a * b >> 32);
  }

  /** The upper half of the unsigned product. */
  public static int umulHi(int a, int b) {
    return (int) ((a & 0xffffffffL) * (b & 0xffffffffL) >>> 32);
  }

  /** The upper half of the signed product, plus c. */
  public static int smadHi(int a, int b, int c) {
    return smulHi(a, b) + c;
  }

  /** The upper half of the unsigned product, plus c. */
  public static int umadHi(int a, int b, int c) {
    return umulHi(a, b) + c;
  }
}
