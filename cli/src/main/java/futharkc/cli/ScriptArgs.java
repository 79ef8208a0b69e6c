package futharkc.cli;

import futharkc.core.driver.CompilerOptions;
import futharkc.tools.literate.ScriptRunner;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command-line options that {@code script} and {@code literate} share. */
final class ScriptArgs {
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
    CompilerArgs.describePasses(spec);
  }

  /**
   * Returns the way to compile and run a program that the command line gives.
   *
   * @param stores whether scripts may write files
   */
  static ScriptRunner.Options options(ParseResult parsed, boolean stores) {
    CompilerOptions compiler =
        CompilerArgs.withPasses(CompilerOptions.DEFAULT, parsed)
            .withTarget(Args.get(parsed, "--backend", "c"));
    return new ScriptRunner.Options(
        compiler,
        Args.get(parsed, "--device", ""),
        Args.has(parsed, "-D"),
        Args.has(parsed, "-L"),
        Args.has(parsed, "--safe-directives"),
        stores);
  }

  /** Tests whether messages of the program are printed. */
  static boolean isVerbose(ParseResult parsed) {
    return Args.has(parsed, "-v") || Args.has(parsed, "-D") || Args.has(parsed, "-L");
  }
}
