package futharkc.cli;

import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.executable.ExecutableMain;
import futharkc.harness.testing.DataFiles;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of commands that run a program at once. They are the options of a compiled
 * executable.
 */
final class RunArgs {
  private static final List<String> FLAGS = List.of("-b", "-n", "-D", "-L", "-P");
  private static final List<String> VALUES = List.of("-e", "-r", "-t", "--num-threads");

  /** An argument that can be a file name: no white space, brackets, commas or quotes. */
  private static final Pattern PATH = Pattern.compile("[^\\s\\[\\](){},\"']+");

  private static final List<String> REPEATED = List.of("--param", "--tuning");

  private RunArgs() {}

  static void describe(CommandSpec spec) {
    spec.addOption(Args.value("NAME", "Run this entry point (default: main).", "-e"));
    spec.addOption(Args.flag("Print the result in binary form.", "-b", "--binary-output"));
    spec.addOption(Args.flag("Do not print the result.", "-n", "--no-print-result"));
    spec.addOption(Args.value("N", "Run N times after one warm-up run.", "-r", "--runs"));
    spec.addOption(
        Args.value(
            "FILE",
            "Write the time of each run to this file, in microseconds.",
            "-t",
            "--write-runtime-to"));
    spec.addOption(
        Args.flag("Enable further checks and report memory and times.", "-D", "--debugging"));
    spec.addOption(Args.flag("Log the operations of the program.", "-L", "--log"));
    spec.addOption(Args.flag("Report the time of each region of the program.", "-P", "--profile"));
    spec.addOption(Args.value("N", "The number of threads of the program.", "--num-threads"));
    spec.addOption(Args.values("NAME=INT", "Set a tuning parameter.", "--param"));
    spec.addOption(Args.values("FILE", "Set tuning parameters from a file.", "--tuning"));
  }

  /**
   * Runs a program.
   *
   * @param inputs names of files with values, or literal values; null or empty: standard input
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

  /** Returns the arguments to hand to the program. */
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

  /**
   * Returns the values of the inputs as one stream. The values of files and literals follow each
   * other, separated by line ends.
   */
  static InputStream input(@Nullable List<String> inputs, Console console) throws IOException {
    if (inputs == null || inputs.isEmpty()) {
      return console.in();
    }
    List<InputStream> streams = new ArrayList<>();
    for (String input : inputs) {
      streams.add(
          isFile(input)
              ? Files.newInputStream(Path.of(input))
              : new ByteArrayInputStream(value(input)));
      streams.add(new ByteArrayInputStream(new byte[] {'\n'}));
    }
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  /** Tests whether an input names a readable file, which includes named pipes. */
  private static boolean isFile(String input) {
    try {
      Path path = Path.of(input);
      return Files.exists(path) && !Files.isDirectory(path);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * Returns the bytes of a literal value, or of a fragment of a value that several arguments spell.
   *
   * @throws UsageException if the input can be a file name, no such file exists, and the input is
   *     not a value
   */
  private static byte[] value(String input) {
    byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
    if (PATH.matcher(input).matches()) {
      try {
        var unused = DataFiles.readAll(new ByteArrayInputStream(bytes));
      } catch (IOException e) {
        boolean folder = Files.isDirectory(Path.of(input));
        throw new UsageException(
            input
                + (folder
                    ? " is a folder, not a file or value."
                    : ": there is no such file, and the text is not a value."));
      }
    }
    return bytes;
  }
}
