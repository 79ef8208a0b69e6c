package futharkc.cli;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Confidence intervals of means by bootstrap resampling. */
final class Bootstrap {
  private static final int SAMPLES = 1000;

  private Bootstrap() {}

  /**
   * Returns the lower and upper bound of the 95 % confidence interval of the mean. The resampling
   * is deterministic: equal times give equal bounds.
   */
  static double[] interval(long[] times) {
    SplittableRandom random = new SplittableRandom(times.length);
    double[] means = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      double sum = 0;
      for (int j = 0; j < times.length; j++) {
        sum += times[random.nextInt(times.length)];
      }
      means[i] = sum / times.length;
    }
    Arrays.sort(means);
    return new double[] {means[SAMPLES / 40], means[SAMPLES - 1 - SAMPLES / 40]};
  }
}
