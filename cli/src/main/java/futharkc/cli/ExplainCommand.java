package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc explain}, which writes a page about a program's memory. */
final class ExplainCommand implements Command {
  private static final Map<String, Rep> REPS =
      Map.of("multicore", Rep.MC_MEM, "c", Rep.SEQ_MEM, "opencl", Rep.GPU_MEM, "cuda", Rep.GPU_MEM);

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Writes an HTML page with the live range of each memory block, before and after"
                + " merging, and with the reasons for and against each merge.");
    spec.addOption(Args.flag("Explain memory (required; the only subject).", "--memory"));
    spec.addOption(Args.value("NAME", "The target (default: multicore).", "--target"));
    spec.addOption(
        Args.value("FILE", "The file to write (default: PROGRAM-memory.html).", "-o", "--output"));
    CompilerArgs.describe(spec);
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
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
    if (!Args.has(parsed, "--memory")) {
      throw new UsageException(
          "The option --memory is missing: it selects the subject to explain.");
    }
    String target = Args.get(parsed, "--target", "multicore");
    Rep rep = REPS.get(target);
    if (rep == null) {
      throw new UsageException(
          "There is no target " + target + " to explain. There are: " + REPS.keySet() + ".");
    }
    Source source = CompilerArgs.source(parsed, console);
    List<Program> before = new ArrayList<>();
    boolean[] merging = {false};
    BlockChanges changes = new BlockChanges();
    CompilerOptions options =
        CompilerArgs.options(parsed, console)
            .withTarget(target)
            .withObserver(
                (index, step, ir) -> {
                  String pass = step.pass().name();
                  merging[0] |= pass.equals("coalesce") || pass.equals("reuse");
                  if (!(ir instanceof Program p) || p.rep() != rep) {
                    return;
                  }
                  if (merging[0]) {
                    changes.after(pass, p);
                  } else {
                    before.add(p);
                    changes.start(p);
                  }
                });
    Compiled compiled = CompilerArgs.compiler(parsed, console).optimise(source, options, rep);
    if (!CompilerArgs.report(
        compiled, source, parsed, console, jsonStream(parsed, inputs, console))) {
      return Status.REJECTED;
    }
    Path program = Args.path(parsed);
    String name = program.getFileName().toString().replaceAll("\\.[^.]*$", "");
    Path file = Path.of(Args.get(parsed, "--output", name + "-memory.html"));
    Program first = before.isEmpty() ? compiled.program() : before.getLast();
    MemoryPage page =
        new MemoryPage(name, target, first, compiled.program(), changes, compiled.remarks());
    Files.writeString(file, page.html());
    console.out().println("Written to " + file + ".");
    return Status.OK;
  }
}
