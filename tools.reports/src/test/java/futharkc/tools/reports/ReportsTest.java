package futharkc.tools.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.tools.reports.BenchmarkComparison.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportsTest {
  @TempDir private Path folder;

  private BenchmarkResults results(String json) throws IOException {
    return BenchmarkResults.read(Files.writeString(folder.resolve("r.json"), json));
  }

  private BenchmarkComparison comparison() throws IOException {
    BenchmarkResults old =
        results(
            """
            {"a.fut": {"datasets": {
               "x": {"runtimes": [100, 102, 98], "bytes": {"default": 50}, "stderr": ""},
               "y": {"runtimes": [10, 30], "bytes": {}}, "z": "failed"}},
             "b.fut:f": {"datasets": {"x": {"runtimes": [40], "bytes": {}}}},
             "c.fut": {"datasets": {"x": {"runtimes": [1], "bytes": {}}}}}
            """);
    BenchmarkResults current =
        results(
            """
            {"a.fut": {"datasets": {
               "x": {"runtimes": [50, 50], "bytes": {"default": 100}, "warmup": {"runs": 3}},
               "y": {"runtimes": [20, 18], "bytes": {}}}},
             "b.fut:f": {"datasets": {"x": {"runtimes": [80], "bytes": {}}}}}
            """);
    return new BenchmarkComparison("old", old, "new", current);
  }

  @Test
  void factorsAreThoseOfTheMeans() throws IOException {
    assertEquals(
        """

        a.fut
          x:                                                                    2.00x (mem: 2.00x@default)
          y:                                                                    1.05x

        b.fut:f
          x:                                                                    0.50x
        """,
        comparison().text(Metric.NAME, true, false));
    String coloured = comparison().text(Metric.NAME, true, true);
    assertTrue(coloured.contains("\u001b[92m      2.00x"), coloured);
    assertTrue(coloured.contains("\u001b[91m      0.50x"), coloured);
    assertTrue(coloured.contains("       1.05x\n"), coloured);
  }

  @Test
  void whatIsInOneFileOnlyIsListed() throws IOException {
    assertEquals(
        List.of(
            "In old but not in new: program c.fut",
            "In old, program a.fut data set z failed: failed"),
        comparison().remarks());
  }

  @Test
  void programsAreSortedByTheirChanges() throws IOException {
    for (Metric metric :
        List.of(Metric.SIGNIFICANT, Metric.GEOMEAN_ALL, Metric.GEOMEAN_SIGNIFICANT)) {
      assertEquals(
          List.of("b.fut:f", "a.fut"), List.copyOf(comparison().changes(metric, true).keySet()));
      assertEquals(
          List.of("a.fut", "b.fut:f"), List.copyOf(comparison().changes(metric, false).keySet()));
    }
  }

  @Test
  void otherFilesAreRejected() {
    assertThrows(IOException.class, () -> results("[1]"));
    assertThrows(IOException.class, () -> results("{\"a\": {\"datasets\": {\"x\": {}}}}"));
    assertThrows(IOException.class, () -> results("{"));
    assertThrows(IOException.class, () -> BenchmarkResults.read(folder.resolve("none")));
  }

  private static final String REPORT =
      """
      {"memory": {"default": 64}, "events": [
        {"name": "map_1", "duration": 3.0, "provenance": "SOURCE:2:3-9", "details": {}},
        {"name": "map_1", "duration": 5.0, "provenance": "SOURCE:2:3-9"},
        {"name": "red<2>", "duration": 2.0, "provenance": "unknown"}]}
      """;

  @Test
  void profilesHaveASummaryATimelineAndAPage() throws IOException {
    Path source = Files.writeString(folder.resolve("p.fut"), "def f x =\n  x < 1\n");
    String report = REPORT.replace("SOURCE", source.toString());
    Path json =
        Files.writeString(
            folder.resolve("p.json"),
            "{\"p.fut\": {\"datasets\": {\"data/a\": {\"runtimes\": [1], \"bytes\": {}, \"report\":"
                + " "
                + report
                + "}, \"b\": {\"runtimes\": [1], \"bytes\": {}}}}}");
    Path old = folder.resolve("p.prof/old");
    Files.createDirectories(old.getParent());
    Files.writeString(old, "");
    assertEquals(1, ProfileReport.write(json).size());
    assertFalse(Files.exists(old));
    String summary = Files.readString(folder.resolve("p.prof/data_a.summary"));
    assertTrue(summary.startsWith("Peak memory usage in bytes\ndefault: 64\n"), summary);
    assertTrue(
        summary.contains(
            "map_1                         2          8.00μs          4.00μs          3.00μs"
                + "          5.00μs          0.8000\n"),
        summary);
    assertTrue(summary.contains("3 events with a total run time of 10.00μs"), summary);
    String timeline = Files.readString(folder.resolve("p.prof/data_a.timeline"));
    assertTrue(timeline.startsWith("map_1\nDuration: 3.0 μs\nAt: " + source + ":2:3-9\n"));
    String page = Files.readString(folder.resolve("p.prof/data_a-index.html"));
    assertTrue(page.contains("title=\"80.0 %\"><b>    2  </b>  x &lt; 1"), page);
    assertTrue(page.contains("red&lt;2&gt;"), page);
    Path raw = Files.writeString(folder.resolve("raw.json"), report);
    assertEquals(List.of(), ProfileReport.write(raw));
    assertTrue(Files.exists(folder.resolve("raw.prof/raw.summary")));
  }
}
