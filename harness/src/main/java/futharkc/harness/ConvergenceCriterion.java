package futharkc.harness;

import java.util.List;

/** A criterion for the end of a measurement. */
final class ConvergenceCriterion {
  /**
   * Pairs of an autocorrelation and the largest sufficient relative standard error up to this
   * autocorrelation.
   */
  private static final List<double[]> LIMITS =
      List.of(
          new double[] {0.95, 0.0010},
          new double[] {0.75, 0.0015},
          new double[] {0.65, 0.0025},
          new double[] {0.45, 0.0050},
          new double[] {0.0, 0.0100});

  private ConvergenceCriterion() {}

  /**
   * Tests whether the standard error of the mean is small enough, given the autocorrelation of the
   * times.
   */
  static boolean isSteady(List<Long> times) {
    double mean = times.stream().mapToLong(t -> t).average().orElse(0);
    double variance = 0;
    double lagged = 0;
    for (int i = 0; i < times.size(); i++) {
      double d = times.get(i) - mean;
      variance += d * d;
      if (i > 0) {
        lagged += d * (times.get(i - 1) - mean);
      }
    }
    if (variance == 0 || times.size() < 2) {
      return true;
    }
    double deviation = Math.sqrt(variance / (times.size() - 1));
    double error = deviation / Math.sqrt(times.size()) / mean;
    double correlation = Math.abs(lagged / variance);
    for (double[] limit : LIMITS) {
      if (correlation > limit[0]) {
        return error < limit[1];
      }
    }
    return error < 0.01;
  }
}
