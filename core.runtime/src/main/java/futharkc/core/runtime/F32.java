package futharkc.core.runtime;

/**
 * Operations on {@code f32} for which Java has no operator. All operations are total. Functions
 * that Java has for {@code double} only are computed in {@code double} and rounded.
 */
public final class F32 {
  private F32() {}

  /** Returns the remainder of division rounding towards zero, with the sign of the dividend. */
  public static float mod(float a, float b) {
    return a % b;
  }

  /**
   * Returns the power as in C: 1 to any power and any number to the power 0 are 1, even for NaN.
   */
  public static float pow(float a, float b) {
    return FastFloat.pow(a, b);
  }

  /** Returns the smaller number; if one is NaN, the other one. */
  public static float min(float a, float b) {
    return b < a || Float.isNaN(a) ? b : a;
  }

  /** Returns the larger number; if one is NaN, the other one. */
  public static float max(float a, float b) {
    return b > a || Float.isNaN(a) ? b : a;
  }

  /** Returns the sign, -1 or 1; zeros and NaN are returned unchanged. */
  public static float signum(float a) {
    return Math.signum(a);
  }

  /** Returns the square root. */
  public static float sqrt(float a) {
    return (float) Math.sqrt(a);
  }

  /** Returns the cube root. */
  public static float cbrt(float a) {
    return (float) Math.cbrt(a);
  }

  /** Returns the exponential function. */
  public static float exp(float a) {
    return FastFloat.exp(a);
  }

  /** Returns the natural logarithm. */
  public static float log(float a) {
    return FastFloat.log(a);
  }

  /** Returns the logarithm to base 10. */
  public static float log10(float a) {
    return (float) Math.log10(a);
  }

  /** Returns the natural logarithm of 1 + a. */
  public static float log1p(float a) {
    return (float) Math.log1p(a);
  }

  /** Returns the sine. */
  public static float sin(float a) {
    return FastFloat.sin(a);
  }

  /**
   * Computes the sines of the first {@code count} elements, like {@link #sin(float)}.
   *
   * @param to the results; may be {@code from}
   */
  public static void sin(float[] to, float[] from, int count) {
    FastFloat.sin(to, from, count);
  }

  /** Computes the cosines of the first {@code count} elements, as {@code sin} does for sines. */
  public static void cos(float[] to, float[] from, int count) {
    FastFloat.cos(to, from, count);
  }

  /** Returns the cosine. */
  public static float cos(float a) {
    return FastFloat.cos(a);
  }

  /** Returns the tangent. */
  public static float tan(float a) {
    return (float) Math.tan(a);
  }

  /** Returns the arc sine. */
  public static float asin(float a) {
    return (float) Math.asin(a);
  }

  /** Returns the arc cosine. */
  public static float acos(float a) {
    return (float) Math.acos(a);
  }

  /** Returns the arc tangent. */
  public static float atan(float a) {
    return (float) Math.atan(a);
  }

  /** Returns the hyperbolic sine. */
  public static float sinh(float a) {
    return (float) Math.sinh(a);
  }

  /** Returns the hyperbolic cosine. */
  public static float cosh(float a) {
    return (float) Math.cosh(a);
  }

  /** Returns the hyperbolic tangent. */
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

  /** Returns the logarithm to base 2, exact for powers of 2. */
  public static float log2(float a) {
    return (float) F64.log2(a);
  }

  /** Returns the sine of pi times a. */
  public static float sinpi(float a) {
    return (float) F64.sinpi(a);
  }

  /** Returns the cosine of pi times a. */
  public static float cospi(float a) {
    return (float) F64.cospi(a);
  }

  /** Returns the tangent of pi times a. */
  public static float tanpi(float a) {
    return (float) F64.tanpi(a);
  }

  /** Returns the arc sine, divided by pi. */
  public static float asinpi(float a) {
    return (float) F64.asinpi(a);
  }

  /** Returns the arc cosine, divided by pi. */
  public static float acospi(float a) {
    return (float) F64.acospi(a);
  }

  /** Returns the arc tangent, divided by pi. */
  public static float atanpi(float a) {
    return (float) F64.atanpi(a);
  }

  /** Returns the inverse hyperbolic sine. */
  public static float asinh(float a) {
    return (float) F64.asinh(a);
  }

  /** Returns the inverse hyperbolic cosine. */
  public static float acosh(float a) {
    return (float) F64.acosh(a);
  }

  /** Returns the inverse hyperbolic tangent. */
  public static float atanh(float a) {
    return (float) F64.atanh(a);
  }

  /** Returns the gamma function; NaN at the negative integers. */
  public static float gamma(float a) {
    return (float) F64.gamma(a);
  }

  /** Returns the logarithm of the absolute value of the gamma function. */
  public static float lgamma(float a) {
    return (float) F64.lgamma(a);
  }

  /** Returns the error function. */
  public static float erf(float a) {
    return (float) F64.erf(a);
  }

  /** Returns one minus the error function. */
  public static float erfc(float a) {
    return (float) F64.erfc(a);
  }

  /** Returns the reciprocal of the square root. */
  public static float rsqrt(float a) {
    return 1 / (float) Math.sqrt(a);
  }

  /** Rounds to the nearest integer, halves to the even one. */
  public static float round(float a) {
    return (float) Math.rint(a);
  }

  /** Returns the angle of the point (x, y). */
  public static float atan2(float y, float x) {
    return (float) Math.atan2(y, x);
  }

  /** Returns the angle of the point (x, y), divided by pi. */
  public static float atan2pi(float y, float x) {
    return (float) F64.atan2pi(y, x);
  }

  /** Returns the length of the vector (a, b), without overflow of intermediate results. */
  public static float hypot(float a, float b) {
    float h = (float) Math.sqrt((double) a * a + (double) b * b);
    return !Float.isNaN(h) ? h : (float) Math.hypot(a, b);
  }

  /** Interpolates linearly between a and b; t may be outside the range from 0 to 1. */
  public static float lerp(float a, float b, float t) {
    return a + (b - a) * t;
  }

  /** Returns a * b + c, rounded twice. */
  public static float mad(float a, float b, float c) {
    return a * b + c;
  }

  /** Returns a times 2 to the power n. */
  public static float ldexp(float a, int n) {
    return Math.scalb(a, n);
  }
}
