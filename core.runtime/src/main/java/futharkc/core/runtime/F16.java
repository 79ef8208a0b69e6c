package futharkc.core.runtime;

/**
 * Operations on {@code f16}. The carrier is a {@code short} with the IEEE 754 binary16 bits. Each
 * operation computes in {@code float} and rounds the result once more. For the basic operations and
 * the square root the result is correctly rounded, since {@code float} has more than twice the
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

  /** Returns the sum. */
  public static short add(short a, short b) {
    return h(f(a) + f(b));
  }

  /** Returns the difference. */
  public static short sub(short a, short b) {
    return h(f(a) - f(b));
  }

  /** Returns the product. */
  public static short mul(short a, short b) {
    return h(f(a) * f(b));
  }

  /** Returns the quotient. */
  public static short div(short a, short b) {
    return h(f(a) / f(b));
  }

  /** Returns the remainder of division rounding towards zero, with the sign of the dividend. */
  public static short mod(short a, short b) {
    return h(f(a) % f(b));
  }

  /**
   * Returns the power as in C: 1 to any power and any number to the power 0 are 1, even for NaN.
   */
  public static short pow(short a, short b) {
    return h(F32.pow(f(a), f(b)));
  }

  /** Returns the smaller number; if one is NaN, the other one. */
  public static short min(short a, short b) {
    return h(F32.min(f(a), f(b)));
  }

  /** Returns the larger number; if one is NaN, the other one. */
  public static short max(short a, short b) {
    return h(F32.max(f(a), f(b)));
  }

  /** Returns the length of the vector (a, b). */
  public static short hypot(short a, short b) {
    return h(F32.hypot(f(a), f(b)));
  }

  /** Returns a with the sign of b. */
  public static short copySign(short a, short b) {
    return h(Math.copySign(f(a), f(b)));
  }

  /** Returns the angle of the point (x, y). */
  public static short atan2(short y, short x) {
    return h(F32.atan2(f(y), f(x)));
  }

  /** Returns the angle of the point (x, y), divided by pi. */
  public static short atan2pi(short y, short x) {
    return h(F32.atan2pi(f(y), f(x)));
  }

  /** Tests whether a = b; the result is false for NaN. */
  public static boolean eq(short a, short b) {
    return f(a) == f(b);
  }

  /** Tests whether a &lt; b; the result is false for NaN. */
  public static boolean lt(short a, short b) {
    return f(a) < f(b);
  }

  /** Tests whether a &lt;= b; the result is false for NaN. */
  public static boolean le(short a, short b) {
    return f(a) <= f(b);
  }

  /** Negates the number. */
  public static short neg(short a) {
    return (short) (a ^ 0x8000);
  }

  /** Returns the absolute value. */
  public static short abs(short a) {
    return (short) (a & 0x7fff);
  }

  /** Tests whether the number is NaN. */
  public static boolean isNaN(short a) {
    return (a & 0x7fff) > 0x7c00;
  }

  /** Tests whether the number is plus or minus infinity. */
  public static boolean isInfinite(short a) {
    return (a & 0x7fff) == 0x7c00;
  }

  /** Returns the sign, -1 or 1; zeros and NaN are returned unchanged. */
  public static short signum(short a) {
    return h(F32.signum(f(a)));
  }

  /** Returns the reciprocal of the square root. */
  public static short rsqrt(short a) {
    return h(F32.rsqrt(f(a)));
  }

  /** Rounds to the nearest integer, halves to the even one. */
  public static short round(short a) {
    return h(F32.round(f(a)));
  }

  /** Returns the square root. */
  public static short sqrt(short a) {
    return h(F32.sqrt(f(a)));
  }

  /** Returns the cube root. */
  public static short cbrt(short a) {
    return h(F32.cbrt(f(a)));
  }

  /** Returns the exponential function. */
  public static short exp(short a) {
    return h(F32.exp(f(a)));
  }

  /** Returns the natural logarithm. */
  public static short log(short a) {
    return h(F32.log(f(a)));
  }

  /** Returns the logarithm to base 10. */
  public static short log10(short a) {
    return h(F32.log10(f(a)));
  }

  /** Returns the natural logarithm of 1 + a. */
  public static short log1p(short a) {
    return h(F32.log1p(f(a)));
  }

  /** Returns the sine. */
  public static short sin(short a) {
    return h(F32.sin(f(a)));
  }

  /** Returns the cosine. */
  public static short cos(short a) {
    return h(F32.cos(f(a)));
  }

  /** Returns the tangent. */
  public static short tan(short a) {
    return h(F32.tan(f(a)));
  }

  /** Returns the arc sine. */
  public static short asin(short a) {
    return h(F32.asin(f(a)));
  }

  /** Returns the arc cosine. */
  public static short acos(short a) {
    return h(F32.acos(f(a)));
  }

  /** Returns the arc tangent. */
  public static short atan(short a) {
    return h(F32.atan(f(a)));
  }

  /** Returns the hyperbolic sine. */
  public static short sinh(short a) {
    return h(F32.sinh(f(a)));
  }

  /** Returns the hyperbolic cosine. */
  public static short cosh(short a) {
    return h(F32.cosh(f(a)));
  }

  /** Returns the hyperbolic tangent. */
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

  /** Returns the logarithm to base 2, exact for powers of 2. */
  public static short log2(short a) {
    return h(F32.log2(f(a)));
  }

  /** Returns the sine of pi times a. */
  public static short sinpi(short a) {
    return h(F32.sinpi(f(a)));
  }

  /** Returns the cosine of pi times a. */
  public static short cospi(short a) {
    return h(F32.cospi(f(a)));
  }

  /** Returns the tangent of pi times a. */
  public static short tanpi(short a) {
    return h(F32.tanpi(f(a)));
  }

  /** Returns the arc sine, divided by pi. */
  public static short asinpi(short a) {
    return h(F32.asinpi(f(a)));
  }

  /** Returns the arc cosine, divided by pi. */
  public static short acospi(short a) {
    return h(F32.acospi(f(a)));
  }

  /** Returns the arc tangent, divided by pi. */
  public static short atanpi(short a) {
    return h(F32.atanpi(f(a)));
  }

  /** Returns the inverse hyperbolic sine. */
  public static short asinh(short a) {
    return h(F32.asinh(f(a)));
  }

  /** Returns the inverse hyperbolic cosine. */
  public static short acosh(short a) {
    return h(F32.acosh(f(a)));
  }

  /** Returns the inverse hyperbolic tangent. */
  public static short atanh(short a) {
    return h(F32.atanh(f(a)));
  }

  /** Returns the gamma function; NaN at the negative integers. */
  public static short gamma(short a) {
    return h(F32.gamma(f(a)));
  }

  /** Returns the logarithm of the absolute value of the gamma function. */
  public static short lgamma(short a) {
    return h(F32.lgamma(f(a)));
  }

  /** Returns the error function. */
  public static short erf(short a) {
    return h(F32.erf(f(a)));
  }

  /** Returns one minus the error function. */
  public static short erfc(short a) {
    return h(F32.erfc(f(a)));
  }

  /** Interpolates linearly between a and b; t may be outside the range from 0 to 1. */
  public static short lerp(short a, short b, short t) {
    return add(a, mul(sub(b, a), t));
  }

  /** Returns a * b + c, rounded twice. */
  public static short mad(short a, short b, short c) {
    return add(mul(a, b), c);
  }

  /** Returns a * b + c, rounded once. */
  public static short fma(short a, short b, short c) {
    return Convert.f64ToF16((double) f(a) * f(b) + f(c));
  }

  /** Returns a times 2 to the power n. */
  public static short ldexp(short a, int n) {
    return Convert.f64ToF16(Math.scalb((double) f(a), n));
  }

  /** Returns the next float after a in the direction of b; b if both are equal. */
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
