package futharkc.tests.reference;

import futharkc.cli.CommandReference;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.executable.DeviceMain;
import futharkc.core.runtime.executable.ExecutableMain;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The page {@code docs/reference/commands.md}. */
final class CommandsPage {
  private static final List<String> BACKENDS = List.of("multicore", "opencl", "cuda");

  private CommandsPage() {}

  static String markdown() {
    StringBuilder text = new StringBuilder("# Commands\n\n");
    text.append(GeneratedPages.NOTICE)
        .append(
            """

            `futharkc COMMAND --help` prints the section of a command. Exit code 0: success; 1: failure, or a wrong
            command line; 2: the program was rejected.

            """)
        .append(CommandReference.markdown())
        .append(
            """

            ## Executables

            A compiled program reads the arguments of an entry point from standard input and prints the result. It has
            these options:

            """);
    List<String> shown = new ArrayList<>();
    for (String backend : BACKENDS) {
      List<String> options = options(backend);
      if (!shown.isEmpty()) {
        text.append("\nFurther options of a program for the target `" + backend + "`:\n\n");
      }
      text.append("```text\n");
      options.stream().filter(o -> !shown.contains(o)).forEach(o -> text.append(o).append('\n'));
      text.append("```\n");
      shown.addAll(options);
    }
    return text.toString();
  }

  /** Returns the lines of an executable's {@code --help} that describe options. */
  private static List<String> options(String backend) {
    Compiler compiler = Compiler.create();
    FutharkProgram program =
        compiler
            .compile(
                Source.ofText("program.fut", "def main (x: i32): i32 = x + 1"),
                CompilerOptions.DEFAULT.withTarget(backend))
            .instance();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    String[] help = {"--help"};
    if (program instanceof DeviceProgram p) {
      DeviceMain.run(p, help, InputStream.nullInputStream(), printed, printed);
    } else {
      ExecutableMain.run(program, help, InputStream.nullInputStream(), printed, printed);
    }
    return out.toString(StandardCharsets.UTF_8).lines().filter(l -> l.startsWith("  ")).toList();
  }
}
