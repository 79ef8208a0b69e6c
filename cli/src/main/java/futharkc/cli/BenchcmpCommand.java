package futharkc.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import futharkc.tools.reports.BenchmarkComparison;
import futharkc.tools.reports.BenchmarkComparison.Change;
import futharkc.tools.reports.BenchmarkComparison.Metric;
import futharkc.tools.reports.BenchmarkResults;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc benchcmp}, which compares the results of two runs of benchmarks. */
final class BenchcmpCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Compares two files of bench --json. A factor above 1 means that the second file is"
                + " faster. Colours mark differences of the means above half the sum of the"
                + " standard deviations.");
    spec.addOption(
        Args.value(
            "METRIC",
            "Sort programs by: significant (data sets that became slower), geomean-significant or"
                + " geomean-all (default: the name).",
            "--sort-by"));
    spec.addOption(
        Args.value("ORDER", "The order: worst-first (default) or best-first.", "--order"));
    spec.addOption(
        Args.flag("Print one JSON object to standard output instead of text.", "--json"));
    spec.addPositional(Args.files("FILE", "2", "The old results, and the new results."));
  }

  @Override
  public boolean printsJson(ParseResult parsed) {
    return Args.has(parsed, "--json");
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<String> files = Args.words(parsed);
    BenchmarkComparison comparison =
        new BenchmarkComparison(
            files.get(0),
            BenchmarkResults.read(Path.of(files.get(0))),
            files.get(1),
            BenchmarkResults.read(Path.of(files.get(1))));
    Metric metric = metric(Args.get(parsed, "--sort-by"));
    boolean worstFirst = worstFirst(Args.get(parsed, "--order", "worst-first"));
    comparison.remarks().forEach(console.err()::println);
    if (printsJson(parsed)) {
      console.out().println(json(comparison.changes(metric, worstFirst)));
    } else {
      console.out().print(comparison.text(metric, worstFirst, console.colours()));
    }
    return Status.OK;
  }

  private static Metric metric(@Nullable String name) {
    return switch (name) {
      case null -> Metric.NAME;
      case "significant" -> Metric.SIGNIFICANT;
      case "geomean-significant" -> Metric.GEOMEAN_SIGNIFICANT;
      case "geomean-all" -> Metric.GEOMEAN_ALL;
      default ->
          throw new UsageException(
              "--sort-by takes significant, geomean-significant or geomean-all, not '"
                  + name
                  + "'.");
    };
  }

  private static boolean worstFirst(String order) {
    return switch (order) {
      case "worst-first" -> true;
      case "best-first" -> false;
      default ->
          throw new UsageException("--order takes worst-first or best-first, not '" + order + "'.");
    };
  }

  private static String json(Map<String, Map<String, Change>> programs) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      for (var program : programs.entrySet()) {
        json.writeObjectFieldStart(program.getKey());
        for (var dataset : program.getValue().entrySet()) {
          Change change = dataset.getValue();
          json.writeObjectFieldStart(dataset.getKey());
          json.writeNumberField("speedup", change.speedUp());
          json.writeBooleanField("significant", change.significant());
          json.writeObjectFieldStart("memory");
          for (var memory : change.memory().entrySet()) {
            json.writeNumberField(memory.getKey(), memory.getValue());
          }
          json.writeEndObject();
          json.writeEndObject();
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    return text.toString();
  }
}
