package futharkc.core.runtime.executable;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.BuildVersion;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.WholeFile;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The main class of an executable. It reads the arguments of an entry point from standard input,
 * runs the entry point and prints the result, or serves commands. See {@code --help}. {@link
 * DeviceMain} does so for programs on devices; other executables do not contain it.
 */
public class ExecutableMain {
  /** The shortest first call, in nanoseconds, whose compilation by the JVM is worth a cache. */
  private static final long WORTH_TRAINING = 300_000_000;

  /** The longest first call, in nanoseconds, that is repeated for a cache. */
  private static final long TOO_LONG = 10_000_000_000L;

  private final FutharkProgram program;
  private final InputStream in;
  private final OutputStream out;
  private final PrintStream err;

  /** True if the process runs only this program, so that threads need not react to interrupts. */
  final boolean alone;

  private boolean debugging = true;

  /** The time of the first call of an entry point in nanoseconds; 0 without a call. */
  private long firstCall;

  ExecutableMain(
      FutharkProgram program, InputStream in, OutputStream out, PrintStream err, boolean alone) {
    this.program = program;
    this.alone = alone;
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs a generated program and ends the process; called by its main method. A program that was
   * compiled as a server passes {@code --server} before the arguments. After a call of medium
   * length, a second process repeats it for the {@link AotCache}.
   */
  public static void main(FutharkProgram program, String[] args) {
    if (AotCache.isBeingMade()) {
      OutputStream nowhere = OutputStream.nullOutputStream();
      PrintStream unheard = new PrintStream(nowhere);
      System.exit(
          new ExecutableMain(program, standardInput(), nowhere, unheard, true).status(args));
    }
    RepeatableInput in = RepeatableInput.standard();
    ExecutableMain main = new ExecutableMain(program, in, standardOutput(), System.err, true);
    int status = main.status(args);
    if (status == 0 && main.firstCall >= WORTH_TRAINING && main.firstCall <= TOO_LONG) {
      AotCache.train(2, args, in);
    }
    System.exit(status);
  }

  /**
   * Returns the name of the program in messages. The script of an executable passes the name by
   * which the user called it.
   */
  private String name() {
    return alone ? System.getProperty("futharkc.called", program.name()) : program.name();
  }

  static InputStream standardInput() {
    return new FileInputStream(FileDescriptor.in);
  }

  static OutputStream standardOutput() {
    return new FileOutputStream(FileDescriptor.out);
  }

  /** Runs the program and returns the exit status. */
  int status(String[] args) {
    Outcome outcome = execute(args);
    System.err.flush();
    return outcome == Outcome.DONE ? 0 : 1;
  }

  /**
   * Runs a program with the given command line and streams.
   *
   * @return the exit status: 0, or 1 after a failure, which was reported on {@code err}
   */
  public static int run(
      FutharkProgram program, String[] args, InputStream in, OutputStream out, PrintStream err) {
    return execute(program, args, in, out, err) == Outcome.DONE ? 0 : 1;
  }

  /** Runs a program as {@link #run} does, and returns the outcome. */
  public static Outcome execute(
      FutharkProgram program, String[] args, InputStream in, OutputStream out, PrintStream err) {
    return new ExecutableMain(program, in, out, err, false).execute(args);
  }

  /** The outcomes of a run. */
  public enum Outcome {
    /** The program has finished. */
    DONE,
    /** A run-time error of the program, or a lack of memory, was reported. */
    RUN_TIME_ERROR,
    /**
     * Another failure was reported: a wrong command line, unreadable input, an output that cannot
     * be written, or a bug.
     */
    FAILED
  }

  /** An exception that ends a run; the message is for the user. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
      super(message, null, false, false);
    }
  }

  /** An action on behalf of the program's user. */
  private interface Work {
    Outcome run() throws RunOptions.BadOption, Failure, IOException;
  }

  /**
   * The action that the command line describes. Named classes load faster than lambdas, which
   * matters since no other thread works at this time.
   */
  private record CommandLine(ExecutableMain main, String[] args) implements Work {
    @Override
    public Outcome run() throws RunOptions.BadOption, Failure, IOException {
      return main.execute(RunOptions.parse(main.program, main.isOnDevice(), args));
    }
  }

  final Outcome execute(String[] args) {
    return reported(new CommandLine(this, args));
  }

  private Outcome execute(RunOptions options) throws RunOptions.BadOption, Failure, IOException {
    debugging = options.debugging;
    if (alone && AotCache.isBeingMade()) {
      options.restrictToOneCall();
    }
    if (options.help) {
      print(RunOptions.help(program, name(), isOnDevice()));
      return Outcome.DONE;
    } else if (options.version) {
      print("futharkc " + BuildVersion.text() + ", target " + program.backend() + "\n");
      return Outcome.DONE;
    } else if (options.printParams) {
      StringBuilder text = new StringBuilder();
      for (FutharkProgram.TuningParameter param : program.tuningParameters()) {
        text.append(param.name()).append(" (").append(param.paramClass()).append(")\n");
      }
      print(text.toString());
      return Outcome.DONE;
    }
    return start(options);
  }

  /** Tests whether the program has kernels and their options. */
  boolean isOnDevice() {
    return false;
  }

  /** Runs the program; subclasses add preparations. */
  Outcome start(RunOptions options) throws RunOptions.BadOption, Failure, IOException {
    return run(options, null);
  }

  /** Runs an action and reports a failure. */
  private Outcome reported(Work work) {
    try {
      return work.run();
    } catch (RunOptions.BadOption e) {
      err.println(name() + ": " + e.getMessage());
      err.println("Option --help lists the options.");
    } catch (Failure e) {
      err.println(name() + ": " + e.getMessage());
    } catch (FutharkError e) {
      err.println("Error: " + e.report());
      return Outcome.RUN_TIME_ERROR;
    } catch (IOException e) {
      err.println(name() + ": " + WholeFile.reason(e));
    } catch (OutOfMemoryError e) {
      err.println("Error: " + FutharkError.of(e).report());
      return Outcome.RUN_TIME_ERROR;
    } catch (RuntimeException e) {
      err.println(
          "Internal error in " + name() + ": " + (e.getMessage() == null ? e : e.getMessage()));
      if (debugging) {
        e.printStackTrace(err);
      } else {
        err.println("Run again with -D for the position of the error.");
      }
    }
    return Outcome.FAILED;
  }

  static void write(Path file, byte[] contents) throws Failure {
    try {
      Files.write(file, contents);
    } catch (IOException e) {
      throw new Failure("cannot write to " + file + ": " + WholeFile.reason(e));
    }
  }

  final void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /**
   * Runs the program as the options specify.
   *
   * @param options the options
   * @param device supplies the device; null if the program needs none
   */
  final Outcome run(RunOptions options, @Nullable Supplier<? extends Accelerator> device)
      throws RunOptions.BadOption, Failure, IOException {
    Context.Builder context = context(options, program);
    if (device != null) {
      context.accelerator(device);
    }
    boolean calls = options.binaryDump == null && !options.server;
    EntryPoint entry = calls ? entryPoint(options) : null;
    Value[] args = entry == null ? new Value[0] : readArguments(entry);
    try (Context ctx = context.build()) {
      Work work =
          () -> {
            if (entry != null) {
              runEntryPoint(ctx, options, entry, args);
            } else if (options.binaryDump != null) {
              dump(ctx, options.binaryDump);
            } else if (options.server) {
              new Server(program, ctx, in, out, null).serve();
            }
            err.flush();
            return Outcome.DONE;
          };
      return alone ? ctx.inside(() -> reported(work)) : work.run();
    }
  }

  /** Writes the compiled form of the kernels to a file. */
  void dump(Context ctx, Path file) throws Failure {
    throw new Failure("there are no kernels");
  }

  /** Returns a builder of the context of an instance of the program, for the options. */
  final Context.Builder context(RunOptions options, FutharkProgram instance)
      throws RunOptions.BadOption {
    Context.Builder context = Context.of(instance, err);
    options.configure(context);
    return context;
  }

  private EntryPoint entryPoint(String name) throws Failure {
    StringBuilder names = new StringBuilder();
    for (EntryPoint entry : program.entryPoints()) {
      if (entry.name().equals(name)) {
        return entry;
      }
      names.append(names.isEmpty() ? "" : ", ").append(entry.name());
    }
    String others = names.isEmpty() ? "there are none" : "the entry points are: " + names;
    throw new Failure("no entry point '" + name + "'; " + others);
  }

  /**
   * Returns the entry point that the options select. Its result must be printable if it is to be
   * printed.
   */
  final EntryPoint entryPoint(RunOptions options) throws Failure {
    EntryPoint entry = entryPoint(options.entryPoint);
    if (options.printResult && !printable(entry.result())) {
      throw new Failure(
          "the result of entry point "
              + entry.name()
              + " cannot be printed: values of type "
              + entry.result().name()
              + " have no external representation");
    }
    return entry;
  }

  private void runEntryPoint(Context ctx, RunOptions options, EntryPoint entry, Value[] args)
      throws Failure, IOException {
    Ownership owner = new Ownership(ctx.values());
    for (int i = 0; i < args.length; i++) {
      if (!entry.parameters()[i].unique()) {
        args[i] = owner.adopt(args[i]);
      }
    }
    ctx.initialise();
    Value result;
    Timeline timeline = options.timeline == null ? null : new Timeline(options.timeline);
    try (PrintStream times = timesFile(options.runtimeFile)) {
      if (options.runs > 0) {
        owner.drop(call(ctx, owner, entry, args, false, null, null));
        ctx.resetPeaks();
        ctx.resetActivity();
        ctx.profile().clear();
      }
      for (int run = 1; run < options.runs; run++) {
        owner.drop(call(ctx, owner, entry, args, false, times, timeline));
      }
      result = call(ctx, owner, entry, args, true, times, timeline);
      if (times != null && times.checkError()) {
        throw new Failure("cannot write to " + options.runtimeFile);
      }
    }
    printResult(options, result);
    Report.print(ctx, err, options.profile || options.debugging);
    if (timeline != null) {
      try {
        timeline.write(ctx);
      } catch (IOException e) {
        throw new Failure("cannot write to " + options.timeline + ": " + WholeFile.reason(e));
      }
    }
  }

  /** Prints the result, unless the options say otherwise. */
  final void printResult(RunOptions options, Value result) throws IOException {
    if (options.printResult) {
      ValueWriter writer = new ValueWriter(out);
      write(writer, result, options.binaryOutput);
      writer.flush();
    }
  }

  /** Serves commands with calls on several devices. */
  final void serve(FutharkProgram instance, Context ctx, SplitCalls devices) throws IOException {
    new Server(instance, ctx, in, out, devices).serve();
  }

  /** Prints the report of a context. */
  final void report(Context ctx, RunOptions options) {
    Report.print(ctx, err, options.profile || options.debugging);
  }

  /** Prints a line to the stream for messages. */
  final void message(String line) {
    err.println(line);
  }

  static @Nullable PrintStream timesFile(@Nullable String file) throws Failure {
    if (file == null) {
      return null;
    }
    try {
      return new PrintStream(Files.newOutputStream(Path.of(file)));
    } catch (IOException e) {
      throw new Failure("cannot open " + file + ": " + WholeFile.reason(e));
    }
  }

  final Value[] readArguments(EntryPoint entry) throws Failure, IOException {
    ValueReader reader = new ValueReader(in);
    EntryPoint.Parameter[] params = entry.parameters();
    Value[] args = new Value[params.length];
    for (int i = 0; i < params.length; i++) {
      try {
        args[i] =
            switch (params[i].type()) {
              case ValueType.Prim p -> reader.read(p.elem(), 0);
              case ValueType.Array a -> reader.read(a.elem(), a.rank());
              case ValueType.Opaque o ->
                  throw new Failure(
                      "cannot read "
                          + describe(entry, i)
                          + ": values of this type have no external representation");
            };
      } catch (IOException e) {
        throw new Failure("cannot read " + describe(entry, i) + ": " + e.getMessage());
      }
    }
    if (!reader.atEnd()) {
      throw new Failure(
          "standard input contains more than the "
              + entry.argumentCount()
              + " of entry point "
              + entry.name());
    }
    return args;
  }

  private static String describe(EntryPoint entry, int i) {
    EntryPoint.Parameter param = entry.parameters()[i];
    return "argument "
        + (i + 1)
        + (param.name().isEmpty() ? "" : " (" + param.name() + ")")
        + " of entry point "
        + entry.name()
        + ", of type "
        + param.type().name();
  }

  /**
   * Runs an entry point once and holds the result. Arguments are dropped after the last run.
   * Consumed arguments are not held: each run copies them from the input.
   */
  private Value call(
      Context ctx,
      Ownership owner,
      EntryPoint entry,
      Value[] args,
      boolean last,
      @Nullable PrintStream times,
      @Nullable Timeline timeline) {
    Value[] actual = args.clone();
    for (int i = 0; i < args.length; i++) {
      if (entry.parameters()[i].unique()) {
        actual[i] = last ? owner.adopt(args[i]) : owner.copy(args[i]);
      }
    }
    ctx.settle();
    long start = System.nanoTime();
    Value result = ctx.run(entry, actual);
    long nanos = System.nanoTime() - start;
    firstCall = firstCall == 0 ? nanos : firstCall;
    if (times != null) {
      times.println(nanos / 1000);
    }
    if (timeline != null) {
      timeline.call(entry.name(), start, nanos);
    }
    owner.hold(result);
    for (int i = 0; i < args.length; i++) {
      if (last || entry.parameters()[i].unique()) {
        owner.drop(actual[i]);
      }
    }
    return result;
  }

  private static boolean printable(ValueType type) {
    if (!(type instanceof ValueType.Opaque o)) {
      return true;
    }
    if (!(o.structure() instanceof ValueType.Record r) || !r.isTuple()) {
      return false;
    }
    for (ValueType.Field field : r.fields()) {
      if (!printable(field.type())) {
        return false;
      }
    }
    return true;
  }

  private static void write(ValueWriter writer, Value value, boolean binary) throws IOException {
    switch (value) {
      case Scalar _, ArrayValue _ -> {
        if (binary) {
          writer.binary(value);
        } else {
          writer.text(value);
        }
        writer.newline();
      }
      case OpaqueValue o -> {
        for (Value component : Opaques.unpack(o)) {
          write(writer, component, binary);
        }
      }
    }
  }
}
