package futharkc.harness;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.TuningFile;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.executable.ProgramOptions;
import futharkc.core.runtime.executable.Report;
import futharkc.harness.testing.DataFiles;
import futharkc.harness.testing.DataSets;
import futharkc.harness.testing.RandomValues;
import futharkc.harness.testing.ScriptEvaluator;
import futharkc.harness.testing.ScriptException;
import futharkc.harness.testing.ScriptExp;
import futharkc.harness.testing.ScriptParser;
import futharkc.harness.testing.TestSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A compiled program that runs test cases. */
final class RunningProgram implements AutoCloseable {
  private final FutharkProgram program;
  private final Context context;
  private final MessageLog messages;
  private final Ownership owner;
  private final Path folder;

  /**
   * Opens a program in a new context.
   *
   * @param settings the threads, the device and the options of the program
   * @param folder the folder that names of data files are relative to
   * @param tuning the values of tuning parameters; a CPU program ignores parameters that only its
   *     GPU version has
   * @param profiling whether a profile can be taken; it is paused at first
   * @throws CaseException if no device matches, the target has no devices, or an option of the
   *     program is wrong
   */
  RunningProgram(
      FutharkProgram program,
      TestSettings settings,
      Path folder,
      List<TuningFile.Setting> tuning,
      boolean profiling)
      throws CaseException {
    this.program = program;
    this.folder = folder;
    messages = new MessageLog();
    Context.Builder builder =
        Context.of(program, new PrintStream(messages, false, StandardCharsets.UTF_8));
    if (settings.threads() > 0) {
      builder.threads(settings.threads());
    }
    if (!settings.device().isEmpty()) {
      if (!(program instanceof DeviceProgram p)) {
        throw new CaseException("programs of this target do not run on devices");
      }
      DeviceOptions options = new DeviceOptions.Builder().device(settings.device()).build();
      builder.accelerator(() -> Device.open(p.api(), options));
    }
    for (TuningFile.Setting s : tuning) {
      if (!builder.tuning(s.name(), s.value()) && program instanceof DeviceProgram) {
        throw new CaseException(
            "Line "
                + s.line()
                + " of the tuning file: unknown tuning parameter: "
                + s.name()
                + ". Use --no-tuning to ignore the file.");
      }
    }
    builder.profiling(profiling);
    try {
      ProgramOptions.apply(program, settings.programOptions(), builder);
    } catch (IllegalArgumentException e) {
      throw new CaseException("--pass-option: " + e.getMessage());
    }
    context = builder.build();
    context.profile().pause(true);
    owner = new Ownership(context.values());
  }

  Context context() {
    return context;
  }

  /** The messages of a program, which are dropped unless they are kept for a while. */
  private static final class MessageLog extends ByteArrayOutputStream {
    private volatile boolean kept;

    @Override
    public synchronized void write(int b) {
      if (kept) {
        super.write(b);
      }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
      if (kept) {
        super.write(bytes, from, count);
      }
    }
  }

  /** Keeps the messages from now on, with those of the log. */
  void startLog() {
    messages.kept = true;
    context.resetActivity();
    context.setLogging(true);
  }

  /** Returns the messages since {@link #startLog}, and drops later ones. */
  String endLog() {
    PrintStream out = new PrintStream(messages, true, StandardCharsets.UTF_8);
    Report.print(context, out, true);
    context.setLogging(false);
    messages.kept = false;
    String log = messages.toString(StandardCharsets.UTF_8);
    messages.reset();
    return log;
  }

  /**
   * Tests whether the device was reopened after a failure. Some drivers do not recover fully from
   * that.
   */
  boolean hasLostDevice() {
    Accelerator device = context.accelerator();
    return device != null && device.resets() > 0;
  }

  /**
   * Returns the entry point of a name.
   *
   * @throws CaseException if the program has no such entry point
   */
  EntryPoint entry(String name) throws CaseException {
    for (EntryPoint entry : program.entryPoints()) {
      if (entry.name().equals(name)) {
        return entry;
      }
    }
    throw new CaseException("there is no entry point " + name);
  }

