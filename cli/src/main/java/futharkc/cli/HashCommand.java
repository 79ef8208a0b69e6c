package futharkc.cli;

import futharkc.core.driver.ProgramFiles;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc hash}. */
final class HashCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Prints a hash of a program and its imports, in 32 hexadecimal digits. White space,"
                + " comments and the program's file name do not change the hash.");
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    console.out().println(ProgramFiles.parse(CompilerArgs.source(parsed, console)).hash());
    return Status.OK;
  }
}
