package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc query}. */
final class QueryCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Prints the name at a position of a program, its type and its definition.");
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
    spec.addPositional(number("1", "LINE", "The line, counted from 1."));
    spec.addPositional(number("2", "COLUMN", "The column, counted from 1."));
  }

  private static PositionalParamSpec number(String index, String label, String description) {
    return PositionalParamSpec.builder()
        .index(index)
        .arity("1")
        .required(true)
        .type(int.class)
        .paramLabel(label)
        .description(description)
        .build();
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    int line = parsed.matchedPositionalValue(1, 0);
    int column = parsed.matchedPositionalValue(2, 0);
    ProgramIndex index = Compiler.analyse(source);
    Optional<Occurrence> found = index.occurrenceAt(source.file(), line, column);
    if (found.isEmpty()) {
      console.out().println("No information available.");
      return Status.OK;
    }
    Symbol symbol = found.get().symbol();
    console.out().println("Name: " + symbol.name());
    console.out().println("Position: " + Ranges.inclusive(found.get().loc()));
    index.typeOf(symbol).ifPresent(type -> console.out().println("Type: " + type));
    console.out().println("Definition: " + Ranges.inclusive(symbol.loc()));
    return Status.OK;
  }
}
