package futharkc.cli;

import futharkc.core.driver.ProgramFiles;
import futharkc.core.ir.Loc;
import futharkc.core.language.parser.SourceToken;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc tokens}. */
final class TokensCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Prints the tokens of a file, one per line: the position, the name in the grammar, and"
                + " the text.");
    spec.addPositional(Args.file("FILE.fut", "The file."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    for (SourceToken token : ProgramFiles.tokens(CompilerArgs.source(parsed, console))) {
      Loc loc = token.loc();
      String text = token.text().replace("\n", "\\n");
      console.out().println(loc.line() + ":" + loc.column() + " " + token.kind() + " " + text);
    }
    return Status.OK;
  }
}
