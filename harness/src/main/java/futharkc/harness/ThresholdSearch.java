package futharkc.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A search for values of thresholds. A threshold chooses between two versions of code: it is
 * reached if its value is at most the number that the program compares it with.
 *
 * <p>Thresholds form trees: a threshold is compared only after certain outcomes of its ancestors.
 * The search handles the deepest thresholds first, with their ancestors forced to the outcomes on
 * the path. Found values stay in force during the search for ancestors. Only the order relative to
 * the compared numbers matters, so the candidates are these numbers and a larger number. If there
 * are many numbers, the search tries a sample. It chooses the candidate with the least sum of times
 * over the cases, each relative to the case's own least time.
 */
final class ThresholdSearch {
  /** A value of a threshold that is never reached. */
  static final long NEVER = Integer.MAX_VALUE;

  /** A value of a threshold that is always reached. The value 0 would select the default. */
  private static final long ALWAYS = 1;

  /** The number of candidate values per case. */
  private static final int CANDIDATES = 6;

  /**
   * A threshold.
   *
   * @param path the ancestors of the threshold, each with the outcome (reached or not) that leads
   *     to the comparison
   */
  record Threshold(String name, Map<String, Boolean> path) {
    /**
     * Parses a class of tuning parameters, such as {@code threshold(def, main.a !main.b)}.
     *
     * @return the threshold, or null if the class is not a threshold
     */
    static @org.jspecify.annotations.Nullable Threshold of(String name, String paramClass) {
      int open = paramClass.indexOf('(');
      int comma = paramClass.indexOf(',');
      int close = paramClass.lastIndexOf(')');
      if (!paramClass.startsWith("threshold(") || comma < open || close < comma) {
        return null;
      }
      Map<String, Boolean> path = new LinkedHashMap<>();
      for (String word : paramClass.substring(comma + 1, close).strip().split(" +", -1)) {
        boolean reached = !word.startsWith("!");
        if (!word.isEmpty()) {
          path.put(reached ? word : word.substring(1), reached);
        }
      }
      return new Threshold(name, path);
    }
  }

  /**
   * The measurement of a run of a case.
   *
   * @param nanos the time in nanoseconds
   * @param compared the numbers that the run compared each threshold with, keyed by name
   */
  record Measured(double nanos, Map<String, NavigableSet<Long>> compared) {}

  /** The cases to time. */
  interface Cases {
    /** Returns the number of cases. */
    int count();

    /**
     * Runs a case.
     *
     * @param values the values of thresholds; all other thresholds have their defaults
     * @param limit the time in nanoseconds after which the result cannot be the best
     */
    Measured run(int i, Map<String, Long> values, double limit);
  }

  private final Cases cases;
  private final Consumer<String> log;

  ThresholdSearch(Cases cases, Consumer<String> log) {
    this.cases = cases;
    this.log = log;
  }

  /** Returns values for the thresholds that some case compares. */
  Map<String, Long> search(List<Threshold> thresholds) {
    List<Threshold> deepestFirst = new ArrayList<>(thresholds);
    deepestFirst.sort(Comparator.comparingInt((Threshold t) -> t.path.size()).reversed());
    Map<String, Long> found = new LinkedHashMap<>();
    for (Threshold t : deepestFirst) {
      Map<String, Long> around = new HashMap<>(found);
      t.path.forEach((name, reached) -> around.put(name, reached ? ALWAYS : NEVER));
      Long value = best(t, around);
      if (value != null) {
        found.put(t.name, value);
      }
    }
    return found;
  }

  /**
   * The times of a case by the value of a threshold. An entry holds for all values from the
   * previous key (exclusive) to its own key (inclusive).
   */
  private record Times(java.util.TreeMap<Long, Double> byValue) {
    double at(long value) {
      Map.Entry<Long, Double> e = byValue.ceilingEntry(value);
      return e == null ? byValue.lastEntry().getValue() : e.getValue();
    }

    double least() {
      return byValue.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    }
  }

  private @org.jspecify.annotations.Nullable Long best(Threshold t, Map<String, Long> around) {
    List<Times> all = new ArrayList<>();
    NavigableSet<Long> candidates = new TreeSet<>();
    for (int i = 0; i < cases.count(); i++) {
      Times times = times(t, i, around);
      if (times == null) {
        continue;
      }
      all.add(times);
      candidates.addAll(times.byValue.keySet());
    }
    if (all.isEmpty()) {
      log.accept(t.name + ": no case compares it");
      return null;
    }
    long best = candidates.last();
    double least = Double.POSITIVE_INFINITY;
    for (long value : candidates.descendingSet()) {
      double cost = 0;
      for (Times times : all) {
        cost += times.at(value) / times.least();
      }
      // A difference below 2 % can be noise and does not change the choice.
      if (cost < 0.98 * least) {
        least = cost;
        best = value;
      }
    }
    log.accept(String.format("%s=%d, of %s", t.name, best, candidates));
    return best;
  }

  /**
   * Returns the times of a case for the candidate values, or null if the case does not compare the
   * threshold.
   */
  private @org.jspecify.annotations.Nullable Times times(
      Threshold t, int i, Map<String, Long> around) {
    Map<String, Long> values = new HashMap<>(around);
    values.put(t.name, NEVER);
    Measured never = cases.run(i, values, Double.POSITIVE_INFINITY);
    NavigableSet<Long> compared = never.compared.get(t.name);
    if (compared == null) {
      return null;
    }
    Times times = new Times(new java.util.TreeMap<>());
    times.byValue.put(NEVER, never.nanos);
    double least = never.nanos;
    for (long value : some(compared)) {
      values.put(t.name, Math.max(ALWAYS, value));
      Measured m = cases.run(i, values, 4 * least);
      times.byValue.put(Math.max(ALWAYS, value), m.nanos);
      least = Math.min(least, m.nanos);
    }
    return times;
  }

  /**
   * Returns a sample of the values: the least, the greatest, and evenly spaced values between them.
   */
  private static List<Long> some(NavigableSet<Long> values) {
    List<Long> all = values.stream().filter(v -> v < NEVER).toList();
    if (all.size() <= CANDIDATES) {
      return all;
    }
    List<Long> some = new ArrayList<>();
    for (int k = 0; k < CANDIDATES; k++) {
      some.add(all.get((all.size() - 1) * k / (CANDIDATES - 1)));
    }
    return some.stream().distinct().toList();
  }
}
