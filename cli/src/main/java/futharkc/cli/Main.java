package futharkc.cli;

import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.failure.PlanException;
import futharkc.core.driver.failure.PluginException;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.BuildVersion;
import futharkc.core.runtime.FutharkError;
import futharkc.harness.WorkerMain;
import futharkc.harness.testing.DatasetCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The entry class of the program {@code futharkc}. */
public final class Main {
  /** The argument that starts this program as a worker of {@code test} or {@code bench}. */
  static final String WORKER = "--worker";

  /** The name of the program in messages. */
  static final String NAME = "futharkc";

  private Main() {}

  /** Runs a command line and ends the process with its exit code. */
  public static void main(String[] args) {
    Console console = Console.ofProcess();
    int status = run(args, console);
    console.flush();
    String failure = console.outputFailure();
    if (failure != null) {
      // The reader of a broken pipe closed it on purpose: no message.
      if (!failure.contains("Broken pipe")) {
        console.err().println(NAME + ": " + failure);
        console.flush();
      }
      status = status == Status.OK ? Status.FAILED : status;
    }
    System.exit(status);
  }

  /**
   * Runs a command line. Error messages go to {@code console.err}.
   *
   * @return the exit code, see {@link Status}
   */
  static int run(String[] args, Console console) {
    if (args.length == 0 || args[0].equals("--help") || args[0].equals("-h")) {
      console.out().print(Commands.overview(NAME));
      return args.length == 0 ? Status.FAILED : Status.OK;
    }
    if (args[0].equals("--version") || args[0].equals("-V")) {
      return version(console);
    }
    if (args[0].equals(WORKER)) {
      return serve(console);
    }
    if (args[0].equals(Commands.DATASET)) {
      console.flush();
      List<String> options = List.of(args).subList(1, args.length);
      try {
        return DatasetCommand.run(options, console.in(), console.out(), console.err());
      } catch (OutOfMemoryError e) {
        return outOfMemory(console, e);
      }
    }
    Supplier<Command> named = Commands.named(args[0]);
    List<String> rest = new ArrayList<>(Arrays.asList(args));
    String name = NAME;
    Command command;
    if (named == null) {
      if (!args[0].startsWith("-") && !args[0].contains(".") && !args[0].contains("/")) {
        console.err().println(NAME + ": " + Commands.unknown(args[0]));
        return Status.FAILED;
      }
      command = new CompileCommand(null);
    } else {
      command = named.get();
      name = NAME + " " + args[0];
      rest.removeFirst();
    }
    return run(command, name, rest, console);
  }

  private static int version(Console console) {
    console.out().println(NAME + " " + BuildVersion.text());
    return Status.OK;
  }

  /** Serves the jobs of {@code test} and {@code bench} as a worker process. */
  private static int serve(Console console) {
    try {
      WorkerMain.serve(console.in(), new FileOutputStream(FileDescriptor.out));
      return Status.OK;
    } catch (IOException e) {
      // The parent process has ended.
      return Status.FAILED;
    }
  }

  private static int run(Command command, String name, List<String> args, Console console) {
    List<String> inputs = null;
    List<String> own = args;
    int separator = command.takesInputs() ? args.indexOf("--") : -1;
    if (separator >= 0) {
      inputs = List.copyOf(args.subList(separator + 1, args.size()));
      own = args.subList(0, separator);
    }
    CommandLine line = new CommandLine(Commands.describe(command, name));
    // Without this setting, picocli takes the value of --passes=-hoist for the options -h, -o, ...
    line.setAllowOptionsAsOptionParameters(true);
    ParseResult parsed;
    try {
      parsed = line.parseArgs(own.toArray(new String[0]));
    } catch (CommandLine.ParameterException e) {
      return complain(console, name, e.getMessage() + "\nSee " + name + " --help.");
    }
    if (parsed.isUsageHelpRequested()) {
      console.out().print(line.getUsageMessage(CommandLine.Help.Ansi.OFF));
      return Status.OK;
    }
    if (parsed.isVersionHelpRequested()) {
      return version(console);
    }
    return new Invocation(command, parsed, inputs, name, console).run();
  }

  /** A command with a valid command line. */
  private record Invocation(
      Command command,
      ParseResult parsed,
      @Nullable List<String> inputs,
      String name,
      Console console) {
    int run() {
      try {
        return command.run(parsed, inputs, console);
      } catch (UsageException e) {
        return fail(name, e.getMessage());
      } catch (ProgramRejectedException e) {
        if (command.printsJson(parsed)) {
          command.jsonStream(parsed, inputs, console).println(command.json(e.diagnostics()));
          return Status.REJECTED;
        }
        console.out().flush();
        console.err().println(e.getMessage());
        return Status.REJECTED;
      } catch (PlanException | PluginException e) {
        return fail(NAME, e.getMessage());
      } catch (CompilerBugException e) {
        return fail(NAME, "internal error: " + e.getMessage());
      } catch (FutharkError e) {
        console.out().flush();
        console.err().println("Error: " + e.report());
        return Status.FAILED;
      } catch (IOException e) {
        return fail(NAME, describe(e));
      } catch (UncheckedIOException e) {
        return fail(NAME, describe(Objects.requireNonNull(e.getCause())));
      } catch (InvalidPathException e) {
        return fail(NAME, describe(e));
      } catch (OutOfMemoryError e) {
        return outOfMemory(console, e);
      } catch (RuntimeException | StackOverflowError e) {
        console.out().flush();
        console.err().println(NAME + ": internal error, please report it with this stack trace:");
        e.printStackTrace(console.err());
        return Status.FAILED;
      }
    }

    private int fail(String who, @Nullable String message) {
      if (command.printsJson(parsed)) {
        Diagnostic failure = Diagnostic.error("E0900", Loc.NONE, String.valueOf(message));
        command.jsonStream(parsed, inputs, console).println(command.json(List.of(failure)));
      }
      return complain(console, who, message);
    }
  }

  private static int outOfMemory(Console console, OutOfMemoryError e) {
    if (FutharkError.isForThreads(e)) {
      return complain(console, NAME, FutharkError.of(e).getMessage());
    }
    return complain(
        console,
        NAME,
        "out of memory: the heap is limited to "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MiB. Set FUTHARKC_JVM_OPTS=-Xmx8g for a larger heap.");
  }

  private static int complain(Console console, String name, @Nullable String message) {
    console.out().flush();
    console.err().println(name + ": " + message);
    return Status.FAILED;
  }

  private static String describe(InvalidPathException e) {
    String charset = System.getProperty("sun.jnu.encoding", "");
    boolean utf8 = charset.equalsIgnoreCase("UTF-8");
    return "'"
        + e.getInput()
        + "' is not a valid file name"
        + (utf8
            ? ": " + e.getReason()
            : " in the encoding " + charset + ". LC_ALL=C.UTF-8 allows all letters.");
  }

  private static String describe(IOException e) {
    return switch (e) {
      case NoSuchFileException n -> n.getMessage() + ": there is no such file.";
      case AccessDeniedException a -> a.getMessage() + ": permission denied.";
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }
}
