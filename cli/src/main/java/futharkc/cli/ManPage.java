package futharkc.cli;

import futharkc.core.runtime.BuildVersion;
import futharkc.harness.testing.DatasetCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A manual page of a command in the language of {@code man}, made of the command's own description.
 */
final class ManPage {
  private static final String STATUS =
      "0: success; 1: failure, or a wrong command line; 2: the program was rejected.";

  private final StringBuilder out = new StringBuilder();

  private ManPage(String name, String summary) {
    out.append(".TH ").append(text(name.toUpperCase(Locale.ROOT).replace(' ', '-')));
    out.append(" 1 \"\" \"").append(text(Main.NAME + " " + BuildVersion.text())).append("\"\n");
    section("NAME");
    out.append(text(name.replace(' ', '-'))).append(" \\- ").append(text(summary)).append('\n');
  }

  /** Returns all pages by file name. */
  static Map<String, String> all() {
    Map<String, String> summaries = Commands.summaries();
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put(Main.NAME + ".1", overview(summaries));
    Commands.all()
        .forEach(
            (name, command) ->
                pages.put(
                    Main.NAME + "-" + name + ".1",
                    of(name, summaries.getOrDefault(name, ""), command.get())));
    ManPage dataset =
        new ManPage(
            Main.NAME + " " + Commands.DATASET, summaries.getOrDefault(Commands.DATASET, ""));
    dataset.section("DESCRIPTION");
    dataset.literal(DatasetCommand.HELP);
    pages.put(Main.NAME + "-" + Commands.DATASET + ".1", dataset.out.toString());
    return pages;
  }

  private static String overview(Map<String, String> summaries) {
    Command command = new CompileCommand(null);
    CommandSpec spec = Commands.describe(command, Main.NAME);
    ManPage page = new ManPage(Main.NAME, "compiler for the data-parallel language Futhark");
    page.section("SYNOPSIS");
    page.out.append(".B ").append(Main.NAME).append("\n.I COMMAND\n[OPTION]... FILE...\n.br\n");
    page.synopsis(spec, command);
    page.section("DESCRIPTION");
    page.paragraph(
        "Compiles Futhark programs. Without a command: compiles, or with -- runs the program.");
    page.section("COMMANDS");
    summaries.forEach((name, summary) -> page.item(List.of(name), summary));
    page.options(spec, "OPTIONS WITHOUT A COMMAND");
    page.section("EXIT STATUS");
    page.paragraph(STATUS);
    page.section("SEE ALSO");
    page.paragraph(
        String.join(
            ", ", summaries.keySet().stream().map(n -> Main.NAME + "-" + n + "(1)").toList()));
    return page.out.toString();
  }

  private static String of(String name, String summary, Command command) {
    CommandSpec spec = Commands.describe(command, Main.NAME + " " + name);
    ManPage page = new ManPage(Main.NAME + " " + name, summary);
    page.section("SYNOPSIS");
    page.synopsis(spec, command);
    page.section("DESCRIPTION");
    page.paragraph(String.join(" ", spec.usageMessage().description()));
    page.options(spec, "OPTIONS");
    page.section("EXIT STATUS");
    page.paragraph(STATUS);
    page.section("SEE ALSO");
    page.paragraph(Main.NAME + "(1)");
    return page.out.toString();
  }

  private void section(String title) {
    out.append(".SH ").append(title).append('\n');
  }

  private void paragraph(String text) {
    out.append(text(text)).append('\n');
  }

  private void literal(String text) {
    out.append(".nf\n").append(text(text.stripTrailing())).append("\n.fi\n");
  }

  private void synopsis(CommandSpec spec, Command command) {
    out.append(".B ").append(text(spec.name())).append("\n[OPTION]...");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      out.append(' ').append(text(CommandReference.synopsis(parameter)));
    }
    out.append(command.takesInputs() ? " [\\-\\- INPUT...]\n" : "\n");
  }

  private void options(CommandSpec spec, String title) {
    section(title);
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      item(List.of(parameter.paramLabel()), String.join(" ", parameter.description()));
    }
    for (OptionSpec option : spec.options()) {
      item(CommandReference.forms(option), String.join(" ", option.description()));
    }
  }

  private void item(List<String> names, String meaning) {
    out.append(".TP\n.B ").append(text(String.join(", ", names))).append('\n');
    out.append(text(meaning)).append('\n');
  }

  /** Returns text with the special characters of the language escaped. */
  private static String text(String text) {
    StringBuilder out = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      String escaped = line.replace("\\", "\\e").replace("-", "\\-");
      boolean isRequest = escaped.startsWith(".") || escaped.startsWith("'");
      out.append(out.isEmpty() ? "" : "\n").append(isRequest ? "\\&" : "").append(escaped);
    }
    return out.toString();
  }
}