  /**
   * Returns the arguments of a case. The owner holds their memory.
   *
   * @throws CaseException if the arguments cannot be read or generated, or do not fit the entry
   *     point
   * @throws FutharkError if the program fails while a script runs it
   */
  Value[] arguments(EntryPoint entry, TestSpec.Input input) throws CaseException {
    Value[] args = repeatable(entry, input);
    for (int i = 0; i < args.length; i++) {
      if (!isScript(input) && entry.parameters()[i].unique()) {
        args[i] = owner.adopt(args[i]);
      }
    }
    return args;
  }

  /**
   * Returns the arguments of a case that runs many times. The owner holds their memory, except that
   * of consumed arguments from files, literals or generators. The harness keeps these on the host,
   * and {@link #forRun} copies them to the memory of the program.
   *
   * @throws CaseException for the reasons of {@link #arguments}
   * @throws FutharkError if the program fails while a script runs it
   */
  Value[] repeatable(EntryPoint entry, TestSpec.Input input) throws CaseException {
    List<ValueType> types = Stream.of(entry.parameters()).map(EntryPoint.Parameter::type).toList();
    try {
      Value[] args =
          switch (input) {
            case TestSpec.Literals l -> array(literals(entry, l, types));
            case TestSpec.DataFile f -> array(DataFiles.read(folder.resolve(f.path()), types));
            case TestSpec.RandomInput r ->
                array(new RandomValues().generate(r.values(), DataSets.SEED));
            case TestSpec.Script s -> script(entry, s.expression());
            case TestSpec.ScriptFile f ->
                script(entry, ScriptParser.parse(Files.readString(folder.resolve(f.path()))));
          };
      check(entry, args);
      boolean made = isScript(input);
      for (int i = 0; i < args.length; i++) {
        if (!made && !entry.parameters()[i].unique()) {
          args[i] = owner.adopt(args[i]);
        }
      }
      return args;
    } catch (IOException e) {
      throw new CaseException("cannot read the input: " + e.getMessage());
    } catch (ScriptException e) {
      throw new CaseException("cannot compute the input: " + e.getMessage());
    }
  }

  private static void check(EntryPoint entry, Value[] args) throws CaseException {
    EntryPoint.Parameter[] params = entry.parameters();
    boolean fits = args.length == params.length;
    boolean opaque = false;
    for (int i = 0; i < Math.min(params.length, args.length); i++) {
      if (!params[i].type().has(args[i])) {
        fits = false;
        opaque |= params[i].type() instanceof ValueType.Opaque;
      }
    }
    if (!fits) {
      throw wrongInput(entry, List.of(args), opaque ? "\nA script can create opaque values." : "");
    }
  }

  private static CaseException wrongInput(EntryPoint entry, List<Value> args, String hint) {
    return new CaseException(
        "wrong input for entry point "
            + entry.name()
            + "\nExpected input of types: "
            + Stream.of(entry.parameters())
                .map(param -> param.type().name())
                .collect(Collectors.joining(", "))
            + "\nProvided input of types: "
            + args.stream().map(Opaques::typeName).collect(Collectors.joining(", "))
            + hint);
  }

  /**
   * Returns the values of literals, with the types of an entry point's parameters.
   *
   * @throws CaseException if a literal has a suffix of another type
   */
  private static List<Value> literals(
      EntryPoint entry, TestSpec.Literals literals, List<ValueType> types) throws CaseException {
    try {
      return DataFiles.readAll(ValueReader.ofText(literals.text()), types);
    } catch (IOException e) {
      throw wrongInput(entry, literals.values(), "\n" + e.getMessage());
    }
  }

  private static Value[] array(List<Value> values) {
    return values.toArray(Value[]::new);
  }

