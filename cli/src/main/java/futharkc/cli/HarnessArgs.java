package futharkc.cli;

import futharkc.core.runtime.Context;
import futharkc.harness.TestSettings;
import futharkc.harness.TestSuite;
import futharkc.harness.WorkerPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command-line options that {@code test} and {@code bench} share. */
final class HarnessArgs {
  private HarnessArgs() {}

  static void describe(CommandSpec spec, String defaultBackend) {
    spec.addOption(
        Args.value(
            "NAME",
            "The target: multicore, c, opencl, cuda, interpreter (default: "
                + defaultBackend
                + ").",
            "--backend"));
    spec.addOption(
        Args.values(
            "WORD",
            "Run only cases with this tag, or with this text in 'program: case'.",
            "--only"));
    spec.addOption(
        Args.values(
            "WORD",
            "Skip cases with this tag, or with this text in 'program: case'.",
            "--exclude"));
    spec.addOption(Args.values("REGEX", "Skip files whose path matches.", "--ignore-files"));
    spec.addOption(Args.value("NAME", "Run only this entry point.", "-e", "--entry-point"));
    spec.addOption(Args.value("N", "The number of threads of programs.", "--num-threads"));
    describeDevice(spec);
    spec.addOption(
        Args.value("SIZE", "The heap size of each worker, such as 4g.", "--worker-memory"));
    spec.addOption(
        Args.value(
            "EXTENSION",
            "Set tuning parameters from PROGRAM.fut.EXTENSION if that file exists (default:"
                + " tuning).",
            "--tuning"));
    spec.addOption(Args.flag("Ignore tuning files.", "--no-tuning"));
    describePassOption(spec);
    CompilerArgs.describePasses(spec);
    spec.addPositional(Args.files("PATH", "1..*", "Programs and folders of programs."));
  }

  static void describeDevice(CommandSpec spec) {
    spec.addOption(
        Args.value(
            "NAME",
            "The device: a substring of its name, '#k' for the k-th device, or both.",
            "-d",
            "--device"));
  }

  static void describePassOption(CommandSpec spec) {
    spec.addOption(
        Args.values(
            "OPTION",
            "Run programs with this option of executables, such as --pass-option=--num-threads=2.",
            "--pass-option"));
  }

  /** Returns the options that programs get. An option may be followed by its value. */
  static List<String> passOptions(ParseResult parsed) {
    return Args.all(parsed, "--pass-option");
  }

  static TestSettings settings(
      ParseResult parsed,
      String backend,
      TestSettings.Mode mode,
      int threads,
      TestSettings.BenchSettings bench) {
    return new TestSettings(
            backend,
            mode,
            Args.get(parsed, "--passes"),
            Args.get(parsed, "--plan"),
            Args.positive(parsed, "--num-threads", threads, Context.MOST_THREADS),
            Args.has(parsed, "--no-tuning") ? "" : Args.get(parsed, "--tuning", "tuning"),
            Args.get(parsed, "--device", ""),
            Args.all(parsed, "--plugin-path"),
            bench)
        .withProgramOptions(passOptions(parsed));
  }

  static TestSuite.Selection selection(ParseResult parsed, List<String> only) {
    return new TestSuite.Selection(only, Args.all(parsed, "--exclude"), Args.get(parsed, "-e", ""));
  }

  static List<Path> paths(ParseResult parsed) {
    List<Path> paths = Args.paths(parsed).stream().map(Path::of).toList();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new UsageException(path + ": there is no such file or folder.");
      }
    }
    return paths;
  }

  static Predicate<Path> ignored(ParseResult parsed) {
    List<Pattern> patterns = new ArrayList<>();
    for (String regex : Args.all(parsed, "--ignore-files")) {
      try {
        patterns.add(Pattern.compile(regex));
      } catch (PatternSyntaxException e) {
        throw new UsageException("--ignore-files=" + regex + " is not a regular expression.");
      }
    }
    return path -> patterns.stream().anyMatch(p -> p.matcher(path.toString()).find());
  }

  /** Returns a pool of worker JVMs that run the same compiler as this JVM. */
  static WorkerPool pool(ParseResult parsed, int workers, Duration limit) throws IOException {
    String memory = Args.get(parsed, "--worker-memory");
    String heap =
        memory == null ? "-XX:MaxRAMPercentage=" + Math.max(10, 70 / workers) : "-Xmx" + memory;
    return new WorkerPool(command(heap), workers, limit);
  }

  private static List<String> command(String heap) throws IOException {
    String modules = System.getProperty("jdk.module.path");
    if (modules == null) {
      throw new IOException("the compiler is not on the module path, which workers need");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(heap);
    command.add("-XX:+UseParallelGC");
    command.add("--enable-native-access=ALL-UNNAMED,futharkc.core.runtime,jcuda,jocl");
    String archive = System.getProperty("futharkc.archive");
    if (archive != null) {
      command.addAll(List.of("-XX:AOTCache=" + archive, "-Xlog:disable"));
    }
    command.addAll(
        List.of(
            "-p", modules, "-m", Main.class.getModule().getName() + "/" + Main.class.getName()));
    command.add(Main.WORKER);
    return command;
  }
}
