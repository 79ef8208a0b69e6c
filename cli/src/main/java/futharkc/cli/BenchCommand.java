package futharkc.cli;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import futharkc.harness.Outcome;
import futharkc.harness.TestSettings;
import futharkc.harness.TestSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc bench}. */
final class BenchCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage().description("Times the cases in the test blocks of programs.");
    HarnessArgs.describe(spec, "multicore");
    spec.addOption(Args.value("N", "The least number of runs (default: 10).", "-r", "--runs"));
    spec.addOption(
        Args.flag(
            "Stop after the least number of runs, even if the times are not steady.",
            "--no-convergence-phase"));
    spec.addOption(
        Args.value(
            "SECONDS",
            "The time limit of the convergence phase (default: 300).",
            "--convergence-max-seconds"));
    spec.addOption(Args.value("SECONDS", "The time limit of a case (default: 600).", "--timeout"));
    spec.addOption(Args.values("TAG", "An alias of --exclude.", "--exclude-case"));
    spec.addOption(
        Args.value(
            "FILE",
            "Write the times to this file, in the JSON format of futhark bench.",
            "--json"));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    TestSettings settings =
        HarnessArgs.settings(
            parsed,
            Args.get(parsed, "--backend", "multicore"),
            TestSettings.Mode.BENCH,
            0,
            new TestSettings.BenchSettings(
                Args.positive(parsed, "-r", 10),
                !Args.has(parsed, "--no-convergence-phase"),
                Args.positive(parsed, "--convergence-max-seconds", 300)));
    List<String> exclude = new ArrayList<>(Args.all(parsed, "--exclude"));
    exclude.addAll(Args.all(parsed, "--exclude-case"));
    TestSuite suite =
        new TestSuite(
            HarnessArgs.paths(parsed),
            HarnessArgs.ignored(parsed),
            new TestSuite.Selection(
                Args.all(parsed, "--only"), exclude, Args.get(parsed, "-e", "")),
            settings);
    Duration limit = Duration.ofSeconds(Args.positive(parsed, "--timeout", 600));
    List<TestSuite.Finished> results;
    try {
      results =
          suite.run(
              HarnessArgs.pool(parsed, 1, limit),
              (program, outcome) -> {
                console.out().println(line(program, outcome));
                console.out().flush();
              });
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
    String file = Args.get(parsed, "--json");
    if (file != null) {
      write(Path.of(file), results);
    }
    boolean failed = results.stream().anyMatch(f -> f.outcome().status() == Outcome.Status.FAILED);
    return failed ? Status.FAILED : Status.OK;
  }

  private static String line(String program, Outcome outcome) {
    String name = program + ": " + outcome.key();
    return switch (outcome.status()) {
      case FAILED -> name + ": failed\n  " + outcome.detail().replace("\n", "\n  ");
      case SKIPPED -> name + ": skipped, " + outcome.detail();
      case PASSED -> {
        long[] times = times(outcome).stream().mapToLong(Long::longValue).sorted().toArray();
        double mean = java.util.Arrays.stream(times).average().orElse(0);
        double[] interval = Bootstrap.interval(times);
        yield String.format(
            Locale.ROOT,
            "%s: %.0fμs (95%% CI: [%.1f, %.1f]; median %d, %d runs)",
            name,
            mean,
            interval[0],
            interval[1],
            times[times.length / 2],
            times.length);
      }
    };
  }

  private static List<Long> times(Outcome outcome) {
    return outcome.values().stream().filter(v -> !v.contains("=")).map(Long::valueOf).toList();
  }

  /**
   * Writes the times as JSON: {@code {"program:entry": {"datasets": {name: {"runtimes": [...],
   * "bytes": {...}}}}}}.
   */
  private static void write(Path file, List<TestSuite.Finished> results) throws IOException {
    Map<String, Map<String, Outcome>> programs = new LinkedHashMap<>();
    for (TestSuite.Finished f : results) {
      if (f.outcome().status() == Outcome.Status.SKIPPED) {
        continue;
      }
      int colon = f.outcome().key().indexOf(": ");
      String entry = colon < 0 ? "main" : f.outcome().key().substring(0, colon);
      String dataset = colon < 0 ? f.outcome().key() : f.outcome().key().substring(colon + 2);
      String name = entry.equals("main") ? f.program() : f.program() + ":" + entry;
      programs.computeIfAbsent(name, k -> new LinkedHashMap<>()).put(dataset, f.outcome());
    }
    try (JsonGenerator json = new JsonFactory().createGenerator(file.toFile(), JsonEncoding.UTF8)) {
      json.writeStartObject();
      for (Map.Entry<String, Map<String, Outcome>> program : programs.entrySet()) {
        json.writeObjectFieldStart(program.getKey());
        json.writeObjectFieldStart("datasets");
        for (Map.Entry<String, Outcome> dataset : program.getValue().entrySet()) {
          json.writeFieldName(dataset.getKey());
          write(json, dataset.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, Outcome outcome) throws IOException {
    if (outcome.status() == Outcome.Status.FAILED) {
      json.writeString(outcome.detail());
      return;
    }
    json.writeStartObject();
    json.writeArrayFieldStart("runtimes");
    for (long time : times(outcome)) {
      json.writeNumber(time);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("bytes");
    for (String value : outcome.values()) {
      int equals = value.lastIndexOf('=');
      if (equals > 0) {
        json.writeNumberField(
            value.substring(0, equals), Long.parseLong(value.substring(equals + 1)));
      }
    }
    json.writeEndObject();
    json.writeEndObject();
  }
}
