package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.ProgramFiles;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc imports}. */
final class ImportsCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Type checks a program and prints the names of its files, one per line. Each file"
                + " follows the files that it imports, so the program is last.");
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    var unused = Compiler.check(source);
    ProgramFiles.parse(source).paths().forEach(console.out()::println);
    return Status.OK;
  }
}
