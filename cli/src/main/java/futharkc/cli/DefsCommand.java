package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import futharkc.core.language.index.Outline;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc defs}. */
final class DefsCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Lists the definitions of a program and of the files that it imports, also within"
                + " modules. A line has the kind, the name and the source range of a definition;"
                + " the last column of the range is that of the last character. The program may"
                + " have type errors.");
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    ProgramIndex index = Compiler.resolve(source);
    for (String file : index.files()) {
      if (!file.startsWith("/prelude/")) {
        print(index.outline(file), console);
      }
    }
    return Status.OK;
  }

  private static void print(List<Outline> definitions, Console console) {
    for (Outline d : definitions) {
      Symbol symbol = d.symbol();
      String kind = symbol.kind().text();
      console.out().println(kind + " " + symbol.name() + " " + Ranges.inclusive(symbol.loc()));
      if (symbol.kind() != Symbol.Kind.MODULE_TYPE) {
        print(d.members(), console);
      }
    }
  }
}
