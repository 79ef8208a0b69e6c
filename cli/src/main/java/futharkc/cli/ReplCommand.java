package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.runtime.executable.ExecutableMain;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code futharkc repl}: reads one definition or expression per line and interprets
 * expressions.
 */
final class ReplCommand implements Command {
  private static final String HELP =
      """
      Type an expression to evaluate it, or a definition (def, entry, type, module, open, import, ...)
      to add it. Commands:
        :load FILE   replace all definitions by those of a file
        :show        print all definitions
        :clear       delete all definitions
        :quit        leave
      Ctrl-C ends a computation, not the session.
      """;

  private static final Set<String> DEFINING =
      Set.of(
          "def", "let", "entry", "type", "type^", "type~", "module", "open", "local", "import",
          "#[");

  private static final String PROMPT = "> ";

  /** The name of the entry point that the command generates for an expression. */
  private static final String ENTRY = "repl_result";

  private String folder = "";
  private String definitions = "";

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Reads definitions and expressions, and evaluates the expressions. :help lists the"
                + " commands.");
    spec.addPositional(Args.files("PROGRAM.fut", "0..1", "A program to load first."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    Compiler compiler = Compiler.create();
    for (String file : Args.paths(parsed)) {
      load(file, console);
    }
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
    Runnable idle = console.terminal() ? () -> hint(console) : null;
    try (InterruptSignal signal = new InterruptSignal(idle)) {
      while (true) {
        if (console.terminal()) {
          console.out().print(PROMPT);
        }
        console.flush();
        String line = lines.readLine();
        if (line == null || line.strip().equals(":quit")) {
          return Status.OK;
        }
        try {
          signal.run(() -> respond(line.strip(), compiler, signal, console));
        } catch (CompilerException | IOException e) {
          console.out().println(e.getMessage());
        } catch (CancellationException e) {
          console.out().println("Error: Interrupted.");
        }
      }
    }
  }

  private static void hint(Console console) {
    console.out().print("\n:quit leaves.\n" + PROMPT);
    console.flush();
  }

  private void respond(String line, Compiler compiler, InterruptSignal signal, Console console)
      throws IOException {
    if (line.isEmpty() || line.startsWith("--")) {
      return;
    }
    if (line.startsWith(":")) {
      command(line, console);
      return;
    }
    String first = line.startsWith("#[") ? "#[" : line.split("\\s+", 2)[0];
    // A line "let ... in ..." is an expression, not a definition.
    if (DEFINING.contains(first) && !(first.equals("let") && line.contains(" in "))) {
      String more = definitions + line + "\n";
      Compiler.check(source(more));
      definitions = more;
      return;
    }
    Source source = source(definitions + "entry " + ENTRY + " =\n  " + line + "\n");
    Compiled compiled =
        compiler.optimise(
            source, CompilerOptions.DEFAULT.withCancelled(signal::hasInterrupted), null);
    console.flush();
    ExecutableMain.run(
        compiler.interpreted(compiled.program(), "repl"),
        new String[] {"-e", ENTRY},
        new ByteArrayInputStream(new byte[0]),
        console.out(),
        console.out());
  }

  private void command(String line, Console console) throws IOException {
    String[] words = line.split("\\s+", 2);
    switch (words[0]) {
      case ":load" -> {
        if (words.length == 2) {
          load(words[1], console);
        } else {
          console.out().println(":load takes the name of a file: :load FILE");
        }
      }
      case ":show" -> console.out().print(definitions);
      case ":clear" -> definitions = "";
      default -> console.out().print(HELP);
    }
  }

  private void load(String file, Console console) throws IOException {
    Path path = Path.of(file);
    Path parent = path.getParent();
    Compiler.check(Source.ofFile(path));
    folder = parent == null ? "" : parent + "/";
    definitions = Files.readString(path) + "\n";
    console.out().println("Loaded " + file + ".");
  }

  private Source source(String text) {
    return Source.ofText(folder + "<repl>.fut", text)
        .withImports(
            path -> {
              try {
                Path file = Path.of(path);
                return Files.isRegularFile(file) ? Files.readString(file) : null;
              } catch (IOException e) {
                return null;
              }
            });
  }
}
