package futharkc.cli;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Confidence intervals of means. */
final class Bootstrap {
  private static final int SAMPLES = 1000;

  private Bootstrap() {}

  /** The 95 % interval of the mean of some times, by resampling; the same for the same times. */
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
