package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.tools.repl.Session;
import futharkc.tools.repl.SessionException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc eval}, which interprets expressions. */
final class EvalCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Evaluates expressions and prints one value per line. The definitions of a program are"
                + " in scope, local definitions too.");
    spec.addOption(Args.value("PROGRAM.fut", "The program to load first.", "-f", "--file"));
    spec.addOption(Args.flag("Print no warnings.", "-w", "--no-warnings"));
    spec.addPositional(Args.files("EXPRESSION", "1..*", "The expressions."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Compiler compiler = Compiler.create();
    String file = Args.get(parsed, "-f");
    Session session =
        file == null
            ? Session.empty(compiler, Path.of(""), console.colours())
            : Session.ofProgram(compiler, Path.of(file), console.colours());
    String warnings = session.warnings();
    if (!warnings.isEmpty() && !Args.has(parsed, "-w")) {
      console.err().println(warnings);
    }
    for (String expression : Args.words(parsed)) {
      try {
        console.out().println(session.evaluate("<expression>", expression, console.out()));
      } catch (SessionException e) {
        console.out().flush();
        console.err().println(e.getMessage());
        return Status.FAILED;
      }
    }
    return Status.OK;
  }
}
