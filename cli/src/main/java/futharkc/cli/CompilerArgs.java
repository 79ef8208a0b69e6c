package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.Verification;
import futharkc.core.driver.pipeline.IrText;
import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.driver.plan.PassCatalogue;
import futharkc.core.driver.plan.PassNames;
import futharkc.core.driver.plan.Wording;
import futharkc.core.ir.spi.Remark;
import futharkc.core.runtime.Context;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command-line options of all commands that run passes. */
final class CompilerArgs {
  private CompilerArgs() {}

  /** Adds the options that select passes and plugins. */
  static void describePasses(CommandSpec spec) {
    spec.addOption(
        Args.value(
            "LIST",
            "The passes to run: 'default', 'none', a list 'a,b{option=value}', or '+a,-b' to add"
                + " and remove passes of the default.",
            "--passes"));
    spec.addOption(
        Args.value(
            "LIST",
            "The exact sequence of passes, in the form that 'futharkc passes' prints.",
            "--plan"));
    spec.addOption(
        Args.values(
            "FOLDER",
            "Also load passes and backends from the jars in this folder.",
            "--plugin-path"));
  }

  /** Adds the options that control a compilation and its reports. */
  static void describe(CommandSpec spec) {
    describePasses(spec);
    spec.addOption(
        Args.value(
            "PASS",
            "Print the program after each run of this pass, or of 'all' passes.",
            "--print-ir-after"));
    spec.addOption(
        Args.value(
            "PASS", "Stop after the last run of this pass and print the program.", "--stop-after"));
    spec.addOption(Args.flag("Print the time of each stage.", "--time-passes"));
    spec.addOption(
        Args.optional(
            "WHAT",
            "all",
            "Print the remarks of passes: a list of 'applied' (transformations), 'missed' (reasons"
                + " against a transformation) and names of passes, separated by commas; default:"
                + " all.",
            "--remarks"));
    spec.addOption(
        Args.flag(
            "After every pass, also check that no array overwrites another array that is read"
                + " later.",
            "--verify"));
    spec.addOption(Args.flag("Do not check the program after every pass.", "--no-verify"));
    spec.addOption(Args.value("N", "The number of threads of the compiler.", "--compiler-threads"));
    spec.addOption(
        Args.value(
            "N",
            "Allow passes only the first N changes, to find the change that breaks a program;"
                + " --remarks names the last change.",
            "--bisect-limit"));
    spec.addOption(Args.flag("Ignore the attribute #[unsafe].", "--safe"));
    spec.addOption(
        Args.flag(
            "Make the program report writes of different values to the same index.", CHECK_WRITES));
    spec.addOption(
        Args.values("NAME", "Make this function an additional entry point.", "--entry-point"));
    spec.addOption(Args.flag("Print no warnings.", "-w", "-W", "--no-warnings"));
    spec.addOption(Args.flag("Treat warnings as errors.", "--Werror"));
    spec.addOption(
        Args.flag(
            "Print diagnostics and remarks as JSON to standard output, or to standard error if the"
                + " command also prints or runs a program.",
            "--json"));
    spec.addOption(
        Args.value(
            "FOLDER",
            "The folder for a reproducer if a pass fails (default: the current folder).",
            "--crash-folder"));
  }

  static final String CHECK_WRITES_PASS = "check-writes";
  private static final String CHECK_WRITES = "--check-writes";

  /**
   * Returns a compiler with the plugins that the command line names. Prints the notes about unknown
   * names in the plugins' constraints.
   */
  static Compiler compiler(ParseResult parsed, Console console) {
    List<Path> folders =
        Args.all(parsed, "--plugin-path").stream()
            .flatMap(p -> Arrays.stream(p.split(File.pathSeparator)))
            .filter(p -> !p.isEmpty())
            .map(Path::of)
            .toList();
    Compiler compiler = Compiler.withPlugins(folders);
    new PassCatalogue(compiler.registry())
        .notes()
        .forEach(n -> console.err().println("Note: " + n));
    checkNames(parsed, "--print-ir-after", compiler, List.of("all"));
    checkNames(parsed, "--remarks", compiler, List.of("all", "applied", "missed"));
    return compiler;
  }

  /**
   * Checks that an option's words are names of passes or other known words.
   *
   * @param others the known words besides names of passes
   * @throws UsageException for an unknown word, which would never select anything
   */
  private static void checkNames(
      ParseResult parsed, String option, Compiler compiler, List<String> others) {
    String given =
        parsed.commandSpec().findOption(option) == null ? null : Args.get(parsed, option);
    if (given == null) {
      return;
    }
    PassNames names = new PassNames(compiler.registry().passInfos());
    Set<String> known = new TreeSet<>(compiler.registry().passes().keySet());
    known.addAll(others);
    for (String name : given.split(",", -1)) {
      String present = names.present(name);
      if (!present.equals(name)) {
        throw new UsageException(
            option + ": The pass " + name + " is now called " + present + ". Use the new name.");
      }
      if (!known.contains(name)) {
        throw new UsageException(option + ": " + Wording.unknown("pass", name, known));
      }
    }
  }

