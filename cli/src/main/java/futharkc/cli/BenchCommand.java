package futharkc.cli;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import futharkc.harness.Measurement;
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
  /** The largest number of runs that a user can request. */
  private static final int MOST_RUNS = 1_000_000;

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage().description("Times the cases in the test blocks of programs.");
    HarnessArgs.describe(spec, "multicore");
    spec.addOption(
        Args.value("N", "The least number of measured runs (default: 10).", "-r", "--runs"));
    spec.addOption(
        Args.flag(
            "Stop after the least number of runs, even if the median is not precise.",
            "--no-convergence-phase"));
    spec.addOption(
        Args.value(
            "SECONDS",
            "The time limit of the convergence phase (default: 300).",
            "--convergence-max-seconds"));
    spec.addOption(Args.value("SECONDS", "The time limit of a case (default: 600).", "--timeout"));
    spec.addOption(
        Args.value("FILE", "Use the test blocks of this file for all programs.", "--spec-file"));
    spec.addOption(Args.values("TAG", "An alias of --exclude.", "--exclude-case"));
    spec.addOption(
        Args.flag(
            "Profile a further run of each case, with its log, for the file of --json.",
            "-P",
            "--profile"));
    spec.addOption(
        Args.value(
            "FILE",
            "Write the times to this file, in the JSON format of futhark bench.",
            "--json"));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    if (Args.has(parsed, "--profile") && Args.get(parsed, "--json") == null) {
      throw new UsageException("--profile needs --json, for the file with the profiles.");
    }
    TestSettings settings =
        HarnessArgs.settings(
                parsed,
                Args.get(parsed, "--backend", "multicore"),
                TestSettings.Mode.BENCH,
                0,
                new TestSettings.BenchSettings(
                    Args.positive(parsed, "-r", 10, MOST_RUNS),
                    !Args.has(parsed, "--no-convergence-phase"),
                    Args.positive(parsed, "--convergence-max-seconds", 300),
                    Args.has(parsed, "--profile")))
            .withSpecFile(Args.get(parsed, "--spec-file", ""));
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
      case PASSED -> name + ": " + text(Measurement.of(outcome));
    };
  }

  private static String text(Measurement measured) {
    Measurement.Median median = measured.median();
    return String.format(
        Locale.ROOT,
        "median %.0fμs (95%% CI: [%d, %d]; %d runs after %d of warm-up%s, the first of %dμs)",
        median.median(),
        median.lower(),
        median.upper(),
        measured.times().length,
        measured.warmUp().runs(),
        measured.warmUp().steady() ? "" : ", not yet steady",
        measured.warmUp().first());
  }

  /**
   * Writes the times as JSON: {@code {"program:entry": {"datasets": {name: {"runtimes": [...],
   * "bytes": {...}, "warmup": {...}}}}}}. The key {@code "warmup"} is an extension of the format of
   * {@code futhark bench}, whose {@code benchcmp} ignores unknown keys.
   */
  static void write(Path file, List<TestSuite.Finished> results) throws IOException {
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
    Measurement measured = Measurement.of(outcome);
    json.writeArrayFieldStart("runtimes");
    for (long time : measured.times()) {
      json.writeNumber(time);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("bytes");
    for (Map.Entry<String, Long> peak : measured.peaks().entrySet()) {
      json.writeNumberField(peak.getKey(), peak.getValue());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("warmup");
    json.writeNumberField("runs", measured.warmUp().runs());
    json.writeNumberField("first", measured.warmUp().first());
    json.writeBooleanField("steady", measured.warmUp().steady());
    json.writeEndObject();
    if (!measured.further().report().isEmpty()) {
      json.writeFieldName("report");
      json.writeRawValue(measured.further().report());
      json.writeStringField("stderr", measured.further().log());
    }
    json.writeEndObject();
  }
}
