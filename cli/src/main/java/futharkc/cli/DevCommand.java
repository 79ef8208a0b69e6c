package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Source;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Rep;
import futharkc.core.ir.memory.AccessTable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code futharkc dev}, which prints a program in any representation of the pipeline.
 */
final class DevCommand implements Command {
  private static final List<Rep> REPS = List.of(Rep.values());

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Runs the passes that lead to a representation, and prints the program or its node"
                + " counts. Without a representation: prints the result of the front end, or soacs"
                + " if the command line has --passes or --remarks.");
    for (Rep rep : REPS) {
      String what = "To " + rep + ", optimised.";
      spec.addOption(
          rep == Rep.SOACS ? Args.flag(what, "-s", "--soacs") : Args.flag(what, "--" + rep));
    }
    spec.addOption(Args.flag("Print the number of nodes of each kind.", "--metrics"));
    spec.addOption(
        Args.flag(
            "Print the accesses of parallel operations to arrays, with their strides. Needs a"
                + " representation with memory.",
            "--accesses"));
    spec.addOption(Args.flag("Print nothing but errors.", "-n", "--no-print"));
    CompilerArgs.describe(spec);
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
    return Stream.of("--metrics", "--accesses", "--print-ir-after")
            .anyMatch(o -> Args.has(parsed, o))
        ? console.err()
        : console.out();
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Rep rep = rep(parsed);
    if (Args.has(parsed, "--accesses") && (rep == null || !rep.hasMemory())) {
      throw new UsageException(
          "--accesses needs a representation with memory: --seq-mem, --mc-mem or --gpu-mem.");
    }
    Source source = CompilerArgs.source(parsed, console);
    Compiled compiled =
        CompilerArgs.compiler(parsed, console)
            .optimise(source, CompilerArgs.options(parsed, console), rep);
    if (!CompilerArgs.report(
        compiled, source, parsed, console, jsonStream(parsed, inputs, console))) {
      return Status.REJECTED;
    }
    if (Args.has(parsed, "--metrics")) {
      Metrics.of(compiled.program())
          .forEach((name, count) -> console.out().println(name + " " + count));
    } else if (Args.has(parsed, "--accesses")) {
      console.out().print(AccessTable.text(compiled.program()));
    } else if (!Args.has(parsed, "-n") && !Args.has(parsed, "--json")) {
      console.out().print(compiled.ir().print(""));
    }
    CompilerArgs.times(compiled, parsed, console);
    return Status.OK;
  }

  private static @Nullable Rep rep(ParseResult parsed) {
    List<Rep> chosen =
        REPS.stream().filter(r -> Args.has(parsed, r == Rep.SOACS ? "-s" : "--" + r)).toList();
    if (chosen.size() > 1) {
      throw new UsageException(
          "The command line names several representations: " + chosen + ". Name one of them.");
    }
    if (chosen.isEmpty()) {
      boolean passesWanted =
          Stream.of("--passes", "--remarks").anyMatch(o -> Args.get(parsed, o) != null);
      return passesWanted ? Rep.SOACS : null;
    }
    return chosen.getFirst();
  }
}
