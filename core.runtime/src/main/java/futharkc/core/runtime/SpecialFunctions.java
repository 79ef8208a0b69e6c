package futharkc.core.runtime;

/**
 * The error and gamma functions for {@code f64}, by the series, continued fraction and asymptotic
 * expansion in NIST's Digital Library of Mathematical Functions, chapters 5 and 7. The relative
 * error is a few units in the fourteenth digit at most.
 */
final class SpecialFunctions {
  private static final double TWO_OVER_SQRT_PI = 1.1283791670955126;
  private static final double INV_SQRT_PI = 0.5641895835477563;
  private static final double HALF_LOG_TWO_PI = 0.9189385332046728;
  private static final double SQRT_TWO_PI = 2.5066282746310002;
  private static final double LOG_PI = 1.1447298858494002;

  /** The argument from which the continued fraction needs fewer terms than the series. */
  private static final double SERIES_END = 2.25;

  /** The coefficients B(2k) / (2k (2k - 1)) of Stirling's series. */
  private static final double[] STIRLING = {
    1.0 / 12,
    -1.0 / 360,
    1.0 / 1260,
    -1.0 / 1680,
    1.0 / 1188,
    -691.0 / 360360,
    1.0 / 156,
    -3617.0 / 122400
  };

  private SpecialFunctions() {}

  static double erf(double a) {
    double x = Math.abs(a);
    if (x < SERIES_END) {
      return erfSeries(a);
    }
    return Double.isNaN(a) ? a : Math.copySign(x > 6 ? 1 : 1 - erfcFraction(x), a);
  }

  static double erfc(double a) {
    if (a < 0.5) {
      return a < -6 ? 2 : a <= -SERIES_END ? 2 - erfcFraction(-a) : 1 - erfSeries(a);
    } else if (a < SERIES_END) {
      return a < 1 ? 1 - erfSeries(a) : erfcFraction(a);
    }
    return Double.isNaN(a) ? a : a > 28 ? 0 : erfcFraction(a);
  }

  /**
   * Computes the error function by DLMF 7.6.2; all terms have the same sign, so that no digits
   * cancel.
   */
  private static double erfSeries(double a) {
    double square = a * a;
    double term = a;
    double sum = a;
    for (int n = 3; Math.abs(term) > 1e-17 * Math.abs(sum); n += 2) {
      term *= 2 * square / n;
      sum += term;
    }
    return TWO_OVER_SQRT_PI * Math.exp(-square) * sum;
  }

  /**
   * Computes the complementary error function by DLMF 7.9.2, from the innermost fraction outwards;
   * x is at least 1.
   */
  private static double erfcFraction(double x) {
    int depth = 12 + (int) (240 / (x * x));
    double tail = x;
    for (int k = depth; k > 0; k--) {
      tail = x + k / (2 * tail);
    }
    // {@code exp(-x * x)}, corrected for the rounding error of the square.
    double rounded = (float) x;
    return Math.exp(-rounded * rounded)
        * Math.exp((rounded - x) * (rounded + x))
        * INV_SQRT_PI
        / tail;
  }

  static double gamma(double a) {
    if (a == Math.rint(a)) {
      if (a <= 0) {
        return a == 0 ? 1 / a : Double.NaN;
      } else if (a < 24) {
        double product = 1;
        for (int i = 2; i < a; i++) {
          product *= i;
        }
        return product;
      }
    }
    if (a < 0.5) {
      if (a < -200) {
        return a == Double.NEGATIVE_INFINITY ? Double.NaN : Math.copySign(0, F64.sinpi(a));
      }
      if (a < -170) {
        double half = gammaShifted((1 - a) / 2);
        // The duplication formula avoids an overflow of the reflected value.
        double other = gammaShifted((2 - a) / 2);
        double scale = Math.pow(2, a / 2);
        return Math.PI / F64.sinpi(a) / half * scale * Math.sqrt(Math.PI) / other * scale;
      }
      return Math.PI / (F64.sinpi(a) * gammaShifted(1 - a));
    }
    return a > 172 ? Double.POSITIVE_INFINITY : gammaShifted(a);
  }

  /** Returns the gamma function of a (at least 0.5), by the recurrence and Stirling's formula. */
  private static double gammaShifted(double a) {
    if (Double.isNaN(a)) {
      return a;
    }
    double below = 1;
    double x = a;
    while (x < 12) {
      below *= x;
      x += 1;
    }
    double p = Math.pow(x, x / 2 - 0.25);
    return SQRT_TWO_PI * p * Math.exp(-x) * p * Math.exp(stirling(x)) / below;
  }

  static double lgamma(double a) {
    if (Double.isNaN(a)) {
      return a;
    }
    if (Double.isInfinite(a)) {
      return Double.POSITIVE_INFINITY;
    }
    if (a <= 0 && a == Math.rint(a)) {
      return Double.POSITIVE_INFINITY;
    }
    if (a == 1 || a == 2) {
      return 0;
    }
    if (a < 0.5) {
      return LOG_PI - Math.log(Math.abs(F64.sinpi(a))) - lgamma(1 - a);
    }
    double below = 1;
    double x = a;
    while (x < 12) {
      below *= x;
      x += 1;
    }
    return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirling(x) - Math.log(below);
  }

  private static double stirling(double x) {
    double inv = 1 / (x * x);
    double sum = 0;
    for (int k = STIRLING.length - 1; k >= 0; k--) {
      sum = sum * inv + STIRLING[k];
    }
    return sum / x;
  }
}
