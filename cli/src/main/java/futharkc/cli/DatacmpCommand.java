package futharkc.cli;

import futharkc.core.runtime.Value;
import futharkc.harness.testing.DataFiles;
import futharkc.harness.testing.ResultComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc datacmp}, which compares two data files. */
final class DatacmpCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Compares the values in two files in text or binary form and prints all differences."
                + " Floats may differ by 0.002, relative to the largest number of the value. The"
                + " exit code is 0 for equal values, 2 for a difference, and 1 if a file cannot be"
                + " read.");
    spec.addPositional(Args.files("FILE", "2", "The actual values, and the expected values."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<List<Value>> values = new ArrayList<>();
    for (String file : Args.words(parsed)) {
      try {
        values.add(DataFiles.read(Path.of(file)));
      } catch (java.nio.file.NoSuchFileException e) {
        throw e;
      } catch (IOException e) {
        throw new UsageException(file + ": the file has no readable values: " + e.getMessage());
      }
    }
    List<String> differences = ResultComparison.differences(values.get(0), values.get(1));
    differences.forEach(console.out()::println);
    return differences.isEmpty() ? Status.OK : Status.REJECTED;
  }
}
