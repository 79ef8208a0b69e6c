package futharkc.core.driver.pipeline;

import futharkc.core.ir.analysis.AnalysisCache;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The times of the stages of a compilation. */
public final class Timings {
  private final List<Row> rows = new ArrayList<>();
  private List<AnalysisCache.Statistics> analyses = List.of();

  /** Creates an empty record of times. */
  public Timings() {}

  /**
   * The time of a stage.
   *
   * @param stage the name of the stage: a pass's name, or {@code check}, {@code verify fusion}, ...
   * @param kind the kind of the stage, for the totals
   * @param nanos the time in nanoseconds
   */
  public record Row(String stage, Kind kind, long nanos) {}

  /** The kinds of stages. */
  public enum Kind {
    FRONT_END("front end"),
    PASS("passes"),
    VERIFIER("verifier"),
    BACKEND("backend");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** A stage that may throw. */
  @FunctionalInterface
  public interface Stage<T> {
    T run();
  }

  /** Runs a stage and records its time, even if the stage throws. */
  public <T> T measure(String stage, Kind kind, Stage<T> body) {
    return measured(stage, kind, body).run();
  }

  /**
   * Returns a stage that records its time when it runs. It may run once, possibly in parallel with
   * other stages. The order of the rows is the order of the calls of this method.
   */
  <T> Stage<T> measured(String stage, Kind kind, Stage<T> body) {
    int place;
    synchronized (rows) {
      place = rows.size();
      rows.add(new Row(stage, kind, 0));
    }
    return () -> {
      long start = System.nanoTime();
      try {
        return body.run();
      } finally {
        long nanos = System.nanoTime() - start;
        synchronized (rows) {
          rows.set(place, new Row(stage, kind, nanos));
        }
      }
    };
  }

  /** Records the counts of computed and cached analyses. */
  void analyses(List<AnalysisCache.Statistics> statistics) {
    analyses = List.copyOf(statistics);
  }

  /** Returns the counts of computed and cached analyses. */
  public List<AnalysisCache.Statistics> analyses() {
    return analyses;
  }

  /** Returns all stages, in order. */
  public List<Row> rows() {
    synchronized (rows) {
      return List.copyOf(rows);
    }
  }

  /**
   * Returns a table of the stages in order, then the totals, in milliseconds and per cent, then the
   * analyses. The verifier can run in parallel with passes, so the total can exceed the compile
   * time.
   */
  public String table() {
    List<Row> rows = rows();
    long total = rows.stream().mapToLong(Row::nanos).sum();
    int width =
        Math.max(
            "front end".length(), rows.stream().mapToInt(r -> r.stage().length()).max().orElse(0));
    StringBuilder table = new StringBuilder();
    for (Row row : rows) {
      line(table, row.stage(), row.nanos(), total, width);
    }
    table.append("-".repeat(width + 20)).append('\n');
    Map<Kind, Long> totals = new LinkedHashMap<>();
    rows.forEach(r -> totals.merge(r.kind(), r.nanos(), Long::sum));
    totals.forEach((kind, nanos) -> line(table, kind.text, nanos, total, width));
    line(table, "total", total, total, width);
    for (AnalysisCache.Statistics a : analyses) {
      table.append(
          String.format(
              Locale.ROOT,
              "analysis %s: %d computed, %d found%n",
              a.analysis(),
              a.misses(),
              a.hits()));
    }
    return table.toString();
  }

  private static void line(StringBuilder table, String stage, long nanos, long total, int width) {
    table
        .append(stage)
        .append(" ".repeat(width - stage.length()))
        .append(
            String.format(
                Locale.ROOT,
                "%10.2f ms %5.1f %%%n",
                nanos / 1e6,
                100.0 * nanos / Math.max(1, total)));
  }
}
