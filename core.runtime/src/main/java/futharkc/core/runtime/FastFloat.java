package futharkc.core.runtime;

/**
 * Elementary functions of {@code f32} by short polynomials in double precision. The code has no
 * branches that depend on the argument's value. For arguments of moderate size, the error before
 * the final rounding is below a hundredth of a unit in the last place. The functions of {@code
 * double} compute the other arguments, whose range reduction would be inexact.
 */
final class FastFloat {
  /**
   * A number that, added to a double of moderate size, rounds it to an integer in the lowest bits.
   */
  private static final double ROUNDER = 0x1.8p52;

  private static final long ONE = Double.doubleToRawLongBits(1);

  /** The leading 29 bits of 1 / pi; their products with floats are exact. */
  private static final double PER_PI_HIGH = 0x1.45f306dp-2;

  /** The rest of 1 / pi, below {@link #PER_PI_HIGH}. */
  private static final double PER_PI_LOW = 7.340831634506093e-10;

  /** The binary logarithm of the number of table steps in a factor of 2. */
  private static final int STEP_BITS = 5;

  private static final int STEPS = 1 << STEP_BITS;
  private static final double STEPS_PER_LN_2 = STEPS / Math.log(2);
  private static final double LN_2 = Math.log(2);

  /**
   * The bits of 2 to the power i / {@link #STEPS}, minus the bits that the addition of i
   * contributes.
   */
  private static final long[] POWERS = new long[STEPS];

  /** The bits of the least factor that {@link #logDouble} leaves; 1 is in the middle of a step. */
  private static final long LEAST_FACTOR = 0x3fe6c00000000000L;

  /**
   * The reciprocal of a number in the middle of each step of the factors, and the logarithm of that
   * number.
   */
  private static final double[] INVERSES = new double[STEPS];

  private static final double[] LOGARITHMS = new double[STEPS];

  static {
    for (int i = 0; i < STEPS; i++) {
      long step = (long) i << 52 - STEP_BITS;
      POWERS[i] = Double.doubleToRawLongBits(Math.pow(2, (double) i / STEPS)) - step;
      double middle = Double.longBitsToDouble(LEAST_FACTOR + step + (1L << 51 - STEP_BITS));
      INVERSES[i] = 1 / middle;
      LOGARITHMS[i] = Math.log(middle);
    }
  }

  private FastFloat() {}

  static float sin(float a) {
    if (!(Math.abs(a) < 1e6f)) {
      return (float) Math.sin(a);
    }
    double t = a * PER_PI_HIGH;
    double rounded = t + ROUNDER;
    return (float) sinHalfTurns((t - (rounded - ROUNDER)) + a * PER_PI_LOW, signOf(rounded));
  }

  static float cos(float a) {
    if (!(Math.abs(a) < 1e6f)) {
      return (float) Math.cos(a);
    }
    // {@code cos(pi t) = sin(pi (1/2 - t))}
    double t = 0.5 - a * PER_PI_HIGH;
    double rounded = t + ROUNDER;
    return (float) sinHalfTurns((t - (rounded - ROUNDER)) - a * PER_PI_LOW, signOf(rounded));
  }

  /** Computes the sines of the first elements. Both arrays may be the same. */
  static void sin(float[] to, float[] from, int count) {
    if (isModerate(from, count)) {
      // Adding -0.0 changes no number, not even a zero.
      sinHalfTurns(to, from, count, -0.0, PER_PI_HIGH, PER_PI_LOW);
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = sin(from[i]);
      }
    }
  }

  /** Computes the cosines of the first elements. Both arrays may be the same. */
  static void cos(float[] to, float[] from, int count) {
    if (isModerate(from, count)) {
      sinHalfTurns(to, from, count, 0.5, -PER_PI_HIGH, -PER_PI_LOW);
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = cos(from[i]);
      }
    }
  }

  /**
   * Computes the sines of pi (shift + (high + low) a) for the first elements a. One loop serves
   * several functions, since the JVM takes long to compile it.
   */
  private static void sinHalfTurns(
      float[] to, float[] from, int count, double shift, double high, double low) {
    for (int i = 0; i < count; i++) {
      double a = from[i];
      double t = shift + a * high;
      double n = (t + ROUNDER) - ROUNDER;
      to[i] = (float) sinHalfTurns((t - n) + a * low, sign(n));
    }
  }

  /** Tests whether the range reduction is exact for all elements. The JVM vectorises the loop. */
  private static boolean isModerate(float[] from, int count) {
    float most = 0;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, Math.abs(from[i]));
    }
    return most < 1e6f;
  }

  /**
   * Returns 1 for an even and -1 for an odd integer of moderate size. Unlike operations on bits,
   * the JVM vectorises this arithmetic.
   */
  private static double sign(double n) {
    double half = n * 0.5;
    return 1 - 4 * Math.abs(half - ((half + ROUNDER) - ROUNDER));
  }

  /** Returns -1 if the integer in the lowest bits is odd, otherwise 1. */
  private static double signOf(double rounded) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(rounded) << 63 | ONE);
  }

  /** Returns the sine of pi f for f up to 1/2, times a sign. */
  private static double sinHalfTurns(double f, double sign) {
    double z = f * f;
    double z2 = z * z;
    double low = 3.141592653536132 - z * 5.167712764593;
    double middle = 2.550163317938427 - z * 0.599252186531583;
    double high = 0.08205035020147247 - z * 0.007028303855203096;
    double p = low + z2 * (middle + z2 * high);
    return (f * sign) * p;
  }

  static float exp(float a) {
    return Math.abs(a) < 700f ? (float) expDouble(a) : (float) Math.exp(a);
  }

  /**
   * Returns the exponential with a relative error below 10^-10, for an absolute value of at most
   * 700.
   */
  private static double expDouble(double x) {
    double t = x * STEPS_PER_LN_2;
    double rounded = t + ROUNDER;
    double r = t - (rounded - ROUNDER);
    long k = Double.doubleToRawLongBits(rounded);
    long bits = POWERS[(int) k & STEPS - 1] + (k << 52 - STEP_BITS);
    double low = 0.9999999999283391 + r * 0.021660849392187844;
    double high = 0.00023459849135076753 + r * 1.6938609067364198e-06;
    return (low + r * r * high) * Double.longBitsToDouble(bits);
  }

  static float log(float a) {
    return a > 0 && a <= Float.MAX_VALUE ? (float) logDouble(a) : (float) Math.log(a);
  }

  /** Returns the logarithm of a positive normal number with a relative error below 10^-10. */
  private static double logDouble(double x) {
    long bits = Double.doubleToRawLongBits(x);
    long above = bits - LEAST_FACTOR;
    long e = above >> 52;
    int i = (int) (above >> 52 - STEP_BITS) & STEPS - 1;
    double r = Double.longBitsToDouble(bits - (e << 52)) * INVERSES[i] - 1;
    double r2 = r * r;
    double p = (-1.0 / 2 + r * (1.0 / 3)) + r2 * (-1.0 / 4 + r * (1.0 / 5));
    return ((int) e * LN_2 + LOGARITHMS[i]) + (r + r2 * p);
  }

  static float pow(float a, float b) {
    if (a > 0 && a <= Float.MAX_VALUE) {
      double y = b * logDouble(a);
      if (Math.abs(y) < 700) {
        return (float) expDouble(y);
      }
    }
    return (float) F64.pow(a, b);
  }
}
