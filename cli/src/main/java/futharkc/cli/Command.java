package futharkc.cli;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticJson;
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

  /** Whether standard output is to be JSON, whatever happens. */
  default boolean printsJson(ParseResult parsed) {
    return false;
  }

  /** What standard output is if there are only diagnostics to print, and it is to be JSON. */
  default String json(List<Diagnostic> diagnostics) {
    return "{\"diagnostics\":" + DiagnosticJson.render(diagnostics) + "}";
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
