package futharkc.backend.interpreter;

import futharkc.core.runtime.F64;

/**
 * The digamma function (the logarithmic derivative of the gamma function) and its derivatives. The
 * computation reflects to positive arguments, shifts to large ones by the recurrence, and uses the
 * asymptotic series (Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3 and 6.4).
 */
final class Polygamma {
  private static final double[] BERNOULLI = {
    1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510
  };

  private Polygamma() {}

  /**
   * Returns the derivative of the given order of the digamma function at {@code x}; NaN at the
   * poles. Order 0 is the digamma function.
   */
  static double of(int order, double x) {
    if (x <= 0) {
      if (x == Math.rint(x)) {
        return Double.NaN;
      }
      double sign = order % 2 == 0 ? 1 : -1;
      return sign * of(order, 1 - x) - Math.pow(Math.PI, order + 1) * cotangent(order, x);
    }
    double large = 20 + order;
    double sum = 0;
    double sign = order % 2 == 0 ? -1 : 1;
    double at = x;
    for (; at < large; at++) {
      sum += sign * factorial(order) / Math.pow(at, order + 1);
    }
    return sum + series(order, at);
  }

  /**
   * Returns the derivative of the given order of the cotangent at {@code pi * x}, divided by the
   * corresponding power of pi.
   */
  private static double cotangent(int order, double x) {
    double[] polynomial = {0, 1};
    for (int k = 0; k < order; k++) {
      double[] next = new double[polynomial.length + 1];
      for (int i = 1; i < polynomial.length; i++) {
        next[i - 1] -= i * polynomial[i];
        next[i + 1] -= i * polynomial[i];
      }
      polynomial = next;
    }
    double c = F64.cospi(x) / F64.sinpi(x);
    double value = 0;
    for (int i = polynomial.length - 1; i >= 0; i--) {
      value = value * c + polynomial[i];
    }
    return value;
  }

  private static double series(int order, double x) {
    if (order == 0) {
      double sum = Math.log(x) - 1 / (2 * x);
      for (int k = 1; k <= BERNOULLI.length; k++) {
        sum -= BERNOULLI[k - 1] / (2 * k * Math.pow(x, 2 * k));
      }
      return sum;
    }
    double sum =
        factorial(order - 1) / Math.pow(x, order) + factorial(order) / (2 * Math.pow(x, order + 1));
    for (int k = 1; k <= BERNOULLI.length; k++) {
      double quotient = 1;
      for (int i = 2 * k + 1; i < 2 * k + order; i++) {
        quotient *= i;
      }
      sum += BERNOULLI[k - 1] * quotient / Math.pow(x, 2 * k + order);
    }
    return order % 2 == 0 ? -sum : sum;
  }

  private static double factorial(int n) {
    double product = 1;
    for (int i = 2; i <= n; i++) {
      product *= i;
    }
    return product;
  }
}
