package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.TypeTable;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.WholeFile;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A server for Futhark's server protocol. A command is one line. The answer is its output, {@code
 * %%% FAILURE} with a message after a failure, and {@code %%% OK}. A failing command changes no
 * variables, except for calls: variables that a call consumes can only be freed afterwards, even if
 * the call fails. A call gets copies of consumed values whose blocks other variables may share.
 */
final class Server {
  private final FutharkProgram program;
  private final Context ctx;
  private final BufferedReader in;
  private final PrintStream out;
  private final TypeTable types;
  private final Ownership owner;
  private final @Nullable SplitCalls devices;
  private final Map<String, Variable> variables = new LinkedHashMap<>();

  /** The variables that calls have consumed and that are not freed. */
  private final Set<String> consumed = new HashSet<>();

  /**
   * A variable.
   *
   * @param type the type
   * @param value the value
   * @param isNew true if the blocks were allocated for this variable, so that they are not
   *     constants of the program
   */
  private record Variable(ValueType type, Value value, boolean isNew) {
    Variable(ValueType type, Value value) {
      this(type, value, false);
    }
  }

  /** An exception for a failing command; the message is for the user. */
  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Creates a server.
   *
   * @param ctx the context of the variables
   * @param devices the calls that several devices run; null if one device runs all
   */
  Server(
      FutharkProgram program,
      Context ctx,
      InputStream in,
      OutputStream out,
      @Nullable SplitCalls devices) {
    this.program = program;
    this.devices = devices;
    this.ctx = ctx;
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
    types = new TypeTable(program);
    owner = new Ownership(ctx.values());
  }

