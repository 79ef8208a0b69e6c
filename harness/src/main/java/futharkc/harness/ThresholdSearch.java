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
 * Finds values for thresholds, which choose among versions of code: one is reached if it is at most
 * what it is compared with.
 *
 * <p>A threshold is compared only if others came out in a certain way before: they form trees. The
 * deepest go first, with those above them set so that they are reached, and keep their values while
 * those above are tried. All that matters about a value is between which two of the numbers it lies
 * that the cases compare it with, so that these, and a number beyond, are tried; where there are
 * many, some of them. Of these the one is taken for which the cases together take least time, each
 * measured against its own best.
 */
final class ThresholdSearch {
  /** Never reached. */
  static final long NEVER = Integer.MAX_VALUE;

  /** Always reached; 0 would be the default. */
  private static final long ALWAYS = 1;

  /** How many values are tried for a case. */
  private static final int CANDIDATES = 6;

  /**
   * A threshold.
   *
   * @param path those that have been compared when it is, and whether they were reached
   */
  record Threshold(String name, Map<String, Boolean> path) {
    /**
     * What a class of tuning parameters says, such as {@code threshold(def, main.a !main.b)}.
     *
     * @return null if the class is another
     */
    static @org.jspecify.annotations.Nullable Threshold of(String name, String paramClass) {
      int open = paramClass.indexOf('(');
      int comma = paramClass.indexOf(',');
      int close = paramClass.lastIndexOf(')');
      if (!paramClass.startsWith("threshold(") || comma < open || close < comma) return null;
      Map<String, Boolean> path = new LinkedHashMap<>();
      for (String word : paramClass.substring(comma + 1, close).strip().split(" +", -1)) {
        boolean reached = !word.startsWith("!");
        if (!word.isEmpty()) path.put(reached ? word : word.substring(1), reached);
      }
      return new Threshold(name, path);
    }
  }

  /**
   * A run of a case.
   *
   * @param nanos how long it took
   * @param compared with which numbers thresholds were compared, by name
   */
  record Measured(double nanos, Map<String, NavigableSet<Long>> compared) {}

  /** What can be run. */
  interface Cases {
    /** How many cases there are. */
    int count();

    /**
     * Runs one.
     *
     * @param values of thresholds; the others have their defaults
     * @param limit nanoseconds after which it is of no more interest
     */
    Measured run(int i, Map<String, Long> values, double limit);
  }

  private final Cases cases;
  private final Consumer<String> log;

  ThresholdSearch(Cases cases, Consumer<String> log) {
    this.cases = cases;
    this.log = log;
  }

  /** The values of those thresholds that a case compares. */
  Map<String, Long> search(List<Threshold> thresholds) {
    List<Threshold> deepestFirst = new ArrayList<>(thresholds);
    deepestFirst.sort(Comparator.comparingInt((Threshold t) -> t.path.size()).reversed());
    Map<String, Long> found = new LinkedHashMap<>();
    for (Threshold t : deepestFirst) {
      Map<String, Long> around = new HashMap<>(found);
      t.path.forEach((name, reached) -> around.put(name, reached ? ALWAYS : NEVER));
      Long value = best(t, around);
      if (value != null) found.put(t.name, value);
    }
    return found;
  }

  /** How long a case takes by the values of a threshold, for all up to and with the key. */
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
      if (times == null) continue;
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
      for (Times times : all) cost += times.at(value) / times.least();
      // Not for what may be noise.
      if (cost < 0.98 * least) {
        least = cost;
        best = value;
      }
    }
    log.accept(String.format("%s=%d, of %s", t.name, best, candidates));
    return best;
  }

  /** Null if the case does not compare it. */
  private @org.jspecify.annotations.Nullable Times times(
      Threshold t, int i, Map<String, Long> around) {
    Map<String, Long> values = new HashMap<>(around);
    values.put(t.name, NEVER);
    Measured never = cases.run(i, values, Double.POSITIVE_INFINITY);
    NavigableSet<Long> compared = never.compared.get(t.name);
    if (compared == null) return null;
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

  /** The least, the greatest, and some between. */
  private static List<Long> some(NavigableSet<Long> values) {
    List<Long> all = values.stream().filter(v -> v < NEVER).toList();
    if (all.size() <= CANDIDATES) return all;
    List<Long> some = new ArrayList<>();
    for (int k = 0; k < CANDIDATES; k++) {
      some.add(all.get((all.size() - 1) * k / (CANDIDATES - 1)));
    }
    return some.stream().distinct().toList();
  }
}
