package futharkc.core.runtime;

/**
 * Elementary functions of {@code f32} by short series in double precision: the error before the
 * final rounding is below a twentieth of a unit in the last place, and they take a fraction of the
 * time of the double functions. Arguments outside the range where the reduction is exact enough are
 * left to those.
 */
final class FastFloat {
  private static final double TWO_OVER_PI = 2 / Math.PI;

  /** The leading 33 bits of pi / 2, so that multiples by integers of up to 20 bits are exact. */
  private static final double HALF_PI_HIGH =
      Double.longBitsToDouble(Double.doubleToRawLongBits(Math.PI / 2) & -1L << 20);

  /** The rest of pi / 2, beyond what a double holds, too. */
  private static final double HALF_PI_LOW = (Math.PI / 2 - HALF_PI_HIGH) + 6.123233995736766e-17;

  private static final double LOG2_E = 1 / Math.log(2);
  private static final double LN_2 = Math.log(2);

  private FastFloat() {}

  /** The series of the sine, for up to pi / 4. */
  private static double sinSeries(double r) {
    double z = r * r;
    return r * (1 + z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880)))));
  }

  /** The series of the cosine, for up to pi / 4. */
  private static double cosSeries(double r) {
    double z = r * r;
    return 1
        + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 - z * (1.0 / 3628800)))));
  }

  static float sin(float a) {
    double x = a;
    if (Math.abs(a) < 0.785f) {
      return (float) sinSeries(x);
    }
    if (!(Math.abs(a) < 1e6f)) {
      return (float) Math.sin(x);
    }
    double k = Math.rint(x * TWO_OVER_PI);
    double r = (x - k * HALF_PI_HIGH) - k * HALF_PI_LOW;
    return (float) quadrant((int) k, r);
  }

  static float cos(float a) {
    double x = a;
    if (!(Math.abs(a) < 1e6f)) {
      return (float) Math.cos(x);
    }
    double k = Math.rint(x * TWO_OVER_PI);
    double r = (x - k * HALF_PI_HIGH) - k * HALF_PI_LOW;
    return (float) quadrant((int) k + 1, r);
  }

  private static double quadrant(int q, double r) {
    double v = (q & 1) == 0 ? sinSeries(r) : cosSeries(r);
    return (q & 2) == 0 ? v : -v;
  }

  static float exp(float a) {
    return Math.abs(a) < 87f ? (float) expDouble(a) : (float) Math.exp(a);
  }

  /** To a relative error of 10^-9, for an absolute value of at most 700. */
  private static double expDouble(double x) {
    double k = Math.rint(x * LOG2_E);
    double r = x - k * LN_2;
    double s = 1.0 / 720 + r * (1.0 / 5040 + r * (1.0 / 40320));
    double p = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * s)))));
    return p * Double.longBitsToDouble((long) ((int) k + 1023) << 52);
  }

  static float log(float a) {
    return a > 0 && a <= Float.MAX_VALUE ? (float) logDouble(a) : (float) Math.log(a);
  }

  /** To an error of 10^-12, of a positive normal number. */
  private static double logDouble(double x) {
    long bits = Double.doubleToRawLongBits(x);
    // Subtracts the bits of sqrt(1/2): what is left of the exponent leaves a factor from sqrt(1/2)
    // to sqrt(2).
    long e = bits - 0x3fe6a09e667f3bcdL >> 52;
    double m = Double.longBitsToDouble(bits - (e << 52));
    double t = (m - 1) / (m + 1);
    double z = t * t;
    double s = 1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 + z * (1.0 / 15)));
    return (int) e * LN_2 + 2 * t * (1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * s))));
  }

  static float pow(float a, float b) {
    if (a > 0 && a <= Float.MAX_VALUE) {
      double y = b * logDouble(a);
      if (Math.abs(y) < 87) {
        return (float) expDouble(y);
      }
    }
    return (float) F64.pow(a, b);
  }
}
