package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.tools.literate.LiterateException;
import futharkc.tools.literate.LiteratePage;
import futharkc.tools.literate.PageServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc literate}, which makes a page of a program. */
final class LiterateCommand implements Command {
  private static final int MOST_PORTS = 65_535;

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Writes a page in Markdown with the comments and the code of a program, and the values"
                + " of the expressions in its directives.");
    ScriptArgs.describe(spec);
    spec.addOption(
        Args.value(
            "FILE", "The page to write (default: the program's name with .md).", "-o", "--output"));
    spec.addOption(Args.flag("Write no page if a directive fails.", "--stop-on-error"));
    spec.addOption(
        Args.flag(
            "Show the page at an address of this machine, and write it again when the program"
                + " changes.",
            "--watch"));
    spec.addOption(Args.value("N", "The port of --watch (default: a free port).", "--port"));
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Path program = Args.path(parsed);
    String given = Args.get(parsed, "-o");
    Path output = given == null ? LiteratePage.defaultOutput(program) : Path.of(given);
    LiteratePage page =
        new LiteratePage(
            Compiler.create(),
            new LiteratePage.Settings(
                program,
                output,
                ScriptArgs.options(parsed, program, false),
                Args.has(parsed, "--stop-on-error"),
                console.err(),
                ScriptArgs.isVerbose(parsed)));
    if (Args.has(parsed, "--watch")) {
      return watch(page, output, Args.positive(parsed, "--port", 0, MOST_PORTS), console);
    }
    try {
      return page.write() ? Status.OK : Status.FAILED;
    } catch (LiterateException e) {
      console.err().println(e.getMessage());
      return Status.FAILED;
    }
  }

  private static int watch(LiteratePage page, Path output, int port, Console console)
      throws IOException {
    try (PageServer server = new PageServer(page, output, port, console.err())) {
      console.out().println("The page is at " + server.address() + ". Ctrl-C ends.");
      console.flush();
      server.watch();
      return Status.OK;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Status.OK;
    }
  }
}
