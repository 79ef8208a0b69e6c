package futharkc.core.runtime;

/**
 * Operations on {@code f16}, carried by the {@code short} that holds its IEEE 754 binary16 bits.
 * Each computes with floats and rounds the result once more; for the basic operations and the
 * square root that is the correctly rounded result, since a float has more than twice the
 * precision.
 */
public final class F16 {
  private F16() {}

  private static float f(short a) {
    return Float.float16ToFloat(a);
  }

  private static short h(float a) {
    return Float.floatToFloat16(a);
  }

  /** The sum. */
  public static short add(short a, short b) {
    return h(f(a) + f(b));
  }

  /** The difference. */
  public static short sub(short a, short b) {
    return h(f(a) - f(b));
  }

  /** The product. */
  public static short mul(short a, short b) {
    return h(f(a) * f(b));
  }

  /** The quotient. */
  public static short div(short a, short b) {
    return h(f(a) / f(b));
  }

  /** The remainder of division rounding towards zero, with the sign of the dividend. */
  public static short mod(short a, short b) {
    return h(f(a) % f(b));
  }

  /** The power, as in C: 1 to any power, and anything to the power 0, is 1, even for NaN. */
  public static short pow(short a, short b) {
    return h(F32.pow(f(a), f(b)));
  }

  /** The smaller one; the other one if one is NaN. */
  public static short min(short a, short b) {
    return h(F32.min(f(a), f(b)));
  }

  /** The larger one; the other one if one is NaN. */
  public static short max(short a, short b) {
    return h(F32.max(f(a), f(b)));
  }

  /** The length of the vector (a, b). */
  public static short hypot(short a, short b) {
    return h(F32.hypot(f(a), f(b)));
  }

  /** The first one with the sign of the second. */
  public static short copySign(short a, short b) {
    return h(Math.copySign(f(a), f(b)));
  }

  /** The angle of the point (x, y). */
  public static short atan2(short y, short x) {
    return h(F32.atan2(f(y), f(x)));
  }

  /** The angle of the point (x, y), over pi. */
  public static short atan2pi(short y, short x) {
    return h(F32.atan2pi(f(y), f(x)));
  }

  /** Whether a = b; false for NaN. */
  public static boolean eq(short a, short b) {
    return f(a) == f(b);
  }

  /** Whether a &lt; b; false for NaN. */
  public static boolean lt(short a, short b) {
    return f(a) < f(b);
  }

  /** Whether a &lt;= b; false for NaN. */
  public static boolean le(short a, short b) {
    return f(a) <= f(b);
  }

  /** The number with its sign changed. */
  public static short neg(short a) {
    return (short) (a ^ 0x8000);
  }

  /** The number without its sign. */
  public static short abs(short a) {
    return (short) (a & 0x7fff);
  }

  /** Whether the number is NaN. */
  public static boolean isNaN(short a) {
    return (a & 0x7fff) > 0x7c00;
  }

  /** Whether the number is plus or minus infinity. */
  public static boolean isInfinite(short a) {
    return (a & 0x7fff) == 0x7c00;
  }

  /** -1, 0 or 1; a zero and NaN are returned as they are. */
  public static short signum(short a) {
    return h(F32.signum(f(a)));
  }

  /** One over the square root. */
  public static short rsqrt(short a) {
    return h(F32.rsqrt(f(a)));
  }

  /** Rounds to the nearest integer, halves to the even one. */
  public static short round(short a) {
    return h(F32.round(f(a)));
  }

  /** The square root. */
  public static short sqrt(short a) {
    return h(F32.sqrt(f(a)));
  }

  /** The cube root. */
  public static short cbrt(short a) {
    return h(F32.cbrt(f(a)));
  }

  /** The exponential function. */
  public static short exp(short a) {
    return h(F32.exp(f(a)));
  }

  /** The natural logarithm. */
  public static short log(short a) {
    return h(F32.log(f(a)));
  }

  /** The logarithm to base 10. */
  public static short log10(short a) {
    return h(F32.log10(f(a)));
  }

  /** The natural logarithm of 1 + a. */
  public static short log1p(short a) {
    return h(F32.log1p(f(a)));
  }

