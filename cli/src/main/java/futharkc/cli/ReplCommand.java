package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.tools.repl.Repl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc repl}: an interactive session. */
final class ReplCommand implements Command {
  private static final int INTERRUPTED = 130;

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Reads definitions and expressions, and evaluates the expressions. :help lists the"
                + " commands.");
    spec.addPositional(Args.files("PROGRAM.fut", "0..1", "A program to load first."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<String> files = Args.paths(parsed);
    Repl.run(
        Compiler.create(),
        files.isEmpty() ? null : Path.of(files.getFirst()),
        new Repl.Console(
            console.in(),
            console.out(),
            console.terminal(),
            console.colours(),
            () -> System.exit(INTERRUPTED)));
    return Status.OK;
  }
}
