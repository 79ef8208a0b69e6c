package futharkc.cli;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc thanks}. */
final class ThanksCommand implements Command {
  private static final List<String> ANSWERS =
      List.of(
          "The pleasure is all on our side.",
          "Any time. May your arrays be regular.",
          "No problem: it was embarrassingly parallel.",
          "You did the hard part; we only fused it.",
          "Thanks for the program. It was a good read.",
          "Glad to be of use. Keep the loops out of the maps.");

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage().description("Prints a friendly answer.");
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console) {
    console.out().println(ANSWERS.get(ThreadLocalRandom.current().nextInt(ANSWERS.size())));
    return Status.OK;
  }
}
