package futharkc.cli;

import futharkc.core.runtime.BuildVersion;
import futharkc.tools.lsp.EvaluationProcess;
import futharkc.tools.lsp.LspServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc lsp}. */
final class LspCommand implements Command {
  /** The option that evaluates an expression for a language server. */
  private static final String EVALUATE = "--evaluate";

  /** The heap size of a process that evaluates an expression. */
  private static final String EVALUATION_HEAP = "-Xmx1g";

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Serves an editor with the language server protocol over standard input and output."
                + " The guide has the settings of editors.");
    spec.addOption(
        Args.flag("Evaluate the expression that a language server sends, and exit.", EVALUATE));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    if (Args.has(parsed, EVALUATE)) {
      EvaluationProcess.serve(console.in(), console.out());
      return Status.OK;
    }
    boolean orderly =
        LspServer.serve(
            console.in(),
            new FileOutputStream(FileDescriptor.out),
            BuildVersion.text(),
            new EvaluationProcess(command()));
    return orderly ? Status.OK : Status.FAILED;
  }

  /** Returns the command line of a process that evaluates an expression. */
  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(EVALUATION_HEAP, "-XX:TieredStopAtLevel=1"));
    String archive = System.getProperty("futharkc.archive");
    if (archive != null) {
      command.addAll(List.of("-XX:AOTCache=" + archive, "-Xlog:disable"));
    }
    command.addAll(
        List.of(
            "-p",
            System.getProperty("jdk.module.path", ""),
            "-m",
            Main.class.getModule().getName() + "/" + Main.class.getName(),
            "lsp",
            EVALUATE));
    return command;
  }
}
