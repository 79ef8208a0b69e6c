package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.pipeline.IrText;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticJson;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc check}. */
final class CheckCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Type checks a program. The exit code is 0 for an accepted and 2 for a rejected"
                + " program.");
    spec.addOption(Args.flag("Print no warnings.", "-w", "-W", "--no-warnings"));
    spec.addOption(Args.flag("Treat warnings as errors. -w prevails.", "--Werror"));
    spec.addOption(Args.flag("Print errors and warnings as JSON to standard output.", "--json"));
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public boolean printsJson(ParseResult parsed) {
    return Args.has(parsed, "--json");
  }

  @Override
  public String json(List<Diagnostic> diagnostics) {
    return DiagnosticJson.render(diagnostics);
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    List<Diagnostic> warnings;
    if (IrText.recognises(source.file(), source.text())) {
      // The target representation null makes the compiler parse and verify the text, without any
      // pass.
      warnings = Compiler.create().optimise(source, CompilerOptions.DEFAULT, null).warnings();
    } else {
      warnings = Compiler.check(source);
    }
    if (printsJson(parsed)) {
      console.out().println(json(warnings));
    } else {
      Reports.warnings(warnings, source, Args.has(parsed, "-w"), console);
    }
    boolean rejects = Args.has(parsed, "--Werror") && !Args.has(parsed, "-w");
    return rejects && !warnings.isEmpty() ? Status.REJECTED : Status.OK;
  }
}
