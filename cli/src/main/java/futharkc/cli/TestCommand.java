package futharkc.cli;

import futharkc.harness.Outcome;
import futharkc.harness.TestSettings;
import futharkc.harness.TestSettings.Mode;
import futharkc.harness.TestSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc test}. */
final class TestCommand implements Command {
  private static final int DEFAULT_TIMEOUT = 60;

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Runs the test blocks in the comments of programs. The exit code is 0 if no case"
                + " failed.");
    spec.addOption(Args.flag("Check types only.", "-t", "--typecheck", "--check"));
    spec.addOption(Args.flag("Compile only.", "-C", "--compile", "--compile-only"));
    spec.addOption(
        Args.flag("An alias of --backend=interpreter.", "-i", "--interpreted", "--interpret"));
    spec.addOption(Args.flag("Run compiled programs (default).", "-c", "--compiled"));
    spec.addOption(
        Args.flag(
            "Check types and lower to the first representation only.", "-I", "--internalise"));
    spec.addOption(Args.flag("Check the structure of programs only.", "-s", "--structure"));
    spec.addOption(Args.flag("Do not check the structure of programs.", "--no-structure"));
    HarnessArgs.describe(spec, "multicore");
    spec.addOption(
        Args.value("N", "The number of programs to test in parallel.", "-j", "--concurrency"));
    spec.addOption(
        Args.value(
            "SECONDS",
            "The time limit of a case, including compilation (default: 60).",
            "--timeout"));
    spec.addOption(
        Args.flag("Print one JSON object to standard output instead of text.", "--json"));
    spec.addOption(Args.flag("Also print a table of results by folder.", "--by-folder"));
    spec.addOption(
        Args.value("FILE", "Write the names of failed cases to this file.", "--failures"));
    spec.addOption(
        Args.value("FILE", "Run only the cases that a file of --failures lists.", "--rerun"));
    spec.addOption(Args.flag("Show no progress.", "--no-progress", "--no-terminal", "--notty"));
    spec.addOption(
        Args.value(
            "N",
            "The number of random values for each property (default: 100).",
            "-n",
            "--num-tests"));
    spec.addOption(
        Args.value(
            "N",
            "The size of random values, unless the property sets a size (default: 50).",
            "-m",
            "--max-size"));
    spec.addOption(
        Args.value(
            "N",
            "The seed of random values of property tests (default: another one in each run).",
            "--seed"));
    spec.addOption(
        Args.value(
            "N",
            "The number of calls of a shrinker without success that end the search for a smaller"
                + " counterexample (default: 5).",
            "--num-tries"));
  }

  @Override
  public boolean printsJson(ParseResult parsed) {
    return Args.has(parsed, "--json");
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    String backend =
        Args.has(parsed, "-i") ? "interpreter" : Args.get(parsed, "--backend", "multicore");
    TestSettings settings =
        HarnessArgs.settings(parsed, backend, mode(parsed), 2, TestSettings.BenchSettings.DEFAULT)
            .withProperties(properties(parsed));
    List<String> only = new ArrayList<>(Args.all(parsed, "--only"));
    String rerun = Args.get(parsed, "--rerun");
    if (rerun != null) {
      only.addAll(Files.readAllLines(Path.of(rerun)));
    }
    TestSuite suite =
        new TestSuite(
            HarnessArgs.paths(parsed),
            HarnessArgs.ignored(parsed),
            HarnessArgs.selection(parsed, only),
            settings);
    int workers =
        Args.positive(
            parsed, "-j", Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors())));
    Duration limit = Duration.ofSeconds(Args.positive(parsed, "--timeout", DEFAULT_TIMEOUT));
    List<TestSuite.Finished> results;
    Output output = new Output(parsed, console, suite.size());
    Thread ended = new Thread(output::printEarly);
    Runtime.getRuntime().addShutdownHook(ended);
    try (Progress progress = Progress.of(suite.size(), "Testing", parsed, console)) {
      results =
          suite.run(
              HarnessArgs.pool(parsed, workers, limit),
              (program, outcome) -> {
                output.add(new TestSuite.Finished(program, outcome));
                progress.step(outcome.status() == Outcome.Status.FAILED);
              });
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
    return output.print(results) ? Status.OK : Status.FAILED;
  }

  private static TestSettings.PropertySettings properties(ParseResult parsed) {
    TestSettings.PropertySettings defaults = TestSettings.PropertySettings.DEFAULT;
    return new TestSettings.PropertySettings(
        Args.positive(parsed, "-n", defaults.tests()),
        Args.positive(parsed, "-m", (int) defaults.size()),
        seed(parsed),
        Args.positive(parsed, "--num-tries", defaults.tries()));
  }

  private static long seed(ParseResult parsed) {
    String text = Args.get(parsed, "--seed");
    if (text == null) {
      return new SecureRandom().nextLong();
    }
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new UsageException("--seed takes a number of at least 0, not '" + text + "'.");
    }
  }

  /** A printer of test results. It prints partial results if the process is terminated early. */
  private static final class Output {
    private final ParseResult parsed;
    private final Console console;
    private final int size;
    private final List<TestSuite.Finished> soFar = new ArrayList<>();
    private boolean printed;

    Output(ParseResult parsed, Console console, int size) {
      this.parsed = parsed;
      this.console = console;
      this.size = size;
    }

    synchronized void add(TestSuite.Finished finished) {
      if (!printed) {
        soFar.add(finished);
      }
    }

    synchronized void printEarly() {
      if (printed) {
        return;
      }
      try {
        print(soFar);
        console.err().println("Ended early after " + soFar.size() + " of " + size + " cases.");
      } catch (IOException e) {
        console.err().println("futharkc test: " + e.getMessage());
      }
      console.flush();
    }

    /** Prints the results. Returns true if no case failed. */
    synchronized boolean print(List<TestSuite.Finished> results) throws IOException {
      printed = true;
      String failures = Args.get(parsed, "--failures");
      if (failures != null) {
        Files.write(
            Path.of(failures),
            results.stream()
                .filter(f -> f.outcome().status() == Outcome.Status.FAILED)
                .map(f -> f.program() + ": " + f.outcome().key())
                .toList());
      }
      TestReport report = new TestReport(results);
      if (Args.has(parsed, "--json")) {
        console.out().println(report.json());
      } else {
        console.out().print(report.failures());
        console.out().print(report.skippedProperties());
        if (Args.has(parsed, "--by-folder")) {
          console.out().print(report.byFolder(HarnessArgs.paths(parsed)));
        }
        console.out().println(report.summary());
      }
      return report.failed() == 0;
    }
  }

  private static Mode mode(ParseResult parsed) {
    if (Args.has(parsed, "-t")) {
      return Mode.CHECK;
    }
    if (Args.has(parsed, "-I")) {
      return Mode.INTERNALISE;
    }
    if (Args.has(parsed, "-C")) {
      return Mode.COMPILE;
    }
    if (Args.has(parsed, "-s")) {
      return Mode.STRUCTURE;
    }
    return Args.has(parsed, "--no-structure") ? Mode.NO_STRUCTURE : Mode.ALL;
  }
}
