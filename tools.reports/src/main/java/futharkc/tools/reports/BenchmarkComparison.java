package futharkc.tools.reports;

import futharkc.tools.reports.BenchmarkResults.Failure;
import futharkc.tools.reports.BenchmarkResults.Result;
import futharkc.tools.reports.BenchmarkResults.Runs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A comparison of the results of two runs of benchmarks. */
public final class BenchmarkComparison {
  /** The ratio from which on a result is better or worse. */
  private static final double CHANGE = 0.01;

  private static final int NAME_WIDTH = 64;
  private static final String CUT = "[...]";

  /** The criteria for the order of programs. */
  public enum Metric {
    /** The name of the program. */
    NAME,
    /** The number of data sets that became significantly slower. */
    SIGNIFICANT,
    /** The geometric mean over the data sets with a significant change. */
    GEOMEAN_SIGNIFICANT,
    /** The geometric mean over all data sets. */
    GEOMEAN_ALL
  }

  /**
   * The change of a data set.
   *
   * @param speedUp the old mean time divided by the new mean time
   * @param significant whether the difference of the means exceeds half the sum of the standard
   *     deviations
   * @param memory the new peak memory divided by the old, by memory space
   */
  public record Change(double speedUp, boolean significant, Map<String, Double> memory) {
    boolean isFaster() {
      return significant && speedUp > 1 + CHANGE;
    }

    boolean isSlower() {
      return significant && speedUp < 1 - CHANGE;
    }
  }

  private final Map<String, Map<String, Change>> programs = new TreeMap<>();
  private final List<String> remarks = new ArrayList<>();

  /**
   * Compares results.
   *
   * @param before the old results, and the name of their file
   * @param after the new results, and the name of their file
   */
  public BenchmarkComparison(
      String before, BenchmarkResults old, String after, BenchmarkResults current) {
    missing(before, old.programs(), after, current.programs(), "");
    missing(after, current.programs(), before, old.programs(), "");
    old.programs()
        .forEach(
            (program, datasets) -> {
              Map<String, Result> others = current.programs().get(program);
              if (others != null) {
                compare(program, before, datasets, after, others);
              }
            });
  }

  private void missing(
      String here, Map<String, ?> present, String there, Map<String, ?> other, String program) {
    for (String name : present.keySet()) {
      if (!other.containsKey(name)) {
        String what = program.isEmpty() ? name : program + " data set " + name;
        remarks.add("In " + here + " but not in " + there + ": program " + what);
      }
    }
  }

  private void compare(
      String program,
      String before,
      Map<String, Result> old,
      String after,
      Map<String, Result> current) {
    Map<String, Runs> oldRuns = runs(program, before, old);
    Map<String, Runs> currentRuns = runs(program, after, current);
    missing(before, oldRuns, after, currentRuns, program);
    missing(after, currentRuns, before, oldRuns, program);
    Map<String, Change> changes = new TreeMap<>();
    oldRuns.forEach(
        (dataset, runs) -> {
          Runs other = currentRuns.get(dataset);
          if (other != null) {
            changes.put(dataset, change(runs, other));
          }
        });
    if (!changes.isEmpty()) {
      programs.put(program, changes);
    }
  }

  private Map<String, Runs> runs(String program, String file, Map<String, Result> results) {
    Map<String, Runs> runs = new LinkedHashMap<>();
    results.forEach(
        (dataset, result) -> {
          switch (result) {
            case Runs r -> runs.put(dataset, r);
            case Failure f ->
                remarks.add(
                    "In "
                        + file
                        + ", program "
                        + program
                        + " data set "
                        + dataset
                        + " failed: "
                        + f.message());
          }
        });
    return runs;
  }

  private static Change change(Runs old, Runs current) {
    Map<String, Double> memory = new TreeMap<>();
    old.bytes()
        .forEach(
            (space, bytes) -> {
              Double now = current.bytes().get(space);
              if (now != null && bytes != 0) {
                memory.put(space, now / bytes);
              }
            });
    double difference = Math.abs(old.mean() - current.mean());
    return new Change(
        old.mean() / current.mean(),
        difference > old.deviation() / 2 + current.deviation() / 2,
        memory);
  }

  /** Returns remarks about failures, and about programs and data sets in one file only. */
  public List<String> remarks() {
    return remarks.stream().sorted().toList();
  }

  /**
   * Returns the changes by program and data set.
   *
   * @param worstFirst whether programs that became slower come first; only for metrics other than
   *     the name
   */
  public Map<String, Map<String, Change>> changes(Metric metric, boolean worstFirst) {
    Comparator<Map.Entry<String, Map<String, Change>>> order =
        switch (metric) {
          case NAME -> (a, b) -> 0;
          case SIGNIFICANT ->
              Comparator.comparingLong(
                  e -> -e.getValue().values().stream().filter(Change::isSlower).count());
          case GEOMEAN_SIGNIFICANT ->
              Comparator.comparingDouble(
                  e -> mean(e.getValue().values().stream().filter(Change::significant).toList()));
          case GEOMEAN_ALL ->
              Comparator.comparingDouble(e -> mean(List.copyOf(e.getValue().values())));
        };
    Map<String, Map<String, Change>> sorted = new LinkedHashMap<>();
    programs.entrySet().stream()
        .sorted(
            (worstFirst ? order : order.reversed())
                .thenComparing(
                    e -> mean(List.copyOf(e.getValue().values())),
                    (a, b) -> metric == Metric.NAME ? 0 : Double.compare(a, b)))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }

  private static double mean(List<Change> changes) {
    return Math.exp(changes.stream().mapToDouble(c -> Math.log(c.speedUp)).average().orElse(0));
  }

  /** Returns the changes as text, one paragraph per program. */
  public String text(Metric metric, boolean worstFirst, boolean colours) {
    StringBuilder text = new StringBuilder();
    changes(metric, worstFirst)
        .forEach(
            (program, changes) -> {
              text.append('\n').append(paint(program, "95;1", colours)).append('\n');
              changes.forEach((dataset, change) -> line(dataset, change, colours, text));
            });
    return text.toString();
  }

  private static void line(String dataset, Change change, boolean colours, StringBuilder text) {
    String factor = String.format(Locale.ROOT, "%10.2fx", change.speedUp);
    String colour = change.isFaster() ? "92" : change.isSlower() ? "91" : "";
    text.append("  ").append(padded(dataset)).append(paint(factor, colour, colours));
    StringBuilder memory = new StringBuilder();
    change.memory.forEach(
        (space, ratio) -> {
          if (Math.abs(ratio - 1) > CHANGE) {
            String part = String.format(Locale.ROOT, "%4.2fx@%s", ratio, space);
            memory.append(memory.isEmpty() ? "" : " ");
            memory.append(paint(part, ratio < 1 ? "92" : "91", colours));
          }
        });
    text.append(memory.isEmpty() ? "" : " (mem: " + memory + ")").append('\n');
  }

  private static String padded(String dataset) {
    String name =
        dataset.length() < NAME_WIDTH
            ? dataset
            : dataset.substring(0, NAME_WIDTH - 2 - CUT.length()) + " " + CUT;
    return name + ":" + " ".repeat(Math.max(0, NAME_WIDTH - 1 - name.length()));
  }

  private static String paint(String text, String colour, boolean colours) {
    return colours && !colour.isEmpty() ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
  }
}
