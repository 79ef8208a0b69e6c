package futharkc.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The measurements of a benchmark case.
 *
 * @param peaks the peak use of each memory space in bytes, the host first
 * @param warmUp the runs before the measured runs
 * @param times the time of each measured run in microseconds, in the order of the runs
 * @param further the profile of a further run
 */
public record Measurement(
    Map<String, Long> peaks, WarmUp warmUp, long[] times, FurtherRun further) {
  /**
   * The profile of a run after the measured runs.
   *
   * @param report the profile in JSON; empty if there is none
   * @param log the messages of the program; empty if there are none
   */
  public record FurtherRun(String report, String log) {}

  /**
   * The runs before the measured runs.
   *
   * @param runs the number of runs
   * @param first the time of the first run in microseconds
   * @param steady true if the last times were steady; false if the warm-up reached its limit
   */
  public record WarmUp(int runs, long first, boolean steady) {}

  /**
   * The median of times and the bounds of its 95 % confidence interval, in microseconds. The bounds
   * are order statistics, which need no assumption about the distribution of the times. With fewer
   * than six times, the bounds are the least and the greatest time, which cover less than 95 %.
   */
  public record Median(double median, long lower, long upper) {
    /** The 97.5 % quantile of the standard normal distribution. */
    private static final double QUANTILE = 1.96;

    /**
     * Computes the median.
     *
     * @param times at least one time, in any order
     */
    public static Median of(long... times) {
      long[] sorted = times.clone();
      Arrays.sort(sorted);
      int n = sorted.length;
      double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
      // The number of times below the true median is binomial, with mean n/2 and deviation √n/2.
      double margin = QUANTILE * Math.sqrt(n);
      int lower = Math.max(0, (int) Math.floor((n - margin) / 2) - 1);
      int upper = Math.min(n - 1, (int) Math.ceil((n + margin) / 2));
      return new Median(median, sorted[lower], sorted[upper]);
    }
  }

  /** Copies the map and the array. */
  public Measurement {
    peaks = Collections.unmodifiableMap(new LinkedHashMap<>(peaks));
    times = times.clone();
  }

  /** Creates measurements without a profile. */
  public Measurement(Map<String, Long> peaks, WarmUp warmUp, long[] times) {
    this(peaks, warmUp, times, new FurtherRun("", ""));
  }

  /** Returns a copy of the times. */
  @Override
  public long[] times() {
    return times.clone();
  }

  /** Returns the median of the times. */
  public Median median() {
    return Median.of(times);
  }

  /** Returns this measurement as values of an outcome. The number of values does not grow. */
  List<String> toValues() {
    List<String> values = new ArrayList<>();
    values.add(warmUp.runs + " " + warmUp.first + " " + warmUp.steady);
    values.add(LongStream.of(times).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    values.add(further.report);
    values.add(further.log);
    peaks.forEach((space, bytes) -> values.add(bytes + " " + space));
    return values;
  }

  /** Returns the measurement of a passed outcome in mode {@link TestSettings.Mode#BENCH}. */
  public static Measurement of(Outcome outcome) {
    List<String> values = outcome.values();
    String[] warmUp = values.get(0).split(" ", -1);
    Map<String, Long> peaks = new LinkedHashMap<>();
    for (String value : values.subList(4, values.size())) {
      int space = value.indexOf(' ');
      peaks.put(value.substring(space + 1), Long.valueOf(value.substring(0, space)));
    }
    return new Measurement(
        peaks,
        new WarmUp(
            Integer.parseInt(warmUp[0]),
            Long.parseLong(warmUp[1]),
            Boolean.parseBoolean(warmUp[2])),
        Arrays.stream(values.get(1).split(" ")).mapToLong(Long::parseLong).toArray(),
        new FurtherRun(values.get(2), values.get(3)));
  }
}
