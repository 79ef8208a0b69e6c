package futharkc.cli;

import futharkc.core.driver.ProgramFiles;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc check-syntax}. */
final class CheckSyntaxCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Parses a program and its imports without checking types. The exit code is 0 if there"
                + " is no syntax error, and 2 otherwise.");
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    var unused = ProgramFiles.parse(CompilerArgs.source(parsed, console));
    return Status.OK;
  }
}
