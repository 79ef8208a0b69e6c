package futharkc.cli;

import futharkc.harness.testing.DatasetCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The reference of all commands and their options, in Markdown. */
public final class CommandReference {
  private CommandReference() {}

  /** Returns one section of level two for each command, in the order of {@code --help}. */
  public static String markdown() {
    StringBuilder text = new StringBuilder();
    section("Without a command", Main.NAME, new CompileCommand(null), text);
    Commands.all()
        .forEach(
            (name, command) ->
                section("`" + name + "`", Main.NAME + " " + name, command.get(), text));
    text.append("## `").append(Commands.DATASET).append("`\n\n");
    text.append("```text\n").append(DatasetCommand.HELP).append("```\n");
    return text.toString();
  }

  private static void section(String title, String name, Command command, StringBuilder text) {
    CommandSpec spec = Commands.describe(command, name);
    text.append("## ").append(title).append("\n\n");
    text.append(String.join(" ", spec.usageMessage().description())).append("\n\n");
    List<PositionalParamSpec> parameters = spec.positionalParameters();
    text.append("    ").append(name).append(" [OPTION]...");
    for (PositionalParamSpec parameter : parameters) {
      text.append(' ').append(synopsis(parameter));
    }
    text.append(command.takesInputs() ? " [-- INPUT...]\n" : "\n");
    text.append("\n| option or operand | meaning |\n|---|---|\n");
    for (PositionalParamSpec parameter : parameters) {
      row(List.of(parameter.paramLabel()), parameter.description(), text);
    }
    for (OptionSpec option : spec.options()) {
      row(forms(option), option.description(), text);
    }
    text.append('\n');
  }

  /** Returns an operand as command lines have it. */
  static String synopsis(PositionalParamSpec parameter) {
    String label = parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
    return parameter.arity().min() == 0 ? "[" + label + "]" : label;
  }

  /** Returns each name of an option with its value: {@code -o FILE}, {@code --output=FILE}. */
  static List<String> forms(OptionSpec option) {
    List<String> forms = new ArrayList<>();
    for (String name : option.names()) {
      String value = (name.startsWith("--") ? "=" : " ") + option.paramLabel();
      if (option.arity().max() == 0) {
        forms.add(name);
      } else {
        forms.add(option.arity().min() == 0 ? name + "[" + value + "]" : name + value);
      }
    }
    return forms;
  }

  private static void row(List<String> forms, String[] description, StringBuilder text) {
    text.append("| ")
        .append(forms.stream().map(f -> "`" + f + "`").collect(Collectors.joining(", ")))
        .append(" | ")
        .append(Arrays.stream(description).collect(Collectors.joining(" ")).replace("|", "\\|"))
        .append(" |\n");
  }
}
