package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The commands {@code multicore}, {@code c}, {@code opencl} and {@code cuda}, and the form without
 * a command. They compile a program, and run it if the command line has inputs.
 */
final class CompileCommand implements Command {
  private final @Nullable String target;

  /**
   * Creates a command for a target.
   *
   * @param target the name of the target; null: the option {@code --target} names the target
   */
  CompileCommand(@Nullable String target) {
    this.target = target;
  }

  @Override
  public boolean takesInputs() {
    return true;
  }

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Compiles a program to an executable file. With -- and inputs: runs the program on the"
                + " inputs.");
    if (target == null) {
      spec.addOption(
          Args.value("NAME", "The target: multicore (default), c, opencl or cuda.", "--target"));
    }
    spec.addOption(
        Args.value(
            "FILE",
            "The file to write (default: the program's name without extension).",
            "-o",
            "--output"));
    spec.addOption(
        Args.flag("Print the generated source instead of compiling it.", "--print-source"));
    CompilerArgs.describe(spec);
    spec.addOption(
        Args.flag(
            "Interpret the program after every pass and report the first pass that changes a"
                + " result.",
            "--check-passes"));
    RunArgs.describe(spec);
    spec.addOption(
        Args.flag(
            "Write an executable that always runs as a server (see its --help).", "--server"));
    spec.addOption(Args.flag("Write an ordinary executable (default).", "--executable"));
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
    return inputs != null || CompilerArgs.printsPrograms(parsed) ? console.err() : console.out();
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Source source = CompilerArgs.source(parsed, console);
    keep(Path.of(source.file()), Args.get(parsed, "-o"));
    Compiler compiler = CompilerArgs.compiler(parsed, console);
    String name = target == null ? Args.get(parsed, "--target", "multicore") : target;
    CompilerOptions options = CompilerArgs.options(parsed, console).withTarget(name);
    if (Args.has(parsed, "--check-passes")) {
      return PassChecker.run(compiler, source, options, parsed, inputs, console);
    }
    Compiled compiled = compiler.compile(source, options);
    try {
      if (!CompilerArgs.report(
          compiled, source, parsed, console, jsonStream(parsed, inputs, console))) {
        return Status.REJECTED;
      }
      return finish(compiled, source, parsed, inputs, console);
    } finally {
      CompilerArgs.times(compiled, parsed, console);
    }
  }

  /**
   * Checks that the output file is not the program itself.
   *
   * @throws UsageException if both are the same file
   */
  private static void keep(Path program, @Nullable String output) throws IOException {
    if (output == null) {
      return;
    }
    Path file = Path.of(output);
    if (Files.exists(file) && Files.exists(program) && Files.isSameFile(file, program)) {
      throw new UsageException("-o " + output + " would overwrite the program.");
    }
  }

  private static int finish(
      Compiled compiled,
      Source source,
      ParseResult parsed,
      @Nullable List<String> inputs,
      Console console)
      throws IOException {
    String output = Args.get(parsed, "-o");
    if (Args.has(parsed, "--stop-after")) {
      String text = compiled.ir().print("");
      if (output == null) {
        console.out().print(text);
      } else {
        Files.writeString(Path.of(output), text);
      }
      return Status.OK;
    }
    if (Args.has(parsed, "--print-source")) {
      compiled
          .sources()
          .forEach(s -> console.out().println("// " + s.fileName() + "\n" + s.text()));
      return Status.OK;
    }
    if (output != null || inputs == null) {
      Path file = output == null ? defaultOutput(Path.of(source.file())) : Path.of(output);
      compiled.writeExecutable(
          file, Args.has(parsed, "--server") ? new String[] {"--server"} : new String[0]);
    }
    return inputs == null ? Status.OK : RunArgs.run(compiled.instance(), parsed, inputs, console);
  }

  /** Returns the path of the program without its extension. */
  static Path defaultOutput(Path program) {
    String name = String.valueOf(program.getFileName());
    int dot = name.lastIndexOf('.');
    if (dot <= 0) {
      throw new UsageException(
          "The program's name "
              + name
              + " has no extension to remove. Name the output with -o FILE.");
    }
    return program.resolveSibling(name.substring(0, dot));
  }
}
