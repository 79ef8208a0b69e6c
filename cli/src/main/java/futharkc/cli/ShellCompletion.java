package futharkc.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Scripts by which shells complete command lines, made of the commands' own descriptions. */
final class ShellCompletion {
  /** Options whose values are names of targets. */
  private static final List<String> TARGET_OPTIONS = List.of("--target", "--backend");

  private static final List<String> TARGETS = List.of("multicore", "c", "opencl", "cuda");

  private ShellCompletion() {}

  /** Returns the specification of each command by name. */
  private static Map<String, CommandSpec> specs() {
    Map<String, CommandSpec> specs = new LinkedHashMap<>();
    Commands.all()
        .forEach((name, command) -> specs.put(name, Commands.describe(command.get(), name)));
    specs.put(Commands.DATASET, CommandSpec.create().name(Commands.DATASET));
    return specs;
  }

  /** Returns the script for bash. */
  static String bash() {
    CommandSpec root = Commands.describe(new CompileCommand(null), Main.NAME);
    specs().forEach((name, spec) -> root.addSubcommand(name, new CommandLine(spec)));
    return AutoComplete.bash(Main.NAME, new CommandLine(root));
  }

  /** Returns the script for zsh, a function {@code _futharkc} for a folder of {@code fpath}. */
  static String zsh() {
    StringBuilder out = new StringBuilder("#compdef ").append(Main.NAME).append("\n\n");
    out.append("local -a commands\ncommands=(\n");
    Commands.summaries()
        .forEach(
            (name, summary) -> out.append("  ").append(quoted(name + ":" + summary)).append('\n'));
    out.append(")\nif (( CURRENT == 2 )); then\n");
    out.append("  _describe -t commands command commands\n  _files\n  return\nfi\n");
    out.append("case $words[2] in\n");
    specs()
        .forEach(
            (name, spec) -> {
              out.append("  ").append(name).append(")\n    shift words\n    (( CURRENT-- ))\n");
              zshArguments(spec, out);
              out.append("    ;;\n");
            });
    out.append("  *)\n");
    zshArguments(Commands.describe(new CompileCommand(null), Main.NAME), out);
    return out.append("    ;;\nesac\n").toString();
  }

  private static void zshArguments(CommandSpec spec, StringBuilder out) {
    out.append("    _arguments -s \\\n");
    for (OptionSpec option : spec.options()) {
      String description = String.join(" ", option.description()).replaceAll("[\\[\\]]", "\\\\$0");
      for (String name : option.names()) {
        StringBuilder form = new StringBuilder("*").append(name);
        if (option.arity().max() > 0) {
          form.append(name.startsWith("--") ? "=" : "+");
        }
        form.append('[').append(description).append(']');
        if (option.arity().max() > 0) {
          form.append(option.arity().min() == 0 ? "::" : ":");
          form.append(option.paramLabel().replaceAll("[:\\[\\]]", " ")).append(':');
          form.append(isTarget(option) ? "(" + String.join(" ", TARGETS) + ")" : "_files");
        }
        out.append("      ").append(quoted(form.toString())).append(" \\\n");
      }
    }
    out.append("      '*:file:_files'\n");
  }

  /** Returns the script for fish. */
  static String fish() {
    StringBuilder out = new StringBuilder();
    Commands.summaries()
        .forEach(
            (name, summary) ->
                out.append("complete -c ")
                    .append(Main.NAME)
                    .append(" -n __fish_use_subcommand -a ")
                    .append(name)
                    .append(" -d ")
                    .append(fishQuoted(summary))
                    .append('\n'));
    fishOptions(
        "__fish_use_subcommand", Commands.describe(new CompileCommand(null), Main.NAME), out);
    specs().forEach((name, spec) -> fishOptions("__fish_seen_subcommand_from " + name, spec, out));
    return out.toString();
  }

  private static void fishOptions(String condition, CommandSpec spec, StringBuilder out) {
    for (OptionSpec option : spec.options()) {
      out.append("complete -c ").append(Main.NAME).append(" -n ").append(fishQuoted(condition));
      for (String name : option.names()) {
        boolean isLong = name.startsWith("--");
        out.append(isLong ? " -l " : " -s ").append(name.substring(isLong ? 2 : 1));
      }
      if (isTarget(option)) {
        out.append(" -x -a ").append(fishQuoted(String.join(" ", TARGETS)));
      } else if (option.arity().min() > 0) {
        out.append(" -r");
      }
      out.append(" -d ").append(fishQuoted(firstSentence(option))).append('\n');
    }
  }

  private static boolean isTarget(OptionSpec option) {
    return TARGET_OPTIONS.contains(option.longestName());
  }

  private static String firstSentence(OptionSpec option) {
    String text = String.join(" ", option.description());
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String fishQuoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** Returns all scripts by the names of files below the folder {@code share}. */
  static Map<String, String> files() {
    return Map.of(
        "bash-completion/completions/" + Main.NAME, bash(),
        "zsh/site-functions/_" + Main.NAME, zsh(),
        "fish/vendor_completions.d/" + Main.NAME + ".fish", fish());
  }
}
