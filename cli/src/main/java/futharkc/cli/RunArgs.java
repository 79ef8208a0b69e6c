package futharkc.cli;

import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.executable.ExecutableMain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options of commands that run a program right away: those of an executable. */
final class RunArgs {
  private static final List<String> FLAGS = List.of("-b", "-n", "-D", "-L", "-P");
  private static final List<String> VALUES = List.of("-e", "-r", "-t", "--num-threads");
  private static final List<String> REPEATED = List.of("--param", "--tuning");

  private RunArgs() {}

  static void describe(CommandSpec spec) {
    spec.addOption(Args.value("NAME", "Run this entry point ('main' by default).", "-e"));
    spec.addOption(Args.flag("Print the result in binary form.", "-b", "--binary-output"));
    spec.addOption(Args.flag("Do not print the result.", "-n", "--no-print-result"));
    spec.addOption(
        Args.value("N", "Run that many times, after one run to warm up.", "-r", "--runs"));
    spec.addOption(
        Args.value(
            "FILE", "Write the time of each run, in microseconds.", "-t", "--write-runtime-to"));
    spec.addOption(Args.flag("Check more, and report memory and times.", "-D", "--debugging"));
    spec.addOption(Args.flag("Log what happens.", "-L", "--log"));
    spec.addOption(Args.flag("Report the time of each region of the program.", "-P", "--profile"));
    spec.addOption(Args.value("N", "How many threads the program uses.", "--num-threads"));
    spec.addOption(Args.values("NAME=INT", "Set a tuning parameter.", "--param"));
    spec.addOption(Args.values("FILE", "Set tuning parameters from a file.", "--tuning"));
  }

  /**
   * Runs a program.
   *
   * @param inputs files with values, or values; none: standard input
   * @return the exit code
   * @throws IOException if a file cannot be read
   */
  static int run(
      FutharkProgram program, ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    console.flush();
    try (InputStream in = input(inputs, console)) {
      return ExecutableMain.run(program, arguments(parsed), in, console.out(), console.err());
    }
  }

  /** The arguments for the program. */
  static String[] arguments(ParseResult parsed) {
    List<String> arguments = new ArrayList<>();
    for (String flag : FLAGS) {
      if (Args.has(parsed, flag)) {
        arguments.add(flag);
      }
    }
    for (String option : VALUES) {
      String value = Args.get(parsed, option);
      if (value != null) {
        arguments.addAll(List.of(option, value));
      }
    }
    for (String option : REPEATED) {
      Args.all(parsed, option).forEach(v -> arguments.addAll(List.of(option, v)));
    }
    return arguments.toArray(new String[0]);
  }

  /** The values that the command line gives, as one stream. */
  static InputStream input(@Nullable List<String> inputs, Console console) throws IOException {
    if (inputs == null || inputs.isEmpty()) {
      return console.in();
    }
    List<InputStream> streams = new ArrayList<>();
    for (String input : inputs) {
      streams.add(
          isFile(input)
              ? Files.newInputStream(Path.of(input))
              : new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
      streams.add(new ByteArrayInputStream(new byte[] {'\n'}));
    }
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  private static boolean isFile(String input) {
    try {
      return Files.isRegularFile(Path.of(input));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