  /** The sine. */
  public static short sin(short a) {
    return h(F32.sin(f(a)));
  }

  /** The cosine. */
  public static short cos(short a) {
    return h(F32.cos(f(a)));
  }

  /** The tangent. */
  public static short tan(short a) {
    return h(F32.tan(f(a)));
  }

  /** The arc sine. */
  public static short asin(short a) {
    return h(F32.asin(f(a)));
  }

  /** The arc cosine. */
  public static short acos(short a) {
    return h(F32.acos(f(a)));
  }

  /** The arc tangent. */
  public static short atan(short a) {
    return h(F32.atan(f(a)));
  }

  /** The hyperbolic sine. */
  public static short sinh(short a) {
    return h(F32.sinh(f(a)));
  }

  /** The hyperbolic cosine. */
  public static short cosh(short a) {
    return h(F32.cosh(f(a)));
  }

  /** The hyperbolic tangent. */
  public static short tanh(short a) {
    return h(F32.tanh(f(a)));
  }

  /** Rounds up to an integer. */
  public static short ceil(short a) {
    return h(F32.ceil(f(a)));
  }

  /** Rounds down to an integer. */
  public static short floor(short a) {
    return h(F32.floor(f(a)));
  }

  /** The logarithm to base 2, exact for powers of 2. */
  public static short log2(short a) {
    return h(F32.log2(f(a)));
  }

  /** The sine of pi times a. */
  public static short sinpi(short a) {
    return h(F32.sinpi(f(a)));
  }

  /** The cosine of pi times a. */
  public static short cospi(short a) {
    return h(F32.cospi(f(a)));
  }

  /** The tangent of pi times a. */
  public static short tanpi(short a) {
    return h(F32.tanpi(f(a)));
  }

  /** The arc sine over pi. */
  public static short asinpi(short a) {
    return h(F32.asinpi(f(a)));
  }

  /** The arc cosine over pi. */
  public static short acospi(short a) {
    return h(F32.acospi(f(a)));
  }

  /** The arc tangent over pi. */
  public static short atanpi(short a) {
    return h(F32.atanpi(f(a)));
  }

  /** The inverse hyperbolic sine. */
  public static short asinh(short a) {
    return h(F32.asinh(f(a)));
  }

  /** The inverse hyperbolic cosine. */
  public static short acosh(short a) {
    return h(F32.acosh(f(a)));
  }

  /** The inverse hyperbolic tangent. */
  public static short atanh(short a) {
    return h(F32.atanh(f(a)));
  }

  /** The gamma function; NaN at the negative integers. */
  public static short gamma(short a) {
    return h(F32.gamma(f(a)));
  }

  /** The logarithm of the absolute value of the gamma function. */
  public static short lgamma(short a) {
    return h(F32.lgamma(f(a)));
  }

  /** The error function. */
  public static short erf(short a) {
    return h(F32.erf(f(a)));
  }

  /** One minus the error function. */
  public static short erfc(short a) {
    return h(F32.erfc(f(a)));
  }

  /** Linear interpolation between a and b; not limited to t from 0 to 1. */
  public static short lerp(short a, short b, short t) {
    return add(a, mul(sub(b, a), t));
  }

  /** a * b + c, rounded twice. */
  public static short mad(short a, short b, short c) {
    return add(mul(a, b), c);
  }

  /** a * b + c, rounded once. */
  public static short fma(short a, short b, short c) {
    return Convert.f64ToF16((double) f(a) * f(b) + f(c));
  }

  /** a times 2 to the power n. */
  public static short ldexp(short a, int n) {
    return Convert.f64ToF16(Math.scalb((double) f(a), n));
  }

  /** The neighbour of a on the way to b; b if they are equal. */
  public static short nextAfter(short a, short b) {
    if (isNaN(a) || isNaN(b)) {
      return 0x7e00;
    }
    float x = f(a);
    float y = f(b);
    if (x == y) {
      return b;
    }
    if (x == 0) {
      return (short) (y > 0 ? 1 : 0x8001);
    }
    return (short) (x < y == x > 0 ? a + 1 : a - 1);
  }
}
