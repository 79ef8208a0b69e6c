package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code futharkc explain}, which writes a page about a program's memory, layouts or
 * transfers.
 */
final class ExplainCommand implements Command {
  private static final Map<String, Rep> REPS =
      Map.of("multicore", Rep.MC_MEM, "c", Rep.SEQ_MEM, "opencl", Rep.GPU_MEM, "cuda", Rep.GPU_MEM);

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Explains an error, such as E0502, or writes an HTML page about one subject. Memory:"
                + " the live range of each memory block, before and after merging, and the reasons"
                + " for and against each merge. Layouts: the accesses of parallel operations to"
                + " arrays, and the choices of how arrays are stored. Transfers: the host's program"
                + " for a GPU with its launches, reads, waits, writes and copies, and what moved to"
                + " the device.");
    spec.addOption(Args.flag("Explain memory.", "--memory"));
    spec.addOption(Args.flag("Explain the layout of arrays.", "--layout"));
    spec.addOption(Args.flag("Explain transfers between host and device.", "--transfers"));
    spec.addOption(
        Args.value("NAME", "The target (default: multicore; opencl for transfers).", "--target"));
    spec.addOption(
        Args.value("FILE", "The file to write (default: PROGRAM-SUBJECT.html).", "-o", "--output"));
    CompilerArgs.describe(spec);
    spec.addPositional(Args.file("PROGRAM.fut|CODE", "The program, or the code of an error."));
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
    String operand = Args.path(parsed).toString();
    if (ErrorReference.isCode(operand)) {
      console.out().print(ErrorReference.section(operand));
      return Status.OK;
    }
    List<String> subjects =
        Stream.of("--memory", "--layout", "--transfers").filter(o -> Args.has(parsed, o)).toList();
    if (subjects.size() != 1) {
      throw new UsageException(
          "One of the options --memory, --layout and --transfers must select the subject to"
              + " explain.");
    }
    String subject = subjects.getFirst();
    String target =
        Args.get(parsed, "--target", subject.equals("--transfers") ? "opencl" : "multicore");
    Rep rep = REPS.get(target);
    if (rep == null) {
      throw new UsageException(
          "There is no target " + target + " to explain. There are: " + REPS.keySet() + ".");
    }
    return switch (subject) {
      case "--memory" -> memory(parsed, inputs, console, target, rep);
      case "--layout" -> layout(parsed, inputs, console, target, rep);
      default -> transfers(parsed, inputs, console, target, rep);
    };
  }

  private int layout(
      ParseResult parsed, @Nullable List<String> inputs, Console console, String target, Rep rep)
      throws IOException {
    if (rep.isSequential()) {
      throw new UsageException(
          "Target "
              + target
              + " has no parallel operations. Layouts have the targets multicore, opencl and"
              + " cuda.");
    }
    Source source = CompilerArgs.source(parsed, console);
    CompilerOptions options = CompilerArgs.options(parsed, console).withTarget(target);
    Compiled compiled = CompilerArgs.compiler(parsed, console).optimise(source, options, rep);
    if (!CompilerArgs.report(
        compiled, source, parsed, console, jsonStream(parsed, inputs, console))) {
      return Status.REJECTED;
    }
    return written(
        new LayoutPage(name(parsed), target, compiled.program(), compiled.remarks()),
        "layout",
        parsed,
        console);
  }

  private int transfers(
      ParseResult parsed, @Nullable List<String> inputs, Console console, String target, Rep rep)
      throws IOException {
    if (!rep.hasDevice()) {
      throw new UsageException(
          "Target " + target + " has no device. Transfers have the targets opencl and cuda.");
    }
    Source source = CompilerArgs.source(parsed, console);
    CompilerOptions options = CompilerArgs.options(parsed, console).withTarget(target);
    Compiled compiled =
        CompilerArgs.compiler(parsed, console).optimise(source, options, Rep.GPU_IMP);
    if (!CompilerArgs.report(
        compiled, source, parsed, console, jsonStream(parsed, inputs, console))) {
      return Status.REJECTED;
    }
    if (!(compiled.ir().program() instanceof ImperativeProgram program)) {
      throw new IllegalStateException("the program is not imperative");
    }
    return written(
        new TransfersPage(name(parsed), target, program, compiled.remarks()),
        "transfers",
        parsed,
        console);
  }

  private static String name(ParseResult parsed) {
    return Args.path(parsed).getFileName().toString().replaceAll("\\.[^.]*$", "");
  }

  private static int written(
      ExplanationPage page, String subject, ParseResult parsed, Console console)
      throws IOException {
    Path file = Path.of(Args.get(parsed, "--output", name(parsed) + "-" + subject + ".html"));
    Files.writeString(file, page.html());
    console.out().println("Written to " + file + ".");
    return Status.OK;
  }

  private int memory(
      ParseResult parsed, @Nullable List<String> inputs, Console console, String target, Rep rep)
      throws IOException {
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
    Program first = before.isEmpty() ? compiled.program() : before.getLast();
    return written(
        new MemoryPage(
            name(parsed), target, first, compiled.program(), changes, compiled.remarks()),
        "memory",
        parsed,
        console);
  }
}
