package futharkc.harness;

import java.util.Arrays;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A sampler of run times. It runs a program until the times are steady, discards these warm-up
 * runs, and then measures until the confidence interval of the median is narrow.
 *
 * <p>A JVM compiles a program while it runs, so the first runs of a program are many times slower
 * than later runs. Compilation may take thousands of runs and is not visible in one pair of runs.
 * The warm-up therefore compares medians of windows of time.
 */
final class Sampling {
  /** The largest number of measured runs, unless the user requests more. */
  static final int MOST_RUNS = 10_000;

  /** The largest number of warm-up runs. */
  static final int MOST_WARM_UP_RUNS = 1_000_000;

  private static final long SECOND = 1_000_000_000;

  /** The least time of all measured runs, in nanoseconds. */
  private static final long LEAST_NANOS = SECOND / 2;

  /** The least time of a window of the warm-up, in nanoseconds. */
  private static final long WINDOW_NANOS = SECOND / 10;

  /** The least number of runs in a window of the warm-up. */
  private static final int WINDOW_RUNS = 3;

  /** The number of consecutive windows whose medians must agree. */
  private static final int WINDOWS = 4;

  /** The time after which the warm-up ends even if the times still change, in nanoseconds. */
  private static final long MOST_WARM_UP_NANOS = 10 * SECOND;

  /** The largest ratio of medians of windows that agree. */
  private static final double AGREEMENT = 1.05;

  /** The largest half width of the interval of the median, relative to the median. */
  private static final double PRECISION = 0.01;

  private final LongSupplier nanoClock;
  private final LongSupplier run;
  private long[] times = new long[64];
  private int count;

  /**
   * Creates a sampler.
   *
   * @param run runs the program once and returns the time in microseconds
   * @param nanoClock returns the time since a fixed point in nanoseconds
   */
  Sampling(LongSupplier run, LongSupplier nanoClock) {
    this.run = run;
    this.nanoClock = nanoClock;
  }

  /** Warms up and measures. The result has no memory spaces. */
  Measurement measure(TestSettings.BenchSettings settings) {
    Measurement.WarmUp warmUp = warmUp();
    count = 0;
    long start = nanoClock.getAsLong();
    int most = Math.max(settings.runs(), MOST_RUNS);
    while (count < most
        && (count < settings.runs() || nanoClock.getAsLong() - start < LEAST_NANOS)) {
      add(run.getAsLong());
    }
    if (settings.converge()) {
      converge(most, start + settings.maxSeconds() * SECOND);
    }
    return new Measurement(Map.of(), warmUp, Arrays.copyOf(times, count));
  }

  /** Adds runs until the interval of the median is narrow or a limit is reached. */
  private void converge(int most, long limit) {
    while (count < most && !isPrecise()) {
      int target = (int) Math.min(most, count + Math.max(1L, count / 2));
      while (count < target) {
        if (nanoClock.getAsLong() >= limit) {
          return;
        }
        add(run.getAsLong());
      }
    }
  }

  /**
   * Tests whether the bounds of the median's interval are close to the median. One microsecond is
   * the resolution of the times.
   */
  private boolean isPrecise() {
    Measurement.Median m = Measurement.Median.of(Arrays.copyOf(times, count));
    double margin = Math.max(1, PRECISION * m.median());
    return m.upper() - m.median() <= margin && m.median() - m.lower() <= margin;
  }

  /**
   * Runs the program until the medians of consecutive windows agree. A program whose runs are
   * longer than the limit runs once.
   */
  private Measurement.WarmUp warmUp() {
    long start = nanoClock.getAsLong();
    long first = 0;
    int runs = 0;
    double[] medians = new double[WINDOWS];
    for (int window = 0; ; window++) {
      count = 0;
      long windowStart = nanoClock.getAsLong();
      while (count < WINDOW_RUNS || nanoClock.getAsLong() - windowStart < WINDOW_NANOS) {
        long time = run.getAsLong();
        first = runs == 0 ? time : first;
        add(time);
        runs++;
        if (runs >= MOST_WARM_UP_RUNS || nanoClock.getAsLong() - start >= MOST_WARM_UP_NANOS) {
          return new Measurement.WarmUp(runs, first, false);
        }
      }
      medians[window % WINDOWS] = Measurement.Median.of(Arrays.copyOf(times, count)).median();
      if (window >= WINDOWS - 1 && agree(medians)) {
        return new Measurement.WarmUp(runs, first, true);
      }
    }
  }

  /** Tests whether times are equal up to the tolerance or the resolution of one microsecond. */
  private static boolean agree(double[] medians) {
    double least = Arrays.stream(medians).min().orElse(0);
    double most = Arrays.stream(medians).max().orElse(0);
    return most <= Math.max(least * AGREEMENT, least + 1);
  }

  private void add(long time) {
    if (count == times.length) {
      times = Arrays.copyOf(times, 2 * count);
    }
    times[count++] = time;
  }
}
