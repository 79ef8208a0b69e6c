package futharkc.cli;

import futharkc.harness.Autotuning;
import futharkc.harness.TestSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc autotune}. */
final class AutotuneCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Finds the fastest parallelism thresholds for the benchmark inputs of programs, and"
                + " writes them to PROGRAM.fut.tuning, which test and bench read. Skips cases"
                + " tagged notune.");
    spec.addOption(Args.value("NAME", "The target: cuda (default) or opencl.", "--backend"));
    spec.addOption(
        Args.value("N", "The number of runs of each version (default: 5).", "-r", "--runs"));
    spec.addOption(
        Args.value(
            "EXTENSION", "Write the file PROGRAM.fut.EXTENSION (default: tuning).", "--tuning"));
    spec.addOption(
        Args.value("SECONDS", "Skip cases that take longer (default: 60).", "--timeout"));
    spec.addOption(
        Args.value("FILE", "Use the test blocks of this file for all programs.", "--spec-file"));
    HarnessArgs.describeDevice(spec);
    HarnessArgs.describePassOption(spec);
    spec.addOption(Args.flag("Print each tried threshold.", "-v", "--verbose"));
    CompilerArgs.describePasses(spec);
    spec.addPositional(Args.files("PROGRAM.fut", "1..*", "Programs with test blocks."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    TestSettings settings =
        new TestSettings(
                Args.get(parsed, "--backend", "cuda"),
                TestSettings.Mode.BENCH,
                Args.get(parsed, "--passes"),
                Args.get(parsed, "--plan"),
                0,
                Args.get(parsed, "--tuning", "tuning"),
                Args.get(parsed, "--device", ""),
                Args.all(parsed, "--plugin-path"),
                new TestSettings.BenchSettings(Args.positive(parsed, "-r", 5), false, 300))
            .withSpecFile(Args.get(parsed, "--spec-file", ""))
            .withProgramOptions(HarnessArgs.passOptions(parsed));
    int seconds = Args.positive(parsed, "--timeout", 60);
    Consumer<String> log = line -> {};
    if (Args.has(parsed, "-v")) {
      log = line -> console.err().println(line);
    }
    int status = Status.OK;
    for (String program : Args.paths(parsed)) {
      try {
        Map<String, Long> found = Autotuning.tune(Path.of(program), settings, seconds, log);
        console
            .out()
            .println(
                found.isEmpty()
                    ? program + ": its cases compare no thresholds, so no file is written"
                    : program + "." + settings.tuning() + ": " + found.size() + " thresholds");
      } catch (Autotuning.Failure e) {
        console.err().println("futharkc autotune: " + e.getMessage());
        status = Status.FAILED;
      }
    }
    return status;
  }
}
