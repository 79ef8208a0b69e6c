package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import futharkc.harness.testing.ScriptException;
import futharkc.tools.literate.ScriptRunner;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc script}, which evaluates FutharkScript on a compiled program. */
final class ScriptCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Compiles a program, evaluates FutharkScript expressions and prints the value of the"
                + " last one. $store \"FILE\" VALUE writes a value to a file.");
    ScriptArgs.describe(spec);
    spec.addOption(Args.flag("Print the value in binary form.", "-b", "--binary"));
    spec.addOption(Args.values("EXPRESSION", "Evaluate this expression.", "-e", "--expression"));
    spec.addOption(Args.values("FILE", "Evaluate the expression in this file.", "-f", "--file"));
    spec.addPositional(
        Args.files(
            "PROGRAM [EXPRESSION]",
            "1..2",
            "The program PROGRAM.fut, or an executable that this compiler has made; and a last"
                + " expression."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<String> operands = Args.words(parsed);
    Path program = Path.of(operands.getFirst());
    List<String> scripts = scripts(parsed);
    scripts.addAll(operands.subList(1, operands.size()));
    PrintStream messages =
        ScriptArgs.isVerbose(parsed)
            ? console.err()
            : new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    ScriptRunner.Options options = ScriptArgs.options(parsed, program, true);
    Source source =
        options.executable() == null ? Source.ofFile(program).withColours(console.colours()) : null;
    try (ScriptRunner runner =
        ScriptRunner.open(Compiler.create(), source, Path.of(""), options, messages)) {
      runner.run(scripts, Args.has(parsed, "-b"), console.out());
      return Status.OK;
    } catch (ScriptException e) {
      console.out().flush();
      console.err().println(e.getMessage());
      return Status.FAILED;
    }
  }

  /** Returns the expressions of the options {@code -e} and {@code -f}, in their common order. */
  private static List<String> scripts(ParseResult parsed) throws IOException {
    Iterator<String> expressions = Args.all(parsed, "-e").iterator();
    Iterator<String> files = Args.all(parsed, "-f").iterator();
    List<String> scripts = new ArrayList<>();
    boolean isValue = false;
    for (String word : parsed.originalArgs()) {
      boolean expression = word.startsWith("-e") || word.startsWith("--expression");
      boolean file = word.startsWith("-f") || word.startsWith("--file");
      if (isValue || !expression && !file) {
        isValue = false;
        continue;
      }
      isValue = Set.of("-e", "-f", "--expression", "--file").contains(word);
      scripts.add(expression ? expressions.next() : Files.readString(Path.of(files.next())));
    }
    return scripts;
  }
}
