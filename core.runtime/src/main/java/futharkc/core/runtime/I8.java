package futharkc.core.runtime;

/**
 * Operations on {@code i8} and {@code u8}, both carried by {@code byte}; an {@code s} or {@code u}
 * before the name of an operation says which of the two.
 *
 * <p>All are total, so that code can run before its checks: what Futhark leaves undefined yields
 * what is said here.
 */
public final class I8 {
  private I8() {}

  /** Division rounding towards minus infinity; 0 if the divisor is. */
  public static byte sdiv(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.floorDiv(a, b);
  }

  /** Division rounding towards plus infinity; 0 if the divisor is. */
  public static byte sdivUp(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.ceilDiv(a, b);
  }

  /** Unsigned division rounding up; 0 if the divisor is. */
  public static byte udivUp(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.ceilDiv(a & 0xff, b & 0xff);
  }

  /** The remainder of {@link #sdiv}, with the sign of the divisor; 0 if the divisor is. */
  public static byte smod(byte a, byte b) {
    return b == 0 ? 0 : (byte) Math.floorMod(a, b);
  }

  /** Division rounding towards zero; 0 if the divisor is. */
  public static byte squot(byte a, byte b) {
    return b == 0 ? 0 : (byte) (a / b);
  }

  /** The remainder of {@link #squot}, with the sign of the dividend; 0 if the divisor is. */
  public static byte srem(byte a, byte b) {
    return b == 0 ? 0 : (byte) (a % b);
  }

  /** Unsigned division; 0 if the divisor is. */
  public static byte udiv(byte a, byte b) {
    return b == 0 ? 0 : (byte) ((a & 0xff) / (b & 0xff));
  }

  /** Unsigned remainder; 0 if the divisor is. */
  public static byte umod(byte a, byte b) {
    return b == 0 ? 0 : (byte) ((a & 0xff) % (b & 0xff));
  }

  /**
   * The power, wrapping around. The exponent counts as unsigned; a program checks before that a
   * signed one is not negative.
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

  /** The smaller of two signed numbers. */
  public static byte smin(byte a, byte b) {
    return a <= b ? a : b;
  }

  /** The larger of two signed numbers. */
  public static byte smax(byte a, byte b) {
    return a >= b ? a : b;
  }

  /** The smaller of two unsigned numbers. */
  public static byte umin(byte a, byte b) {
    return (a & 0xff) <= (b & 0xff) ? a : b;
  }

  /** The larger of two unsigned numbers. */
  public static byte umax(byte a, byte b) {
    return (a & 0xff) >= (b & 0xff) ? a : b;
  }

  /** Whether a &lt; b, unsigned. */
  public static boolean ult(byte a, byte b) {
    return (a & 0xff) < (b & 0xff);
  }

  /** Whether a &lt;= b, unsigned. */
  public static boolean ule(byte a, byte b) {
    return (a & 0xff) <= (b & 0xff);
  }

  /** Shift to the left; 0 if b, taken as unsigned, is not below the width. */
  public static byte shl(byte a, byte b) {
    return (b & ~7) == 0 ? (byte) (a << b) : 0;
  }

  /** Shift to the right, filling with zeros; 0 if b, taken as unsigned, is not below the width. */
  public static byte lshr(byte a, byte b) {
    return (b & ~7) == 0 ? (byte) ((a & 0xff) >>> b) : 0;
  }

  /** Shift to the right, filling with the sign, also if b is not below the width. */
  public static byte ashr(byte a, byte b) {
    return (byte) (a >> ((b & ~7) == 0 ? b : 7));
  }

  /** The absolute value; that of the least number is itself. */
  public static byte abs(byte a) {
    return (byte) Math.abs(a);
  }

  /** -1, 0 or 1. */
  public static byte ssignum(byte a) {
    return (byte) Integer.signum(a);
  }

  /** 0 or 1. */
  public static byte usignum(byte a) {
    return a == 0 ? (byte) 0 : 1;
  }

  /** The number of one bits. */
  public static int popc(byte a) {
    return Integer.bitCount(a & 0xff);
  }

  /** The number of leading zero bits. */
  public static int clz(byte a) {
    return Integer.numberOfLeadingZeros(a & 0xff) - 24;
  }

  /** The number of trailing zero bits; the width if there is no one bit. */
  public static int ctz(byte a) {
    return Integer.numberOfTrailingZeros(a | 256);
  }

  /** The upper half of the signed product. */
  public static byte smulHi(byte a, byte b) {
    return (byte) (a * b >> 8);
  }

  /** The upper half of the unsigned product. */
  public static byte umulHi(byte a, byte b) {
    return (byte) ((a & 0xff) * (b & 0xff) >>> 8);
  }

  /** The upper half of the signed product, plus c. */
  public static byte smadHi(byte a, byte b, byte c) {
    return (byte) (smulHi(a, b) + c);
  }

  /** The upper half of the unsigned product, plus c. */
  public static byte umadHi(byte a, byte b, byte c) {
    return (byte) (umulHi(a, b) + c);
  }
}
