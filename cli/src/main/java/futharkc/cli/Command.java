package futharkc.cli;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A subcommand. Made only when it is used: start-up time counts. */
interface Command {
  /** Adds options, parameters and a description. */
  void describe(CommandSpec spec);

  /** Whether {@code --} separates a program's inputs from the rest. */
  default boolean takesInputs() {
    return false;
  }

  /**
   * Runs the command.
   *
   * @param parsed the command line before {@code --}
   * @param inputs what comes after {@code --}; null if there is no {@code --}
   * @return the exit code, see {@link Status}
   */
  int run(
      ParseResult parsed, @org.jspecify.annotations.Nullable List<String> inputs, Console console)
      throws IOException;
}
