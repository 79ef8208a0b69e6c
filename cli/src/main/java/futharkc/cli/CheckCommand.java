package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.ProgramRejectedException;
import futharkc.core.driver.Source;
import futharkc.core.driver.pipeline.IrText;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticJson;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code futharkc check}. */
final class CheckCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage().description("Type checks a program. Exit code 0: fine; 2: rejected.");
    spec.addOption(Args.flag("Print no warnings.", "-w"));
    spec.addOption(Args.flag("Treat warnings as errors.", "--Werror"));
    spec.addOption(Args.flag("Print errors and warnings as JSON, to standard output.", "--json"));
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    boolean json = Args.has(parsed, "--json");
    try {
      if (IrText.recognises(source.file(), source.text())) {
        // Reads and verifies it.
        Compiler.create().optimise(source, CompilerOptions.DEFAULT, null);
        return Status.OK;
      }
      List<Diagnostic> warnings = Compiler.check(source);
      if (json) {
        console.out().println(DiagnosticJson.render(warnings));
      } else {
        Reports.warnings(warnings, source, Args.has(parsed, "-w"), console);
      }
      return !warnings.isEmpty() && Args.has(parsed, "--Werror") ? Status.REJECTED : Status.OK;
    } catch (ProgramRejectedException e) {
      if (json) {
        console.out().println(DiagnosticJson.render(e.diagnostics()));
        return Status.REJECTED;
      }
      throw e;
    }
  }
}
