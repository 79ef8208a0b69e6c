package futharkc.cli;

import futharkc.core.driver.plan.Wording;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The table of subcommands and the overview text of {@code futharkc --help}. */
final class Commands {
  private record Entry(String summary, Supplier<Command> command) {}

  private static final Map<String, Entry> ALL = entries();

  /** The command {@code dataset}, which parses its own command line and is not in the table. */
  static final String DATASET = "dataset";

  private static final String DATASET_SUMMARY =
      "generate random values, or convert values between text and binary form";

  private Commands() {}

  private static Map<String, Entry> entries() {
    Map<String, Entry> all = new LinkedHashMap<>();
    all.put("check", new Entry("type check a program", CheckCommand::new));
    all.put("run", new Entry("interpret a program", RunCommand::new));
    all.put(
        "multicore",
        new Entry("compile for multicore CPUs", () -> new CompileCommand("multicore")));
    all.put("c", new Entry("compile for one thread", () -> new CompileCommand("c")));
    all.put("opencl", new Entry("compile for OpenCL devices", () -> new CompileCommand("opencl")));
    all.put("cuda", new Entry("compile for NVIDIA's devices", () -> new CompileCommand("cuda")));
    all.put("library", new Entry("compile to a library for Java", LibraryCommand::new));
    all.put("new", new Entry("make a project of a program or pass", NewCommand::new));
    all.put("repl", new Entry("evaluate expressions as they are typed", ReplCommand::new));
    all.put("eval", new Entry("evaluate expressions", EvalCommand::new));
    all.put("script", new Entry("evaluate FutharkScript on a program", ScriptCommand::new));
    all.put("literate", new Entry("make a page of a program", LiterateCommand::new));
    all.put("test", new Entry("run the test blocks of programs", TestCommand::new));
    all.put(
        "bench", new Entry("time programs on the inputs in their test blocks", BenchCommand::new));
    all.put("benchcmp", new Entry("compare two results of benchmarks", BenchcmpCommand::new));
    all.put("profile", new Entry("show the profiles of benchmarks", ProfileCommand::new));
    all.put("autotune", new Entry("tune parallelism thresholds for speed", AutotuneCommand::new));
    all.put("fmt", new Entry("format programs", FmtCommand::new));
    all.put("lsp", new Entry("serve an editor: the language server", LspCommand::new));
    all.put("doc", new Entry("write the documentation of a library", DocCommand::new));
    all.put("pkg", new Entry("manage packages", PkgCommand::new));
    all.put("defs", new Entry("list the definitions of a program", DefsCommand::new));
    all.put("query", new Entry("show the name and type at a position", QueryCommand::new));
    all.put("doctor", new Entry("check the installation of this machine", DoctorCommand::new));
    all.put("passes", new Entry("print the sequence of passes", PassesCommand::new));
    all.put(
        "explain",
        new Entry(
            "explain an error, or a program's memory, layouts or transfers", ExplainCommand::new));
    all.put("dev", new Entry("run some passes and print the representation", DevCommand::new));
    all.put(
        "check-syntax", new Entry("parse a program without type check", CheckSyntaxCommand::new));
    all.put("imports", new Entry("print the files of a program", ImportsCommand::new));
    all.put("hash", new Entry("print a hash of a program", HashCommand::new));
    all.put("tokens", new Entry("print the tokens of a file", TokensCommand::new));
    all.put("datacmp", new Entry("compare two data files", DatacmpCommand::new));
    all.put("dataget", new Entry("write the input of a test case", DatagetCommand::new));
    all.put("thanks", new Entry("express gratitude", ThanksCommand::new));
    return Collections.unmodifiableMap(all);
  }

  static @Nullable Supplier<Command> named(String name) {
    Entry entry = ALL.get(name);
    return entry == null ? null : entry.command();
  }

  /** Returns what makes each command, by its name, in the order of the overview. */
  static Map<String, Supplier<Command>> all() {
    Map<String, Supplier<Command>> all = new LinkedHashMap<>();
    ALL.forEach((name, entry) -> all.put(name, entry.command()));
    return all;
  }

  /** Returns the summary of each command, by its name, in the order of the overview. */
  static Map<String, String> summaries() {
    Map<String, String> all = new LinkedHashMap<>();
    ALL.forEach((name, entry) -> all.put(name, entry.summary()));
    all.put(DATASET, DATASET_SUMMARY);
    return all;
  }

  /** Returns the options and operands of a command, {@code --help} first. */
  static CommandSpec describe(Command command, String name) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .type(boolean.class)
            .description("Print this text and exit.")
            .build());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .type(boolean.class)
            .description("Print the version and exit.")
            .build());
    command.describe(spec);
    spec.usageMessage().sortOptions(false).width(100);
    return spec;
  }

  static String unknown(String name) {
    Set<String> known = new LinkedHashSet<>(ALL.keySet());
    known.add(DATASET);
    return Wording.unknown("command", name, known)
        + " Names of program files end in .fut, .fir or .imp.";
  }

  static String overview(String program) {
    StringBuilder text = new StringBuilder();
    text.append("Usage: ").append(program).append(" COMMAND [OPTION]... FILE...\n");
    text.append("       ")
        .append(program)
        .append(" [OPTION]... PROGRAM.fut [-o FILE] [-- INPUT...]\n\n");
    text.append(
        "Compiles Futhark programs. Without a command: compiles, or with -- runs the program.\n\n");
    text.append("Commands:\n");
    ALL.forEach((name, entry) -> text.append(line(name, entry.summary())));
    text.append(line(DATASET, DATASET_SUMMARY));
    text.append("\n")
        .append(program)
        .append(" COMMAND --help prints the options of a command; ")
        .append(program)
        .append(" . --help lists the options of the form without a command.\n");
    return text.toString();
  }

  private static String line(String name, String summary) {
    return "  " + name + " ".repeat(Math.max(1, 14 - name.length())) + summary + "\n";
  }
}
