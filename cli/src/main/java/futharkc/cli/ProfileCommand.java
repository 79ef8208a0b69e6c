package futharkc.cli;

import futharkc.tools.reports.ProfileReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc profile}, which shows the profiles of benchmarks. */
final class ProfileCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Writes the profiles in files of bench --profile --json, or in a raw report of a"
                + " program, to a folder NAME.prof: a summary, a timeline, a log and an HTML page"
                + " for each data set. An old folder is replaced.");
    spec.addPositional(Args.files("FILE.json", "1..*", "The results of benchmarks."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    for (String file : Args.paths(parsed)) {
      ProfileReport.write(Path.of(file)).forEach(console.err()::println);
    }
    return Status.OK;
  }
}
