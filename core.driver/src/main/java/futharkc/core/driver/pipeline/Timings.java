package futharkc.core.driver.pipeline;

import futharkc.core.ir.analysis.AnalysisCache;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How long the stages of a compilation took. */
public final class Timings {
  private final List<Row> rows = new ArrayList<>();
  private List<AnalysisCache.Statistics> analyses = List.of();

  /** Of nothing yet. */
  public Timings() {}

  /**
   * A stage.
   *
   * @param stage its name: a pass's, or {@code check}, {@code verify fusion}, ...
   * @param kind what sort of stage it is, for the totals
   * @param nanos how long it took
   */
  public record Row(String stage, Kind kind, long nanos) {}

  /** Sorts of stages. */
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

  /** A stage that may fail. */
  @FunctionalInterface
  public interface Stage<T> {
    T run();
  }

  /** Runs a stage and records how long it took, also if it fails. */
  public <T> T measure(String stage, Kind kind, Stage<T> body) {
    return measured(stage, kind, body).run();
  }

  /**
   * A stage that records how long it took when it runs, once, perhaps beside others. Its place
   * among the stages is that of this call.
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

  /** Records how often the passes' analyses were computed and found. */
  void analyses(List<AnalysisCache.Statistics> statistics) {
    analyses = List.copyOf(statistics);
  }

  /** How often the passes' analyses were computed, and how often found in the cache. */
  public List<AnalysisCache.Statistics> analyses() {
    return analyses;
  }

  /** All stages, in order. */
  public List<Row> rows() {
    synchronized (rows) {
      return List.copyOf(rows);
    }
  }

  /**
   * A table of stages, in order, and of totals, in milliseconds and per cent; then the analyses.
   * The verifier may run beside passes, so that a compilation takes less than the total.
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
