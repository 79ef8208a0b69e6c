package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Scheduling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command line of a compiled program, parsed by the rules of {@code getopt_long}. */
final class RunOptions {
  /** An error in the command line; the message gives the reason. */
  static final class BadOption extends Exception {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
      super(message, null, false, false);
    }
  }

  enum Kind {
    HELP('h', "help", null, "Print this text and exit."),
    VERSION('V', "version", null, "Print the version of the compiler and exit."),
    ENTRY_POINT('e', "entry-point", "NAME", "The entry point to run: main by default."),
    BINARY_OUTPUT('b', "binary-output", null, "Print the result in binary form."),
    NO_PRINT('n', "no-print-result", null, "Do not print the result."),
    RUNTIME_FILE(
        't', "write-runtime-to", "FILE", "Write the time of each run, in microseconds, to FILE."),
    RUNS('r', "runs", "INT", "Run several times, after one warm-up run."),
    DEBUGGING('D', "debugging", null, "Run additional checks; report memory and times."),
    LOG('L', "log", null, "Log events; report the peak memory."),
    PROFILE('P', "profile", null, "Report the time of each region of the program."),
    TIMELINE(
        '\0', "timeline", "FILE", "Write a timeline to FILE, in the format of Chrome's profiler."),
    PRINT_PARAMS('\0', "print-params", null, "Print the tuning parameters and exit."),
    PARAM('\0', "param", "NAME=INT", "Set a tuning parameter."),
    TUNING('\0', "tuning", "FILE", "Set tuning parameters from lines NAME=INT of a file."),
    THREADS(
        '\0',
        "num-threads",
        "INT",
        "The number of threads; the default is the number of processors."),
    SCHEDULER(
        '\0',
        "scheduler",
        "NAME",
        "The scheduler of parallel regions: team (the default) or streams."),
    CACHE_FILE('\0', "cache-file", "FILE", "The file with data for faster starts."),
    SERVER('\0', "server", null, "Serve commands on standard input."),

    DEVICE("", 'd', "device", "NAME", "The device: part of its name, '#k' for the k-th, or both."),
    DEVICES(
        "",
        '\0',
        "devices",
        "all|LIST",
        "The devices for entry points that declare a split: all, or '#0,#1'."),
    LIST_DEVICES("", '\0', "list-devices", null, "List the available devices and exit."),
    BLOCK_SIZE("", '\0', "default-thread-block-size", "INT", "Threads of a thread block."),
    GROUP_SIZE("", '\0', "default-group-size", "INT", "Same as --default-thread-block-size."),
    GRID_SIZE("", '\0', "default-grid-size", "INT", "Thread blocks of a grid."),
    NUM_BLOCKS("", '\0', "default-num-thread-blocks", "INT", "Same as --default-grid-size."),
    NUM_GROUPS("", '\0', "default-num-groups", "INT", "Same as --default-grid-size."),
    TILE_SIZE("", '\0', "default-tile-size", "INT", "Size of tiles."),
    REG_TILE_SIZE("", '\0', "default-reg-tile-size", "INT", "Size of tiles in registers."),
    REGISTERS("", '\0', "default-registers", "INT", "Registers of a thread block."),
    CACHE("", '\0', "default-cache", "INT", "Bytes of the device's cache."),
    THRESHOLD(
        "", '\0', "default-threshold", "INT", "The amount of parallelism that is sufficient."),
    UNIFIED_MEMORY(
        "cuda",
        '\0',
        "unified-memory",
        "0|1|2",
        "1: the device shares memory with the host; 0, 2: it does not."),
    NVRTC_OPTION("cuda", '\0', "nvrtc-option", "OPT", "An option for the compiler of kernels."),
    DUMP_CUDA("cuda", '\0', "dump-cuda", "FILE", "Write the kernels' source to FILE and exit."),
    LOAD_CUDA("cuda", '\0', "load-cuda", "FILE", "Take the kernels' source from FILE."),
    DUMP_PTX("cuda", '\0', "dump-ptx", "FILE", "Write the kernels' PTX to FILE and exit."),
    LOAD_PTX("cuda", '\0', "load-ptx", "FILE", "Take the kernels' PTX from FILE."),
    PLATFORM("opencl", 'p', "platform", "NAME", "The platform: part of its name."),
    BUILD_OPTION("opencl", '\0', "build-option", "OPT", "An option for the compiler of kernels."),
    DUMP_OPENCL(
        "opencl", '\0', "dump-opencl", "FILE", "Write the kernels' source to FILE and exit."),
    LOAD_OPENCL("opencl", '\0', "load-opencl", "FILE", "Take the kernels' source from FILE."),
    DUMP_BINARY(
        "opencl",
        '\0',
        "dump-opencl-binary",
        "FILE",
        "Write the kernels' binary to FILE and exit."),
    LOAD_BINARY(
        "opencl", '\0', "load-opencl-binary", "FILE", "Take the kernels' binary from FILE.");

    /**
     * The backend that has the option: null for all backends, empty for all backends with kernels.
     */
    final @Nullable String backend;

    final char letter;
    final String name;
    final @Nullable String argument;
    final String help;

    Kind(char letter, String name, @Nullable String argument, String help) {
      this(null, letter, name, argument, help);
    }

    Kind(
        @Nullable String backend,
        char letter,
        String name,
        @Nullable String argument,
        String help) {
      this.backend = backend;
      this.letter = letter;
      this.name = name;
      this.argument = argument;
      this.help = help;
    }

    /** Tests whether programs of a kind have the option. */
    boolean isFor(FutharkProgram program, boolean onDevice) {
      return backend == null
          || onDevice && (backend.isEmpty() || backend.equals(program.backend()));
    }
  }

  /** An option for the device. */
  record DeviceSetting(Kind kind, String value) {}

  private final FutharkProgram program;
  private final boolean onDevice;

  boolean help;
  boolean version;
  boolean printParams;
  boolean server;
  String entryPoint = "main";
  boolean binaryOutput;
  boolean printResult = true;
  @Nullable String runtimeFile;

  /** The number of measured runs after a warm-up; 0 for a single run without warm-up. */
  int runs;

  boolean debugging;
  boolean log;
  boolean profile;

  /** The file for the timeline; null for none. */
  @Nullable Path timeline;

  int threads;
  boolean listDevices;

  /** The devices that share a call: null for one device, empty for all devices. */
  @Nullable List<String> devices;

  /** The options for the device, in order; ignored by programs without kernels. */
  final List<DeviceSetting> device = new ArrayList<>();

  /** The file for the kernels' source; null for none. */
  @Nullable Path sourceDump;

  @Nullable Path binaryDump;

  /** The values for all tuning parameters of a class. */
  final Map<String, Long> tuningClasses = new LinkedHashMap<>();

  Scheduling scheduling = Scheduling.DEFAULT;
  final List<String> params = new ArrayList<>();
  final List<String> tuningFiles = new ArrayList<>();

  private @Nullable Kind onlyWithoutServer;

  /** Restricts the run to a single call that writes no files, for a training run. */
  void restrictToOneCall() {
    runs = 0;
    runtimeFile = null;
    timeline = null;
  }

  private RunOptions(FutharkProgram program, boolean onDevice) {
    this.program = program;
    this.onDevice = onDevice;
  }

  /** Parses the options of a program with or without kernels. */
  static RunOptions parse(FutharkProgram program, boolean onDevice, String[] args)
      throws BadOption {
    RunOptions options = new RunOptions(program, onDevice);
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (arg.startsWith("--")) {
        int equals = arg.indexOf('=');
        Kind kind = options.named(equals < 0 ? arg.substring(2) : arg.substring(2, equals));
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
          Kind kind = options.lettered(arg.charAt(j));
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
          "option --" + options.onlyWithoutServer.name + " cannot be combined with --server");
    }
    options.checkKernels();
    options.checkDevices();
    return options;
  }

  /** Checks that at most one option defines the origin of the kernels. */
  private void checkKernels() throws BadOption {
    Kind binary = given(Kind.LOAD_PTX, Kind.LOAD_BINARY);
    if (binary == null) {
      return;
    }
    Kind useless = given(Kind.LOAD_CUDA, Kind.LOAD_OPENCL, Kind.NVRTC_OPTION, Kind.BUILD_OPTION);
    if (useless != null) {
      throw new BadOption(
          "option --%s has no effect with --%s, which compiles nothing"
              .formatted(useless.name, binary.name));
    }
  }

  /** Checks that no option for a single device is given with several devices. */
  private void checkDevices() throws BadOption {
    if (devices == null) {
      return;
    }
    if (given(Kind.DEVICE) != null || timeline != null) {
      throw new BadOption(
          "option --" + (timeline != null ? "timeline" : "device") + " is for one device only");
    }
  }

  private static List<String> devices(String value) throws BadOption {
    if (value.equals("all")) {
      return List.of();
    }
    List<String> names = List.of(value.split(",", -1));
    if (names.stream().anyMatch(String::isBlank)) {
      throw new BadOption(
          "option --devices needs all or names separated by commas, not '" + value + "'");
    }
    return names;
  }

  /** Returns the first device option of the given kinds; null if there is none. */
  private @Nullable Kind given(Kind... kinds) {
    for (DeviceSetting setting : device) {
      for (Kind kind : kinds) {
        if (setting.kind == kind) {
          return kind;
        }
      }
    }
    return null;
  }

  private static String argument(Kind kind, String[] args, int i) throws BadOption {
    if (i >= args.length) {
      throw new BadOption("option --" + kind.name + " needs an argument: " + kind.argument);
    }
    return args[i];
  }

  private Kind lettered(char letter) throws BadOption {
    for (Kind kind : Kind.values()) {
      if (kind.letter == letter && letter != '\0' && kind.isFor(program, onDevice)) {
        return kind;
      }
    }
    throw new BadOption("unknown option -" + letter);
  }

  /** Returns the option with a name, or the only option with a name that starts so. */
  private Kind named(String name) throws BadOption {
    Kind found = null;
    boolean ambiguous = false;
    for (Kind kind : Kind.values()) {
      if (!kind.isFor(program, onDevice)) {
        continue;
      }
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
      case VERSION -> version = true;
      case ENTRY_POINT -> entryPoint = value;
      case BINARY_OUTPUT -> binaryOutput = true;
      case NO_PRINT -> printResult = false;
      case RUNTIME_FILE -> runtimeFile = value;
      case RUNS -> runs = positive(kind, value);
      case DEBUGGING -> debugging = true;
      case LOG -> log = true;
      case PROFILE -> profile = true;
      case TIMELINE -> timeline = Path.of(value);
      case PRINT_PARAMS -> printParams = true;
      case PARAM -> params.add(value);
      case TUNING -> tuningFiles.add(value);
      case THREADS -> threads = positive(kind, value, Context.MOST_THREADS);
      case SCHEDULER -> scheduling = scheduling(value);
      case SERVER -> server = true;
      case DEVICES -> devices = devices(value);
      case LIST_DEVICES -> listDevices = true;
      case BLOCK_SIZE, GROUP_SIZE -> tuningClass("thread_block_size", kind, value);
      case GRID_SIZE, NUM_BLOCKS, NUM_GROUPS -> tuningClass("grid_size", kind, value);
      case TILE_SIZE -> tuningClass("tile_size", kind, value);
      case REG_TILE_SIZE -> tuningClass("reg_tile_size", kind, value);
      case REGISTERS -> tuningClass("registers", kind, value);
      case CACHE -> tuningClass("cache", kind, value);
      case THRESHOLD -> tuningClass("threshold", kind, value);
      case DUMP_CUDA, DUMP_OPENCL -> sourceDump = Path.of(value);
      case DUMP_PTX, DUMP_BINARY -> binaryDump = Path.of(value);
      case UNIFIED_MEMORY -> {
        if (!List.of("0", "1", "2").contains(value)) {
          throw new BadOption("option --unified-memory needs 0, 1 or 2, not '" + value + "'");
        }
        device.add(new DeviceSetting(kind, value));
      }
      case CACHE_FILE,
          DEVICE,
          PLATFORM,
          NVRTC_OPTION,
          BUILD_OPTION,
          LOAD_CUDA,
          LOAD_OPENCL,
          LOAD_PTX,
          LOAD_BINARY ->
          device.add(new DeviceSetting(kind, value));
    }
    switch (kind) {
      case ENTRY_POINT, BINARY_OUTPUT, NO_PRINT, RUNTIME_FILE, RUNS, TIMELINE ->
          onlyWithoutServer = kind;
      default -> {}
    }
  }

  private void tuningClass(String name, Kind kind, String value) throws BadOption {
    tuningClasses.put(name, value.equals("0") ? 0L : positive(kind, value));
  }

  private static Scheduling scheduling(String value) throws BadOption {
    return switch (value) {
      case "streams" -> Scheduling.STREAMS;
      case "team" -> Scheduling.TEAM;
      default ->
          throw new BadOption("option --scheduler needs streams or team, not '" + value + "'");
    };
  }

  private static int positive(Kind kind, String value) throws BadOption {
    return positive(kind, value, Integer.MAX_VALUE);
  }

  private static int positive(Kind kind, String value, int most) throws BadOption {
    try {
      int n = Integer.parseInt(value);
      if (n > 0 && n <= most) {
        return n;
      }
    } catch (NumberFormatException e) {
      // The error is reported below.
    }
    String range = most == Integer.MAX_VALUE ? "a positive number" : "a number from 1 to " + most;
    throw new BadOption("option --" + kind.name + " needs " + range + ", not '" + value + "'");
  }

  /** Applies all options to a context except those for the device. */
  void configure(Context.Builder context) throws BadOption {
    if (debugging) {
      context.debugging(true);
    }
    if (log) {
      context.logging(true);
    }
    if (profile || timeline != null) {
      context.profiling(true);
    }
    context.scheduling(scheduling);
    if (threads > 0) {
      context.threads(threads);
    }
    for (String file : tuningFiles) {
      Tuning.load(context, file);
    }
    for (String param : params) {
      Tuning.setParam(context, param);
    }
    tuningClasses.forEach(context::tuningClass);
  }

  /** Returns an option that does not belong to a context; null if there is none. */
  @Nullable String withoutContext() {
    if (onlyWithoutServer != null) {
      return "--" + onlyWithoutServer.name;
    }
    Map<String, Boolean> others = new LinkedHashMap<>();
    others.put("--help", help);
    others.put("--version", version);
    others.put("--print-params", printParams);
    others.put("--server", server);
    others.put("--list-devices", listDevices);
    others.put("--devices", devices != null);
    others.put("--dump", sourceDump != null || binaryDump != null);
    for (Map.Entry<String, Boolean> other : others.entrySet()) {
      if (other.getValue()) {
        return other.getKey();
      }
    }
    return null;
  }

  /**
   * Returns the text for {@code --help}.
   *
   * @param name the name of the program
   */
  static String help(FutharkProgram program, String name, boolean onDevice) {
    StringBuilder text = new StringBuilder();
    text.append("Usage: ").append(name).append(" [OPTION]...\n");
    text.append(
        "Reads the arguments of an entry point from standard input, and prints its result.\n");
    text.append("\nOptions:\n");
    for (Kind kind : Kind.values()) {
      if (!kind.isFor(program, onDevice)) {
        continue;
      }
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