  private static boolean isScript(TestSpec.Input input) {
    return switch (input) {
      case TestSpec.Script _, TestSpec.ScriptFile _ -> true;
      case TestSpec.Literals _, TestSpec.DataFile _, TestSpec.RandomInput _ -> false;
    };
  }

  private Value[] script(EntryPoint entry, ScriptExp exp) throws ScriptException {
    return new ScriptEvaluator(context, owner, folder).arguments(entry, exp);
  }

  /**
   * Runs an entry point.
   *
   * @return the result; the owner holds its memory
   * @throws CaseException if the arguments do not fit the entry point
   */
  Value call(EntryPoint entry, Value[] args) throws CaseException {
    try {
      Value result = context.run(entry, args);
      owner.hold(result);
      return result;
    } catch (IllegalArgumentException e) {
      throw new CaseException("wrong input: " + e.getMessage());
    }
  }

  /**
   * Runs an entry point on the arguments of a case and drops the arguments.
   *
   * @return the result; the owner holds its memory
   * @throws CaseException for the reasons of {@link #arguments} and {@link #call}
   */
  Value once(EntryPoint entry, TestSpec.Input input) throws CaseException {
    Value[] args = arguments(entry, input);
    Value[] consumed = args.clone();
    boolean done = false;
    try {
      Value result = call(entry, args);
      done = true;
      return result;
    } finally {
      for (int i = 0; i < consumed.length; i++) {
        // A failed call has already freed its consumed arguments.
        if (done || i >= entry.parameters().length || !entry.parameters()[i].unique()) {
          owner.drop(consumed[i]);
        }
      }
    }
  }

  /** Returns the arguments for one more run. Consumed arguments are copied. */
  Value[] forRun(EntryPoint entry, Value[] args) {
    Value[] copies = args.clone();
    for (int i = 0; i < args.length; i++) {
      if (entry.parameters()[i].unique()) {
        copies[i] = owner.copy(args[i]);
      }
    }
    // Wait for pending copies to the device, so that they do not count as time of the run.
    context.settle();
    return copies;
  }

  /** Drops the arguments that {@link #forRun} has copied for a run. */
  void afterRun(Value[] args, Value[] copies) {
    for (int i = 0; i < args.length; i++) {
      if (copies[i] != args[i]) {
        owner.drop(copies[i]);
      }
    }
  }

  /** Returns the components of a tuple, or the value itself. Nested tuples are flattened. */
  static List<Value> components(Value value) {
    if (!(value instanceof OpaqueValue o) || !isTuple(o)) {
      return List.of(value);
    }
    List<Value> all = new ArrayList<>();
    for (Value component : Opaques.unpack(o)) {
      all.addAll(components(component));
    }
    return all;
  }

  /** Returns the types of the {@linkplain #components(Value) components} of values of a type. */
  static List<ValueType> components(ValueType type) {
    return type instanceof ValueType.Opaque(String _, ValueType.Record r) && r.isTuple()
        ? Stream.of(r.fields()).flatMap(f -> components(f.type()).stream()).toList()
        : List.of(type);
  }

  private static boolean isTuple(OpaqueValue value) {
    return value.type().structure() instanceof ValueType.Record r && r.isTuple();
  }

  /** Returns a value in the memory of the program; the owner holds the value. */
  Value adopt(Value value) {
    return owner.adopt(value);
  }

  void drop(Value... values) {
    for (Value value : values) {
      owner.drop(value);
    }
  }

  /** Frees the memory that the context keeps for later runs. */
  void trim() {
    context.trim();
  }

  @Override
  public void close() {
    context.close();
  }

  /** An exception for a test case that cannot be run as written. */
  static final class CaseException extends Exception {
    private static final long serialVersionUID = 1;

    CaseException(String message) {
      super(message, null, false, false);
    }

    @Override
    public String getMessage() {
      String message = super.getMessage();
      return message == null ? "" : message;
    }
  }
}
