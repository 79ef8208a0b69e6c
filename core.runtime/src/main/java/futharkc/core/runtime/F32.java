package futharkc.core.runtime;

/**
 * Operations on {@code f32} beyond those that Java's operators give. All are total; functions that
 * Java has for doubles only are computed so and rounded.
 */
public final class F32 {
  private F32() {}

  /** The remainder of division rounding towards zero, with the sign of the dividend. */
  public static float mod(float a, float b) {
    return a % b;
  }

  /** The power, as in C: 1 to any power, and anything to the power 0, is 1, even for NaN. */
  public static float pow(float a, float b) {
    return FastFloat.pow(a, b);
  }

  /** The smaller one; the other one if one is NaN. */
  public static float min(float a, float b) {
    return b < a || Float.isNaN(a) ? b : a;
  }

  /** The larger one; the other one if one is NaN. */
  public static float max(float a, float b) {
    return b > a || Float.isNaN(a) ? b : a;
  }

  /** -1, 0 or 1; a zero and NaN are returned as they are. */
  public static float signum(float a) {
    return Math.signum(a);
  }

  /** The square root. */
  public static float sqrt(float a) {
    return (float) Math.sqrt(a);
  }

  /** The cube root. */
  public static float cbrt(float a) {
    return (float) Math.cbrt(a);
  }

  /** The exponential function. */
  public static float exp(float a) {
    return FastFloat.exp(a);
  }

  /** The natural logarithm. */
  public static float log(float a) {
    return FastFloat.log(a);
  }

  /** The logarithm to base 10. */
  public static float log10(float a) {
    return (float) Math.log10(a);
  }

  /** The natural logarithm of 1 + a. */
  public static float log1p(float a) {
    return (float) Math.log1p(a);
  }

  /** The sine. */
  public static float sin(float a) {
    return FastFloat.sin(a);
  }

  /** The cosine. */
  public static float cos(float a) {
    return FastFloat.cos(a);
  }

  /** The tangent. */
  public static float tan(float a) {
    return (float) Math.tan(a);
  }

  /** The arc sine. */
  public static float asin(float a) {
    return (float) Math.asin(a);
  }

  /** The arc cosine. */
  public static float acos(float a) {
    return (float) Math.acos(a);
  }

  /** The arc tangent. */
  public static float atan(float a) {
    return (float) Math.atan(a);
  }

  /** The hyperbolic sine. */
  public static float sinh(float a) {
    return (float) Math.sinh(a);
  }

  /** The hyperbolic cosine. */
  public static float cosh(float a) {
    return (float) Math.cosh(a);
  }

  /** The hyperbolic tangent. */
  public static float tanh(float a) {
    return (float) Math.tanh(a);
  }

  /** Rounds up to an integer. */
  public static float ceil(float a) {
    return (float) Math.ceil(a);
  }

  /** Rounds down to an integer. */
  public static float floor(float a) {
    return (float) Math.floor(a);
  }

  /** The logarithm to base 2, exact for powers of 2. */
  public static float log2(float a) {
    return (float) F64.log2(a);
  }

  /** The sine of pi times a. */
  public static float sinpi(float a) {
    return (float) F64.sinpi(a);
  }

  /** The cosine of pi times a. */
  public static float cospi(float a) {
    return (float) F64.cospi(a);
  }

  /** The tangent of pi times a. */
  public static float tanpi(float a) {
    return (float) F64.tanpi(a);
  }

  /** The arc sine over pi. */
  public static float asinpi(float a) {
    return (float) F64.asinpi(a);
  }

  /** The arc cosine over pi. */
  public static float acospi(float a) {
    return (float) F64.acospi(a);
  }

  /** The arc tangent over pi. */
  public static float atanpi(float a) {
    return (float) F64.atanpi(a);
  }

  /** The inverse hyperbolic sine. */
  public static float asinh(float a) {
    return (float) F64.asinh(a);
  }

  /** The inverse hyperbolic cosine. */
  public static float acosh(float a) {
    return (float) F64.acosh(a);
  }

  /** The inverse hyperbolic tangent. */
  public static float atanh(float a) {
    return (float) F64.atanh(a);
  }

  /** The gamma function; NaN at the negative integers. */
  public static float gamma(float a) {
    return (float) F64.gamma(a);
  }

  /** The logarithm of the absolute value of the gamma function. */
  public static float lgamma(float a) {
    return (float) F64.lgamma(a);
  }

  /** The error function. */
  public static float erf(float a) {
    return (float) F64.erf(a);
  }

  /** One minus the error function. */
  public static float erfc(float a) {
    return (float) F64.erfc(a);
  }

  /** One over the square root. */
  public static float rsqrt(float a) {
    return 1 / (float) Math.sqrt(a);
  }

  /** Rounds to the nearest integer, halves to the even one. */
  public static float round(float a) {
    return (float) Math.rint(a);
  }

  /** The angle of the point (x, y). */
  public static float atan2(float y, float x) {
    return (float) Math.atan2(y, x);
  }

  /** The angle of the point (x, y), over pi. */
  public static float atan2pi(float y, float x) {
    return (float) F64.atan2pi(y, x);
  }

  /** The length of the vector (a, b), without overflow on the way. */
  public static float hypot(float a, float b) {
    float h = (float) Math.sqrt((double) a * a + (double) b * b);
    return !Float.isNaN(h) ? h : (float) Math.hypot(a, b);
  }

  /** Linear interpolation between a and b; not limited to t from 0 to 1. */
  public static float lerp(float a, float b, float t) {
    return a + (b - a) * t;
  }

  /** a * b + c, rounded twice. */
  public static float mad(float a, float b, float c) {
    return a * b + c;
  }

  /** a times 2 to the power n. */
  public static float ldexp(float a, int n) {
    return Math.scalb(a, n);
  }
}
