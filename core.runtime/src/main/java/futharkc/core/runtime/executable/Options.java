package futharkc.core.runtime.executable;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line of a compiled program, parsed as {@code getopt_long} does. */
final class Options {
  /** A command line that cannot be understood; the message says why. */
  static final class BadOption extends Exception {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
      super(message, null, false, false);
    }
  }

  private enum Kind {
    HELP('h', "help", null, "Print this text and exit."),
    ENTRY_POINT('e', "entry-point", "NAME", "The entry point to run: main by default."),
    BINARY_OUTPUT('b', "binary-output", null, "Print the result in binary form."),
    NO_PRINT('n', "no-print-result", null, "Do not print the result."),
    RUNTIME_FILE(
        't', "write-runtime-to", "FILE", "Write the time of each run, in microseconds, to FILE."),
    RUNS('r', "runs", "INT", "Run that many times, after one run to warm up."),
    DEBUGGING('D', "debugging", null, "Check more, and report memory and times."),
    LOG('L', "log", null, "Log what happens, and report peak memory."),
    PROFILE('P', "profile", null, "Report the time of each region of the program."),
    PRINT_PARAMS('\0', "print-params", null, "Print the tuning parameters and exit."),
    PARAM('\0', "param", "NAME=INT", "Set a tuning parameter."),
    TUNING('\0', "tuning", "FILE", "Set tuning parameters from lines NAME=INT of a file."),
    THREADS('\0', "num-threads", "INT", "The number of threads: that of processors by default."),
    CACHE_FILE('\0', "cache-file", "FILE", "Where to keep what speeds up the next start."),
    SERVER('\0', "server", null, "Serve commands on standard input.");

    final char letter;
    final String name;
    final @Nullable String argument;
    final String help;

    Kind(char letter, String name, @Nullable String argument, String help) {
      this.letter = letter;
      this.name = name;
      this.argument = argument;
      this.help = help;
    }
  }

  boolean help;
  boolean printParams;
  boolean server;
  String entryPoint = "main";
  boolean binaryOutput;
  boolean printResult = true;
  @Nullable String runtimeFile;

  /** Number of measured runs after a warm-up; 0 for a single run without. */
  int runs;

  boolean debugging;
  boolean log;
  boolean profile;
  int threads;
  final List<String> params = new ArrayList<>();
  final List<String> tuningFiles = new ArrayList<>();

  private @Nullable Kind onlyWithoutServer;

  private Options() {}

  /** The options that a command line gives. */
  static Options parse(String[] args) throws BadOption {
    Options options = new Options();
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (arg.startsWith("--")) {
        int equals = arg.indexOf('=');
        Kind kind = named(equals < 0 ? arg.substring(2) : arg.substring(2, equals));
        String value = null;
        if (kind.argument == null) {
          if (equals >= 0) {
            throw new BadOption("option --" + kind.name + " takes no argument");
          }
        } else if (equals >= 0) {
          value = arg.substring(equals + 1);
        } else {
          value = argument(kind, args, ++i);
        }
        options.set(kind, value == null ? "" : value);
      } else if (arg.startsWith("-") && arg.length() > 1) {
        for (int j = 1; j < arg.length(); j++) {
          Kind kind = lettered(arg.charAt(j));
          if (kind.argument == null) {
            options.set(kind, "");
          } else if (j + 1 < arg.length()) {
            options.set(kind, arg.substring(j + 1));
            break;
          } else {
            options.set(kind, argument(kind, args, ++i));
          }
        }
      } else {
        throw new BadOption(
            "unexpected argument '" + arg + "': values are read from standard input");
      }
    }
    if (options.server && options.onlyWithoutServer != null) {
      throw new BadOption(
          "option --" + options.onlyWithoutServer.name + " makes no sense with --server");
    }
    return options;
  }

  private static String argument(Kind kind, String[] args, int i) throws BadOption {
    if (i >= args.length) {
      throw new BadOption("option --" + kind.name + " needs an argument: " + kind.argument);
    }
    return args[i];
  }

  private static Kind lettered(char letter) throws BadOption {
    for (Kind kind : Kind.values()) {
      if (kind.letter == letter && letter != '\0') {
        return kind;
      }
    }
    throw new BadOption("unknown option -" + letter);
  }

  /** The option of that name, or the only one whose name starts so. */
  private static Kind named(String name) throws BadOption {
    Kind found = null;
    boolean ambiguous = false;
    for (Kind kind : Kind.values()) {
      if (kind.name.equals(name)) {
        return kind;
      }
      if (kind.name.startsWith(name)) {
        ambiguous |= found != null;
        found = kind;
      }
    }
    if (found == null || ambiguous || name.isEmpty()) {
      throw new BadOption((ambiguous ? "ambiguous option --" : "unknown option --") + name);
    }
    return found;
  }

  private void set(Kind kind, String value) throws BadOption {
    switch (kind) {
      case HELP -> help = true;
      case ENTRY_POINT -> entryPoint = value;
      case BINARY_OUTPUT -> binaryOutput = true;
      case NO_PRINT -> printResult = false;
      case RUNTIME_FILE -> runtimeFile = value;
      case RUNS -> runs = positive(kind, value);
      case DEBUGGING -> debugging = true;
      case LOG -> log = true;
      case PROFILE -> profile = true;
      case PRINT_PARAMS -> printParams = true;
      case PARAM -> params.add(value);
      case TUNING -> tuningFiles.add(value);
      case THREADS -> threads = positive(kind, value);
      case CACHE_FILE -> {
        // Accepted for the sake of scripts: nothing here is worth a cache.
      }
      case SERVER -> server = true;
    }
    switch (kind) {
      case ENTRY_POINT, BINARY_OUTPUT, NO_PRINT, RUNTIME_FILE, RUNS -> onlyWithoutServer = kind;
      default -> {}
    }
  }

  private static int positive(Kind kind, String value) throws BadOption {
    try {
      int n = Integer.parseInt(value);
      if (n > 0) {
        return n;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new BadOption("option --" + kind.name + " needs a positive number, not '" + value + "'");
  }

  /** The text for {@code --help}. */
  static String help(String program) {
    StringBuilder text = new StringBuilder();
    text.append("Usage: ").append(program).append(" [OPTION]...\n");
    text.append(
        "Reads the arguments of an entry point from standard input, and prints its result.\n");
    text.append("\nOptions:\n");
    for (Kind kind : Kind.values()) {
      StringBuilder line = new StringBuilder("  ");
      line.append(kind.letter == '\0' ? "    " : "-" + kind.letter + ", ");
      line.append("--").append(kind.name);
      if (kind.argument != null) {
        line.append(' ').append(kind.argument);
      }
      line.append(" ".repeat(Math.max(1, 34 - line.length())));
      text.append(line).append(kind.help).append('\n');
    }
    return text.toString();
  }
}
