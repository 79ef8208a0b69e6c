package futharkc.core.runtime;

/**
 * Operations on {@code i8} and {@code u8}, whose carrier is {@code byte}. A prefix {@code s} or
 * {@code u} in an operation's name stands for signed or unsigned.
 *
 * <p>All operations are total, since code may run before its checks. Each operation defines the
 * result of cases that Futhark leaves undefined.
 */
public final class I8 {
  private I8() {}

  /** Divides, rounding towards minus infinity. The result is 0 if the divisor is 0. */
  public static byte sdiv(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.floorDiv(a, b);
  }

  /** Divides, rounding towards plus infinity. The result is 0 if the divisor is 0. */
  public static byte sdivUp(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.ceilDiv(a, b);
  }

  /** Divides unsigned numbers, rounding up. The result is 0 if the divisor is 0. */
  public static byte udivUp(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.ceilDiv(a & 0xff, b & 0xff);
  }

  /**
   * Returns the remainder of {@link #sdiv}, which has the sign of the divisor. The result is 0 if
   * the divisor is 0.
   */
  public static byte smod(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.floorMod(a, b);
  }

  /** Divides, rounding towards zero. The result is 0 if the divisor is 0. */
  public static byte squot(byte a, byte b) {
    return b == 0 ? 0 : (byte) (a / b);
  }

  /**
   * Returns the remainder of {@link #squot}, which has the sign of the dividend. The result is 0 if
   * the divisor is 0.
   */
  public static byte srem(byte a, byte b) {
    return b == 0 ? 0 : (byte) (a % b);
  }

  /** Divides unsigned numbers. The result is 0 if the divisor is 0. */
  public static byte udiv(byte a, byte b) {
    return b == 0 ? 0 : (byte) ((a & 0xff) / (b & 0xff));
  }

  /** Returns the remainder of unsigned numbers. The result is 0 if the divisor is 0. */
  public static byte umod(byte a, byte b) {
    return b == 0 ? 0 : (byte) ((a & 0xff) % (b & 0xff));
  }

  /**
   * Returns the power, which wraps around. The exponent is unsigned; programs check beforehand that
   * a signed exponent is not negative.
   */
  public static byte pow(byte a, byte b) {
    byte result = 1;
    byte square = a;
    for (int e = (b & 0xff); e != 0; e >>>= 1) {
      if ((e & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** Returns the smaller of two signed numbers. */
  public static byte smin(byte a, byte b) {
    return a <= b ? a : b;
  }

  /** Returns the larger of two signed numbers. */
  public static byte smax(byte a, byte b) {
    return a >= b ? a : b;
  }

  /** Returns the smaller of two unsigned numbers. */
  public static byte umin(byte a, byte b) {
    return (a & 0xff) <= (b & 0xff) ? a : b;
  }

  /** Returns the larger of two unsigned numbers. */
  public static byte umax(byte a, byte b) {
    return (a & 0xff) >= (b & 0xff) ? a : b;
  }

  /** Tests whether a &lt; b as unsigned numbers. */
  public static boolean ult(byte a, byte b) {
    return (a & 0xff) < (b & 0xff);
  }

  /** Tests whether a &lt;= b as unsigned numbers. */
  public static boolean ule(byte a, byte b) {
    return (a & 0xff) <= (b & 0xff);
  }

  /** Shifts left. The result is 0 if b, as an unsigned number, is at least the width. */
  public static byte shl(byte a, byte b) {
    return (b & ~7) == 0 ? (byte) (a << b) : 0;
  }

  /**
   * Shifts right and fills with zeros. The result is 0 if b, as an unsigned number, is at least the
   * width.
   */
  public static byte lshr(byte a, byte b) {
    return (b & ~7) == 0 ? (byte) ((a & 0xff) >>> b) : 0;
  }

  /** Shifts right and fills with the sign bit, also if b is at least the width. */
  public static byte ashr(byte a, byte b) {
    return (byte) (a >> ((b & ~7) == 0 ? b : 7));
  }

  /** Returns the absolute value; the least number is returned unchanged. */
  public static byte abs(byte a) {
    return (byte) Math.abs(a);
  }

  /** Returns the sign: -1, 0 or 1. */
  public static byte ssignum(byte a) {
    return (byte) Integer.signum(a);
  }

  /** Returns the sign: 0 or 1. */
  public static byte usignum(byte a) {
    return a == 0 ? (byte) 0 : 1;
  }

  /** Returns the number of one bits. */
  public static int popc(byte a) {
    return Integer.bitCount(a & 0xff);
  }

  /** Returns the number of leading zero bits. */
  public static int clz(byte a) {
    return Integer.numberOfLeadingZeros(a & 0xff) - 24;
  }

  /** Returns the number of trailing zero bits; the width if a is 0. */
  public static int ctz(byte a) {
    return Integer.numberOfTrailingZeros(a | 256);
  }

  /** Returns the upper half of the signed product. */
  public static byte smulHi(byte a, byte b) {
    return (byte) (a * b >> 8);
  }

  /** Returns the upper half of the unsigned product. */
  public static byte umulHi(byte a, byte b) {
    return (byte) ((a & 0xff) * (b & 0xff) >>> 8);
  }

  /** Returns the upper half of the signed product, plus c. */
  public static byte smadHi(byte a, byte b, byte c) {
    return (byte) (smulHi(a, b) + c);
  }

  /** Returns the upper half of the unsigned product, plus c. */
  public static byte umadHi(byte a, byte b, byte c) {
    return (byte) (umulHi(a, b) + c);
  }
}