  /** Serves commands until the input ends. */
  void serve() throws IOException {
    ctx.initialise();
    ok();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        List<String> words = words(line);
        if (words.isEmpty()) {
          throw new Failure("Empty line");
        }
        command(words.get(0), words.subList(1, words.size()));
      } catch (Failure | IllegalArgumentException e) {
        failure(e.getMessage());
      } catch (FutharkError e) {
        failure("Error: " + e.report());
      } catch (IOException e) {
        failure(WholeFile.reason(e));
      } catch (OutOfMemoryError e) {
        ctx.trim();
        failure("Error: Out of memory.");
      } catch (RuntimeException e) {
        failure("Internal error: " + e);
      }
      ok();
    }
  }

  private void ok() throws IOException {
    out.print("%%% OK\n");
    out.flush();
    if (out.checkError()) {
      throw new IOException("cannot write to standard output");
    }
  }

  private void failure(@Nullable String message) {
    out.print("%%% FAILURE\n");
    print(String.valueOf(message));
  }

  private void print(String line) {
    out.print(line);
    out.print('\n');
  }

  /** Splits a line into words, which are separated by spaces or in quotation marks. */
  private static List<String> words(String line) throws Failure {
    List<String> words = new ArrayList<>();
    int n = line.length();
    for (int i = 0; i < n; ) {
      char c = line.charAt(i);
      if (c == ' ' || c == '\t' || c == '\r') {
        i++;
      } else if (c == '"') {
        int end = line.indexOf('"', i + 1);
        if (end < 0) {
          throw new Failure("Unterminated quotation: " + line.substring(i));
        }
        words.add(line.substring(i + 1, end));
        i = end + 1;
      } else {
        int start = i;
        while (i < n && line.charAt(i) != ' ' && line.charAt(i) != '\t' && line.charAt(i) != '\r') {
          i++;
        }
        words.add(line.substring(start, i));
      }
    }
    return words;
  }

  private void command(String name, List<String> args) throws Failure, IOException {
    switch (name) {
      case "types" -> types.names().forEach(this::print);
      case "entry_points" -> {
        for (EntryPoint entry : program.entryPoints()) {
          print(entry.name());
        }
      }
      case "call" -> call(args);
      case "restore" -> restore(args);
      case "store" -> store(args);
      case "free" -> free(args);
      case "rename" -> rename(args);
      case "inputs" -> inputs(args);
      // Clients of older versions of the protocol send "outputs".
      case "output", "outputs" -> {
        EntryPoint entry = entryPoint(arg(args, 0));
        print((entry.uniqueResult() ? "*" : "") + entry.result().name());
      }
      case "clear" -> clear();
      case "kind" -> print(kind(type(arg(args, 0))));
      case "type" -> print(variable(arg(args, 0)).type.name());
      case "pause_profiling" -> ctx.profile().pause(true);
      case "unpause_profiling" -> ctx.profile().pause(false);
      case "report" -> print(Report.json(ctx));
      case "set_tuning_param" -> setTuningParam(args);
      case "tuning_params" -> {
        for (String param : entryPoint(arg(args, 0)).tuningParameters()) {
          print(param);
        }
      }
      case "tuning_param_class" -> tuningParamClass(args);
      case "attributes" -> {
        for (String attribute : entryPoint(arg(args, 0)).attributes()) {
          print(attribute);
        }
      }
      case "rank" -> print(Integer.toString(Opaques.rank(arrayType(arg(args, 0)))));
      case "elemtype" -> print(Opaques.elementType(arrayType(arg(args, 0))).name());
      case "new_array" -> newArray(args);
      case "set" -> set(args);
      case "shape" -> {
        Variable v = variable(arg(args, 0));
        for (long d : Opaques.shape(v.type, v.value)) {
          print(Long.toString(d));
        }
      }
      case "index" -> index(args);
      case "zip" -> zip(args);
      case "unzip" -> unzip(args);
      case "fields" -> fields(args);
      case "new" -> newRecord(args);
      case "project" -> project(args);
      case "variants" -> variants(args);
      case "construct" -> construct(args);
      case "destruct" -> destruct(args);
      case "variant" -> print(Opaques.variant(opaque(variable(arg(args, 0)))).name());
      default -> throw new Failure("Unknown command: " + name);
    }
  }

  // Words.

  private static String arg(List<String> args, int i) throws Failure {
    if (i >= args.size()) {
      throw new Failure("Insufficient command args.");
    }
    return args.get(i);
  }

  private EntryPoint entryPoint(String name) throws Failure {
    for (EntryPoint entry : program.entryPoints()) {
      if (entry.name().equals(name)) {
        return entry;
      }
    }
    throw new Failure("Unknown entry point: " + name);
  }

  private ValueType type(String name) throws Failure {
    ValueType type = types.find(name);
    if (type == null) {
      throw new Failure("Unknown type: " + name);
    }
    return type;
  }

  private ValueType arrayType(String name) throws Failure {
    ValueType type = type(name);
    if (Opaques.rank(type) == 0) {
      throw new Failure("Not an array type: " + name);
    }
    return type;
  }

  private ValueType.Opaque opaqueType(String name, boolean array) throws Failure {
    ValueType type = type(name);
    if (type instanceof ValueType.Opaque o && Opaques.rank(o) > 0 == array) {
      return o;
    }
    throw new Failure((array ? "Not an array of records: " : "Not a record or sum type: ") + name);
  }

  private Variable variable(String name) throws Failure {
    Variable variable = variables.get(name);
    if (variable != null) {
      return variable;
    }
    if (consumed.contains(name)) {
      throw new Failure("Variable has been consumed by a call, and can only be freed: " + name);
    }
    throw new Failure("Unknown variable: " + name);
  }

  private static OpaqueValue opaque(Variable variable) throws Failure {
    if (variable.value instanceof OpaqueValue o) {
      return o;
    }
    throw new Failure("Not an opaque value; its type is " + variable.type.name());
  }

  private Value[] values(List<String> names) throws Failure {
    Value[] values = new Value[names.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = variable(names.get(i)).value;
    }
    return values;
  }

  private void checkNew(List<String> names) throws Failure {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      boolean isThere = variables.containsKey(name) || consumed.contains(name);
      if (isThere || names.indexOf(name) < i) {
        throw new Failure("Variable already exists: " + names.get(i));
      }
    }
  }

  private static long[] numbers(List<String> words, String what) throws Failure {
    long[] numbers = new long[words.size()];
    for (int i = 0; i < numbers.length; i++) {
      try {
        numbers[i] = Long.parseLong(words.get(i));
      } catch (NumberFormatException e) {
        numbers[i] = -1;
      }
      if (numbers[i] < 0) {
        throw new Failure("Invalid " + what + " `" + words.get(i) + "` of dimension " + i + ".");
      }
    }
    return numbers;
  }

  // Variables and calls.

  private void call(List<String> args) throws Failure {
    EntryPoint entry = entryPoint(arg(args, 0));
    String result = arg(args, 1);
    EntryPoint.Parameter[] params = entry.parameters();
    if (args.size() - 2 != params.length) {
      throw new Failure(entry.argumentCount() + " expected, but got " + (args.size() - 2) + ".");
    }
    Value[] values = new Value[params.length];
    for (int i = 0; i < params.length; i++) {
      Variable v = variable(args.get(2 + i));
      if (!Opaques.sameType(v.type, params[i].type())) {
        throw new Failure(
            "Wrong input type.  Expected "
                + params[i].type().name()
                + ", got "
                + v.type.name()
                + ".");
      }
      values[i] = v.value;
    }
    checkNew(List.of(result));
    List<String> names = args.subList(2, args.size());
    List<Value> copies = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    try {
      for (int i = 0; i < params.length; i++) {
        if (!params[i].unique()) {
          continue;
        }
        boolean isTwice = names.indexOf(names.get(i)) != names.lastIndexOf(names.get(i));
        if (isTwice || !variable(names.get(i)).isNew || owner.isShared(values[i])) {
          values[i] = owner.copy(values[i]);
          copies.add(values[i]);
        }
        gone.add(names.get(i));
      }
      ctx.settle();
      List<Object> keys = new ArrayList<>();
      for (String name : names) {
        keys.add(variable(name));
      }
      run(entry, values, keys, result);
    } finally {
      copies.forEach(owner::drop);
      gone.forEach(this::consume);
    }
  }

  private void consume(String name) {
    Variable variable = variables.remove(name);
    if (variable != null) {
      drop(variable);
      consumed.add(name);
    }
  }

  private void drop(Variable variable) {
    forget(variable);
    owner.drop(variable.value);
  }

  private void forget(Variable variable) {
    if (devices != null) {
      devices.forget(variable);
    }
  }

  private void run(EntryPoint entry, Value[] values, List<Object> keys, String result) {
    long start = System.nanoTime();
    long nanos = 0;
    try {
      Value value;
      SplitCalls split = devices != null && devices.runs(entry) ? devices : null;
      try {
        value = split == null ? ctx.run(entry, values) : split.call(entry, values, keys);
      } finally {
        nanos = System.nanoTime() - start;
      }
      if (split != null) {
        value = owner.adopt(value);
      } else {
        owner.hold(value);
      }
      variables.put(result, new Variable(entry.result(), value, entry.uniqueResult()));
    } finally {
      print("runtime: " + nanos / 1000);
    }
  }

  private void restore(List<String> args) throws Failure, IOException {
    String file = arg(args, 0);
    List<String> names = new ArrayList<>();
    List<Variable> restored = new ArrayList<>();
    try (InputStream stream = new FileInputStream(file)) {
      ValueReader reader = new ValueReader(stream);
      for (int i = 1; i < args.size(); i += 2) {
        ValueType type = type(arg(args, i + 1));
        names.add(args.get(i));
        checkNew(names);
        try {
          ValueType.Part[] parts = type.parts();
          Value[] values = new Value[parts.length];
          for (int j = 0; j < parts.length; j++) {
            values[j] = reader.read(parts[j].elem(), parts[j].rank());
          }
          restored.add(new Variable(type, Opaques.compose(type, values)));
        } catch (IOException e) {
          throw new Failure(
              "Failed to restore variable "
                  + args.get(i)
                  + ".\nPossibly malformed data in "
                  + file
                  + ": "
                  + e.getMessage());
        }
      }
      if (!reader.atEnd()) {
        throw new Failure("Expected EOF after reading " + restored.size() + " values from " + file);
      }
    }
    List<Value> adopted = new ArrayList<>();
    try {
      for (Variable v : restored) {
        adopted.add(owner.adopt(v.value));
      }
    } catch (FutharkError e) {
      adopted.forEach(owner::drop);
      throw e;
    }
    for (int i = 0; i < restored.size(); i++) {
      variables.put(names.get(i), new Variable(restored.get(i).type, adopted.get(i), true));
    }
  }

  private void store(List<String> args) throws Failure, IOException {
    String file = arg(args, 0);
    Value[] values = values(args.subList(1, args.size()));
    // The file keeps its memory if it is in memory: clients read it and store the next value there.
    try (FileChannel channel =
            FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        OutputStream stream = Channels.newOutputStream(channel)) {
      ValueWriter writer = new ValueWriter(stream);
      for (Value value : values) {
        for (Value part : Opaques.parts(value)) {
          writer.binary(part);
        }
      }
      writer.flush();
      channel.truncate(channel.position());
    }
  }

  private void free(List<String> args) throws Failure {
    for (String name : args) {
      if (!consumed.contains(name)) {
        variable(name);
      }
    }
    for (String name : args) {
      Variable variable = variables.remove(name);
      if (variable != null) {
        drop(variable);
      }
      consumed.remove(name);
    }
  }

  private void rename(List<String> args) throws Failure {
    Variable variable = variable(arg(args, 0));
    checkNew(List.of(arg(args, 1)));
    variables.remove(args.get(0));
    variables.put(args.get(1), variable);
  }

  private void inputs(List<String> args) throws Failure {
    for (EntryPoint.Parameter param : entryPoint(arg(args, 0)).parameters()) {
      print((param.unique() ? "*" : "") + param.type().name());
    }
  }

  private void clear() {
    for (Variable variable : variables.values()) {
      drop(variable);
    }
    variables.clear();
    consumed.clear();
    ctx.trim();
    ctx.resetPeaks();
    ctx.resetActivity();
    ctx.profile().clear();
  }

  private void setTuningParam(List<String> args) throws Failure {
    long value;
    try {
      value = Long.parseLong(arg(args, 1));
    } catch (NumberFormatException e) {
      throw new Failure("Not a number: " + args.get(1));
    }
    if (!ctx.setTuning(args.get(0), value)) {
      throw new Failure("Failed to set tuning parameter " + args.get(0) + " to " + value);
    }
  }

  private void tuningParamClass(List<String> args) throws Failure {
    for (FutharkProgram.TuningParameter param : program.tuningParameters()) {
      if (param.name().equals(arg(args, 0))) {
        print(param.paramClass());
        return;
      }
    }
    throw new Failure("Unknown tuning parameter: " + arg(args, 0));
  }

  private static String kind(ValueType type) {
    return switch (type) {
      case ValueType.Prim _ -> "primitive";
      case ValueType.Array _ -> "array";
      case ValueType.Opaque o ->
          switch (o.structure()) {
            case ValueType.Record _ -> "record";
            case ValueType.Sum _ -> "sum";
            case ValueType.ArrayOf _ -> "array";
            case ValueType.Abstract _ -> "opaque";
          };
    };
  }

  // Arrays.

  private void newArray(List<String> args) throws Failure {
    String to = arg(args, 0);
    ValueType type = arrayType(arg(args, 1));
    checkNew(List.of(to));
    int rank = Opaques.rank(type);
    if (args.size() < 2 + rank) {
      throw new Failure("Expected " + rank + " dimensions, but got " + (args.size() - 2) + ".");
    }
    long[] shape = numbers(args.subList(2, 2 + rank), "size");
    Value[] elements = values(args.subList(2 + rank, args.size()));
    Value value = owner.adopt(Opaques.newArray(type, shape, elements));
    variables.put(to, new Variable(type, value));
  }

  private void set(List<String> args) throws Failure {
    Variable array = variable(arg(args, 0));
    Variable element = variable(arg(args, 1));
    long[] indices = numbers(args.subList(2, args.size()), "index");
    forget(array);
    if (owner.isShared(array.value)) {
      Value copy = owner.copy(array.value);
      owner.drop(array.value);
      array = new Variable(array.type, copy);
      variables.put(args.get(0), array);
    }
    Opaques.set(array.type, array.value, element.value, indices);
  }

  private void index(List<String> args) throws Failure {
    String to = arg(args, 0);
    Variable array = variable(arg(args, 1));
    checkNew(List.of(to));
    Value element =
        owner.adopt(
            Opaques.index(array.type, array.value, numbers(args.subList(2, args.size()), "index")));
    variables.put(to, new Variable(Opaques.elementType(array.type), element));
  }

  private void zip(List<String> args) throws Failure {
    pack(args, true);
  }

  private void unzip(List<String> args) throws Failure {
    Variable from = variable(arg(args, 0));
    if (Opaques.rank(from.type) == 0) {
      throw new Failure("Not an array type: " + from.type.name());
    }
    Value[] values = Opaques.unpack(opaque(from));
    ValueType.Field[] fields = recordFields(from.type);
    List<String> names = args.subList(1, args.size());
    if (names.size() != values.length) {
      throw new Failure(
          values.length + " arrays expected but " + names.size() + " variables provided.");
    }
    checkNew(names);
    for (int i = 0; i < values.length; i++) {
      owner.hold(values[i]);
      variables.put(names.get(i), new Variable(fields[i].type(), values[i]));
    }
  }

  // Records.

  private static ValueType.Field[] recordFields(ValueType type) throws Failure {
    ValueType.Field[] fields = Opaques.fields(type);
    if (fields == null) {
      throw new Failure("Not a record type: " + type.name());
    }
    return fields;
  }

  private void fields(List<String> args) throws Failure {
    for (ValueType.Field field : recordFields(opaqueType(arg(args, 0), false))) {
      print(field.name() + " " + field.type().name());
    }
  }

  private void newRecord(List<String> args) throws Failure {
    pack(args, false);
  }

  private void pack(List<String> args, boolean array) throws Failure {
    String to = arg(args, 0);
    ValueType.Opaque type = opaqueType(arg(args, 1), array);
    checkNew(List.of(to));
    Value value = Opaques.pack(type, values(args.subList(2, args.size())));
    owner.hold(value);
    variables.put(to, new Variable(type, value));
  }

  private void project(List<String> args) throws Failure {
    String to = arg(args, 0);
    Variable from = variable(arg(args, 1));
    String name = arg(args, 2);
    checkNew(List.of(to));
    if (Opaques.rank(from.type) > 0) {
      throw new Failure("Not a record type: " + from.type.name());
    }
    ValueType.Field[] fields = recordFields(from.type);
    Value[] values = Opaques.unpack(opaque(from));
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].name().equals(name)) {
        owner.hold(values[i]);
        variables.put(to, new Variable(fields[i].type(), values[i]));
        return;
      }
    }
    throw new Failure("No such field: " + name);
  }

  // Sums.

  private void variants(List<String> args) throws Failure {
    ValueType.Opaque type = opaqueType(arg(args, 0), false);
    if (!(type.structure() instanceof ValueType.Sum sum)) {
      throw new Failure("Not a sum type: " + type.name());
    }
    for (ValueType.Variant variant : sum.variants()) {
      print(variant.name());
      for (ValueType payload : variant.payload()) {
        print("- " + payload.name());
      }
    }
  }

  private void construct(List<String> args) throws Failure {
    String to = arg(args, 0);
    ValueType.Opaque type = opaqueType(arg(args, 1), false);
    checkNew(List.of(to));
    Value value =
        owner.adopt(Opaques.construct(type, arg(args, 2), values(args.subList(3, args.size()))));
    variables.put(to, new Variable(type, value));
  }

  private void destruct(List<String> args) throws Failure {
    OpaqueValue from = opaque(variable(arg(args, 0)));
    ValueType[] payload = Opaques.variant(from).payload();
    Value[] values = Opaques.destruct(from);
    List<String> names = args.subList(1, args.size());
    if (names.size() != values.length) {
      throw new Failure(
          values.length + " variables expected but " + names.size() + " variables provided.");
    }
    checkNew(names);
    for (int i = 0; i < values.length; i++) {
      owner.hold(values[i]);
      variables.put(names.get(i), new Variable(payload[i], values[i]));
    }
  }
}