  private static Verification verification(ParseResult parsed) {
    if (Args.has(parsed, "--no-verify")) {
      return Verification.NONE;
    }
    return Args.has(parsed, "--verify") ? Verification.MEMORY : CompilerOptions.DEFAULT.verify();
  }

  /** Returns the compiler options that the command line gives. */
  static CompilerOptions options(ParseResult parsed, Console console) {
    CompilerOptions options = CompilerOptions.DEFAULT.withCrashFolder(Path.of(""));
    String folder = Args.get(parsed, "--crash-folder");
    if (folder != null) {
      options = options.withCrashFolder(Path.of(folder));
    }
    options = withPasses(options, parsed);
    options =
        options
            .withStopAfter(Args.get(parsed, "--stop-after"))
            .withVerify(verification(parsed))
            .withSafe(Args.has(parsed, "--safe"))
            .withThreads(
                Args.positive(
                    parsed, "--compiler-threads", options.threads(), Context.MOST_THREADS))
            .withChanges(Args.positive(parsed, "--bisect-limit", -1))
            .withEntryPoints(Args.all(parsed, "--entry-point"));
    String printed = Args.get(parsed, "--print-ir-after");
    if (printed != null) {
      options =
          options.withObserver(
              (index, step, program) -> {
                String name = step.pass().name();
                if (printed.equals("all") || printed.equals(name)) {
                  String comment = "after step " + (index + 1) + ", " + step.pass();
                  console
                      .out()
                      .println(new IrText(program, step.after().properties()).print(comment));
                }
              });
    }
    return options;
  }

  /** Returns the options with the passes of {@code --passes} or the plan of {@code --plan}. */
  static CompilerOptions withPasses(CompilerOptions options, ParseResult parsed) {
    String passes = Args.get(parsed, "--passes");
    String plan = Args.get(parsed, "--plan");
    if (passes != null && plan != null) {
      throw new UsageException(
          "--passes and --plan exclude each other: --passes selects a set, --plan an exact"
              + " sequence.");
    }
    options = passes == null ? options.withPlan(plan) : options.withPasses(passes);
    return checksWrites(parsed)
        ? options
            .withPlan(plan == null ? null : CHECK_WRITES_PASS + "," + plan)
            .withPasses(options.passes().plus(CHECK_WRITES_PASS))
        : options;
  }

  /** Tests whether the program must report conflicting writes ({@code --check-writes}). */
  static boolean checksWrites(ParseResult parsed) {
    return parsed.commandSpec().findOption(CHECK_WRITES) != null && Args.has(parsed, CHECK_WRITES);
  }

  /** Tests whether the command line has an option that prints programs to standard output. */
  static boolean printsPrograms(ParseResult parsed) {
    return Args.has(parsed, "--print-ir-after")
        || Args.has(parsed, "--stop-after")
        || parsed.commandSpec().findOption("--print-source") != null
            && Args.has(parsed, "--print-source");
  }

  /**
   * Reads the program that the command line names.
   *
   * @throws IOException if the file cannot be read
   */
  static Source source(ParseResult parsed, Console console) throws IOException {
    Path path = Args.path(parsed);
    if (Files.isDirectory(path)) {
      throw new UsageException(path + " is a folder, not a program.");
    }
    return Source.ofFile(path).withColours(console.colours());
  }

  /**
   * Prints the warnings and remarks that the command line asks for.
   *
   * @param json the stream for the report of {@code --json}
   * @return false if the compilation must stop because {@code --Werror} turns a warning into an
   *     error
   */
  static boolean report(
      Compiled compiled, Source source, ParseResult parsed, Console console, PrintStream json) {
    if (Args.has(parsed, "--json")) {
      json.println(Reports.json(compiled));
    } else {
      Reports.warnings(compiled.warnings(), source, Args.has(parsed, "-w"), console);
      String wanted = Args.get(parsed, "--remarks");
      if (wanted != null) {
        remarks(compiled.remarks(), wanted, console);
      }
    }
    return compiled.warnings().isEmpty() || !Args.has(parsed, "--Werror");
  }

  private static void remarks(List<PassRemark> remarks, String wanted, Console console) {
    Set<String> words = new TreeSet<>(Arrays.asList(wanted.split(",")));
    for (PassRemark remark : remarks) {
      Remark.Kind kind = remark.remark().kind();
      if (words.contains("all")
          || words.contains(remark.pass())
          || words.contains(kind.name().toLowerCase(Locale.ROOT))) {
        console.err().println(remark);
      }
    }
  }

  /** Prints the table of stage times if the command line has {@code --time-passes}. */
  static void times(@Nullable Compiled compiled, ParseResult parsed, Console console) {
    // JSON has the times too.
    if (compiled != null && Args.has(parsed, "--time-passes") && !Args.has(parsed, "--json")) {
      console.err().print(compiled.timings().table());
    }
  }
}
