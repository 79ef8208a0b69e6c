package futharkc.cli;

import futharkc.core.driver.CompilerOptions;
import futharkc.tools.literate.ScriptRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command-line options that {@code script} and {@code literate} share. */
final class ScriptArgs {
  private static final String SOURCE = ".fut";

  private ScriptArgs() {}

  static void describe(CommandSpec spec) {
    spec.addOption(
        Args.value(
            "NAME",
            "The target: c, multicore, opencl, cuda, interpreter (default: c).",
            "--backend"));
    HarnessArgs.describeDevice(spec);
    spec.addOption(
        Args.flag("Enable further checks and report memory and times.", "-D", "--debug"));
    spec.addOption(Args.flag("Log the operations of the program.", "-L", "--log"));
    spec.addOption(Args.flag("Print the traces of the program.", "-v", "--verbose"));
    spec.addOption(
        Args.flag("Do not run other programs, such as ffmpeg and gnuplot.", "--safe-directives"));
    HarnessArgs.describePassOption(spec);
    spec.addOption(
        Args.flag(
            "Use the executable next to the program, which this compiler has made, instead of"
                + " compiling the program.",
            "--skip-compilation"));
    CompilerArgs.describePasses(spec);
  }

  /**
   * Returns the way to compile and run a program that the command line gives.
   *
   * @param program the program or, without the extension {@code .fut}, an executable
   * @param stores whether scripts may write files
   */
  static ScriptRunner.Options options(ParseResult parsed, Path program, boolean stores) {
    CompilerOptions compiler =
        CompilerArgs.withPasses(CompilerOptions.DEFAULT, parsed)
            .withTarget(Args.get(parsed, "--backend", "c"));
    return new ScriptRunner.Options(
        compiler,
        executable(parsed, program),
        programOptions(parsed),
        Args.has(parsed, "--safe-directives"),
        stores);
  }

  private static @Nullable Path executable(ParseResult parsed, Path program) {
    String name = program.getFileName().toString();
    if (!name.endsWith(SOURCE)) {
      return program;
    }
    return Args.has(parsed, "--skip-compilation")
        ? program.resolveSibling(name.substring(0, name.length() - SOURCE.length()))
        : null;
  }

  private static List<String> programOptions(ParseResult parsed) {
    List<String> options = new ArrayList<>();
    String device = Args.get(parsed, "--device");
    if (device != null) {
      options.add("--device=" + device);
    }
    if (Args.has(parsed, "-D")) {
      options.add("-D");
    }
    if (Args.has(parsed, "-L")) {
      options.add("-L");
    }
    options.addAll(HarnessArgs.passOptions(parsed));
    return options;
  }

  /** Tests whether messages of the program are printed. */
  static boolean isVerbose(ParseResult parsed) {
    return Args.has(parsed, "-v") || Args.has(parsed, "-D") || Args.has(parsed, "-L");
  }
}
