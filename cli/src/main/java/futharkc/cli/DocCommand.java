package futharkc.cli;

import futharkc.tools.doc.DocumentationSite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc doc}, which writes the documentation of a library. */
final class DocCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Writes web pages about all programs below a folder and the files that they import,"
                + " with their documentation comments ('-- |'). The pages need no server. A file"
                + " whose first comment is the word 'ignore' gets no page.");
    spec.addOption(Args.value("DIR", "The folder of the pages.", "-o", "--output-directory"));
    spec.addOption(Args.flag("Print the name of each written file.", "-v", "--verbose"));
    spec.addPositional(Args.file("DIR", "The folder of the library."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    String output = Args.get(parsed, "-o");
    if (output == null) {
      throw new UsageException("doc needs -o DIR, the folder of the pages.");
    }
    boolean verbose = Args.has(parsed, "-v");
    DocumentationSite site =
        new DocumentationSite(
            Path.of(output),
            file -> {
              if (verbose) {
                console.err().println("Writing " + file);
              }
            });
    site.write(Args.path(parsed)).forEach(console.err()::println);
    return Status.OK;
  }
}
