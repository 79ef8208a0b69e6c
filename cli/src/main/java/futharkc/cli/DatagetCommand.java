package futharkc.cli;

import futharkc.harness.testing.DataSets;
import futharkc.harness.testing.TestSpecException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc dataget}, which writes the input of a test case. */
final class DatagetCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Writes the input of a test case in binary form to standard output. The name of the"
                + " case is DATASET, or contains DATASET.");
    spec.addPositional(
        Args.files("PROGRAM.fut DATASET", "2", "The program with the test block, and a name."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<String> words = Args.words(parsed);
    Path program = Path.of(words.get(0));
    String name = words.get(1);
    try {
      DataSets all = DataSets.of(program);
      List<String> fitting = all.named(name);
      if (fitting.size() == 1) {
        console.flush();
        all.write(fitting.getFirst(), console.out());
        return Status.OK;
      }
      console
          .err()
          .println(
              fitting.isEmpty()
                  ? program + " has no data set '" + name + "'. The data sets are:"
                  : "The name '" + name + "' fits several data sets:");
      (fitting.isEmpty() ? all.names() : fitting).forEach(n -> console.err().println("  " + n));
      return Status.FAILED;
    } catch (TestSpecException e) {
      throw new UsageException(program + ":" + e.line() + ": " + e.getMessage());
    }
  }
}
