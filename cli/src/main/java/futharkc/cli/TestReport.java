package futharkc.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import futharkc.harness.Outcome;
import futharkc.harness.Outcome.Status;
import futharkc.harness.TestSuite.Finished;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A report of a test run, as text and as JSON. */
final class TestReport {
  private static final int SHOWN_LINES = 30;

  private final List<Finished> results;

  TestReport(List<Finished> results) {
    this.results = List.copyOf(results);
  }

  private long count(Status status) {
    return results.stream().filter(f -> f.outcome().status() == status).count();
  }

  long failed() {
    return count(Status.FAILED);
  }

  /** Returns the last line of the report: the counts of passed, failed and skipped cases. */
  String summary() {
    return count(Status.PASSED)
        + " passed, "
        + failed()
        + " failed, "
        + count(Status.SKIPPED)
        + " skipped";
  }

  /**
   * Returns the failed cases, one paragraph per case. The report about a property has the form of
   * {@code futhark test}: its lines are not indented.
   */
  String failures() {
    StringBuilder text = new StringBuilder();
    for (Finished f : results) {
      if (f.outcome().status() != Status.FAILED) {
        continue;
      }
      String key = f.outcome().key();
      boolean property = key.startsWith("property ");
      text.append(property ? "" : "FAILED ").append(f.program()).append(": ").append(key);
      text.append(property ? " failed\n" : "\n");
      f.outcome()
          .detail()
          .lines()
          .limit(SHOWN_LINES)
          .forEach(l -> text.append(property ? "" : "  ").append(l).append('\n'));
    }
    return text.toString();
  }

  /** Returns the properties that were not tested, one paragraph per property. */
  String skippedProperties() {
    StringBuilder text = new StringBuilder();
    for (Finished f : results) {
      Outcome o = f.outcome();
      if (o.status() == Status.SKIPPED && o.key().startsWith("property ")) {
        text.append("SKIPPED ").append(f.program()).append(": ").append(o.key()).append("\n  ");
        text.append(o.detail()).append('\n');
      }
    }
    return text.toString();
  }

  /**
   * Returns a table with one line per folder. Folder names are relative to the root that contains
   * them.
   *
   * @param roots the paths that the command line names
   */
  String byFolder(List<Path> roots) {
    Map<String, int[]> counts = new TreeMap<>();
    for (Finished f : results) {
      int[] line = counts.computeIfAbsent(folder(Path.of(f.program()), roots), k -> new int[3]);
      line[f.outcome().status().ordinal()]++;
    }
    StringBuilder table =
        new StringBuilder(
            String.format(
                Locale.ROOT, "%-40s %7s %7s %7s%n", "folder", "passed", "failed", "skipped"));
    counts.forEach(
        (folder, n) ->
            table.append(
                String.format(Locale.ROOT, "%-40s %7d %7d %7d%n", folder, n[0], n[1], n[2])));
    return table.toString();
  }

  private static String folder(Path program, List<Path> roots) {
    for (Path root : roots) {
      if (program.startsWith(root) && !program.equals(root)) {
        Path relative = root.relativize(program);
        String name = String.valueOf(root.getFileName());
        return relative.getNameCount() == 1 ? name : name + "/" + relative.getName(0);
      }
    }
    Path parent = program.getParent();
    return parent == null ? "." : parent.toString();
  }

  /** Returns all results as one JSON object. */
  String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeNumberField("passed", count(Status.PASSED));
      json.writeNumberField("failed", failed());
      json.writeNumberField("skipped", count(Status.SKIPPED));
      json.writeArrayFieldStart("results");
      for (Finished f : results) {
        Outcome o = f.outcome();
        json.writeStartObject();
        json.writeStringField("program", f.program());
        json.writeStringField("case", o.key());
        json.writeStringField("status", o.status().name().toLowerCase(Locale.ROOT));
        if (!o.detail().isEmpty()) {
          json.writeStringField("detail", o.detail());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
