package futharkc.core.runtime;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Operations on {@code f64} for which Java has no operator. All operations are total. */
public final class F64 {
  private static final double LN2 = 0.6931471805599453;
  private static final double INV_LN2 = 1.4426950408889634;
  private static final double INV_PI = 0.3183098861837907;
  private static final double MIN_SUBNORMAL_SCALE = 0x1p54;

  private F64() {}

  /** Returns the remainder of division rounding towards zero, with the sign of the dividend. */
  public static double mod(double a, double b) {
    return a % b;
  }

  /**
   * Returns the power as in C: 1 to any power and any number to the power 0 are 1, even for NaN.
   */
  public static double pow(double a, double b) {
    double p = Math.pow(a, b);
    return Double.isNaN(p) ? nanPow(a, b, p) : p;
  }

  private static double nanPow(double a, double b, double p) {
    return a == 1 || a == -1 && Double.isInfinite(b) ? 1 : p;
  }

  /** Returns a number as C's {@code %f} prints it: six digits follow the point. */
  public static String fixed(double a) {
    if (Double.isNaN(a)) {
      return "nan";
    }
    String sign = Double.doubleToRawLongBits(a) < 0 ? "-" : "";
    return sign
        + (Double.isInfinite(a)
            ? "inf"
            : new BigDecimal(Math.abs(a)).setScale(6, RoundingMode.HALF_EVEN).toPlainString());
  }

  /** Returns the smaller number; if one is NaN, the other one. */
  public static double min(double a, double b) {
    return b < a || Double.isNaN(a) ? b : a;
  }

  /** Returns the larger number; if one is NaN, the other one. */
  public static double max(double a, double b) {
    return b > a || Double.isNaN(a) ? b : a;
  }

  /** Returns the sign, -1 or 1; zeros and NaN are returned unchanged. */
  public static double signum(double a) {
    return Math.signum(a);
  }

  /** Returns the reciprocal of the square root. */
  public static double rsqrt(double a) {
    return 1 / Math.sqrt(a);
  }

  /** Rounds to the nearest integer, halves to the even one. */
  public static double round(double a) {
    return Math.rint(a);
  }

  /** Returns the logarithm to base 2, exact for powers of 2. */
  public static double log2(double a) {
    if (!(a > 0 && a < Double.POSITIVE_INFINITY)) {
      return Math.log(a);
    }
    double x = a;
    int e = 0;
    if (x < Double.MIN_NORMAL) {
      x *= MIN_SUBNORMAL_SCALE;
      e = -54;
    }
    int exponent = Math.getExponent(x);
    double m = Math.scalb(x, -exponent);
    if (m > 1.4142135623730951) {
      m /= 2;
      exponent++;
    }
    return e + exponent + Math.log(m) * INV_LN2;
  }

  /** Returns the sine of pi times a. */
  public static double sinpi(double a) {
    if (!(Math.abs(a) < Double.POSITIVE_INFINITY)) {
      return Double.NaN;
    }
    double r = a % 2;
    if (r > 1) {
      r -= 2;
    } else if (r < -1) {
      r += 2;
    }
    double q = Math.abs(r);
    double s;
    if (q <= 0.25) {
      s = Math.sin(Math.PI * q);
    } else if (q < 0.75) {
      s = Math.cos(Math.PI * (0.5 - q));
    } else {
      s = Math.sin(Math.PI * (1 - q));
    }
    return Math.copySign(s, r);
  }

  /** Returns the cosine of pi times a. */
  public static double cospi(double a) {
    if (!(Math.abs(a) < Double.POSITIVE_INFINITY)) {
      return Double.NaN;
    }
    double q = Math.abs(a % 2);
    if (q > 1) {
      q = 2 - q;
    }
    if (q <= 0.25) {
      return Math.cos(Math.PI * q);
    } else if (q < 0.75) {
      return Math.sin(Math.PI * (0.5 - q));
    } else {
      return -Math.cos(Math.PI * (1 - q));
    }
  }

  /** Returns the tangent of pi times a. */
  public static double tanpi(double a) {
    return sinpi(a) / cospi(a);
  }

  /** Returns the arc sine, divided by pi. */
  public static double asinpi(double a) {
    return Math.asin(a) * INV_PI;
  }

  /** Returns the arc cosine, divided by pi. */
  public static double acospi(double a) {
    return Math.acos(a) * INV_PI;
  }

  /** Returns the arc tangent, divided by pi. */
  public static double atanpi(double a) {
    return Math.atan(a) * INV_PI;
  }

  /** Returns the angle of the point (x, y), divided by pi. */
  public static double atan2pi(double y, double x) {
    return Math.atan2(y, x) * INV_PI;
  }

  /** Returns the inverse hyperbolic sine. */
  public static double asinh(double a) {
    double x = Math.abs(a);
    double y;
    if (x > 0x1p28) {
      y = Math.log(x) + LN2;
    } else {
      y = Math.log1p(x + x * x / (1 + Math.sqrt(x * x + 1)));
    }
    return Math.copySign(y, a);
  }

  /** Returns the inverse hyperbolic cosine. */
  public static double acosh(double a) {
    if (a > 0x1p28) {
      return Math.log(a) + LN2;
    }
    if (a < 1) {
      return Double.NaN;
    }
    double t = a - 1;
    return Math.log1p(t + Math.sqrt(2 * t + t * t));
  }

  /** Returns the inverse hyperbolic tangent. */
  public static double atanh(double a) {
    double x = Math.abs(a);
    return Math.copySign(0.5 * Math.log1p(2 * x / (1 - x)), a);
  }

  /** Returns the length of the vector (a, b), without overflow of intermediate results. */
  public static double hypot(double a, double b) {
    return Math.hypot(a, b);
  }

  /** Returns the gamma function; NaN at the negative integers. */
  public static double gamma(double a) {
    return SpecialFunctions.gamma(a);
  }

  /** Returns the logarithm of the absolute value of the gamma function. */
  public static double lgamma(double a) {
    return SpecialFunctions.lgamma(a);
  }

  /** Returns the error function. */
  public static double erf(double a) {
    return SpecialFunctions.erf(a);
  }

  /** Returns one minus the error function. */
  public static double erfc(double a) {
    return SpecialFunctions.erfc(a);
  }

  /** Interpolates linearly between a and b; t may be outside the range from 0 to 1. */
  public static double lerp(double a, double b, double t) {
    return a + (b - a) * t;
  }

  /** Returns a * b + c, rounded twice. */
  public static double mad(double a, double b, double c) {
    return a * b + c;
  }

  /** Returns a times 2 to the power n. */
  public static double ldexp(double a, int n) {
    return Math.scalb(a, n);
  }
}
