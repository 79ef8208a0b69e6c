package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc run}, which interprets a program. */
final class RunCommand implements Command {
  @Override
  public boolean takesInputs() {
    return true;
  }

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description("Interprets a program in any representation, without optimisation.");
    CompilerArgs.describe(spec);
    RunArgs.describe(spec);
    spec.addPositional(
        Args.file("PROGRAM.fut", "The program, or the text form of a representation."));
  }

  @Override
  public boolean printsJson(ParseResult parsed) {
    return Args.has(parsed, "--json");
  }

  @Override
  public PrintStream jsonStream(
      ParseResult parsed, @Nullable List<String> inputs, Console console) {
    return console.err();
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    Compiler compiler = CompilerArgs.compiler(parsed, console);
    CompilerOptions options = CompilerArgs.options(parsed, console);
    Rep rep = null;
    if (CompilerArgs.checksWrites(parsed)) {
      options = options.withPasses("none," + CompilerArgs.CHECK_WRITES_PASS);
      rep = Rep.SOACS;
    }
    Compiled compiled = compiler.optimise(source, options, rep);
    if (!CompilerArgs.report(
        compiled, source, parsed, console, jsonStream(parsed, inputs, console))) {
      return Status.REJECTED;
    }
    CompilerArgs.times(compiled, parsed, console);
    return RunArgs.run(
        compiler.interpreted(compiled.ir().program(), source.name()), parsed, inputs, console);
  }
}
