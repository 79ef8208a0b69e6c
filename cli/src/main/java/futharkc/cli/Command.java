package futharkc.cli;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticJson;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * A subcommand. The table of commands creates a command object only on use, to keep start-up short.
 */
interface Command {
  /** Adds the options, the parameters and the description of this command to a specification. */
  void describe(CommandSpec spec);

  /** Tests whether {@code --} separates a program's inputs from this command's own arguments. */
  default boolean takesInputs() {
    return false;
  }

  /** Tests whether the command line asks for JSON. Errors are then JSON too. */
  default boolean printsJson(ParseResult parsed) {
    return false;
  }

  /**
   * Returns the stream for JSON. Standard output has either JSON or other results of the command,
   * never both: JSON goes to standard error if the command prints a program or runs one.
   *
   * @param inputs the arguments after {@code --}; null if there is no {@code --}
   */
  default PrintStream jsonStream(
      ParseResult parsed, @org.jspecify.annotations.Nullable List<String> inputs, Console console) {
    return console.out();
  }

  /**
   * Returns the JSON document that reports diagnostics alone, for a command line that asks for
   * JSON.
   */
  default String json(List<Diagnostic> diagnostics) {
    return "{\"diagnostics\":" + DiagnosticJson.render(diagnostics) + "}";
  }

  /**
   * Runs the command.
   *
   * @param parsed the command line before {@code --}
   * @param inputs the arguments after {@code --}; null if there is no {@code --}
   * @return the exit code, see {@link Status}
   */
  int run(
      ParseResult parsed, @org.jspecify.annotations.Nullable List<String> inputs, Console console)
      throws IOException;
}
