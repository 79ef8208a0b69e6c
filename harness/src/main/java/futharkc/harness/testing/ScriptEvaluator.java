package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Ownership;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An evaluator of FutharkScript on a program. Names denote the program's entry points; {@code
 * $loaddata}, {@code $loadbytes} and {@code $restore} read files.
 */
public final class ScriptEvaluator {
  private final Context ctx;
  private final Ownership owner;
  private final Path folder;
  private final ScriptBuiltins builtins;
  private final List<Value> held = new ArrayList<>();

  /**
   * Creates an evaluator without further built-in functions.
   *
   * @param ctx the context of the program
   * @param owner the owner of all values that the evaluation creates
   * @param folder the folder that file names are relative to
   */
  public ScriptEvaluator(Context ctx, Ownership owner, Path folder) {
    this(ctx, owner, folder, (name, args) -> null);
  }

  /**
   * Creates an evaluator.
   *
   * @param ctx the context of the program
   * @param owner the owner of all values that the evaluation creates
   * @param folder the folder that file names are relative to
   * @param builtins further built-in functions
   */
  public ScriptEvaluator(Context ctx, Ownership owner, Path folder, ScriptBuiltins builtins) {
    this.ctx = ctx;
    this.owner = owner;
    this.folder = folder;
    this.builtins = builtins;
  }

  /** A use of the value of an expression while its memory is alive. */
  @FunctionalInterface
  public interface Use<T> {
    T of(ScriptValue value) throws ScriptException, IOException;
  }

  /**
   * Evaluates an expression, uses its value, and releases the memory of the evaluation.
   *
   * @throws ScriptException if the expression has an error
   * @throws IOException if the use fails
   * @throws FutharkError if a call of the program fails
   */
  public <T> T evaluate(ScriptExp exp, Use<T> use) throws ScriptException, IOException {
    try {
      return use.of(evaluate(exp, Map.of()));
    } finally {
      held.forEach(owner::drop);
      held.clear();
    }
  }

  /** Returns the number of values that the current evaluation holds, for {@link #step}. */
  public int mark() {
    return held.size();
  }

  /**
   * Applies a function to its last argument, and releases the values that earlier steps have
   * created.
   *
   * @param mark the result of {@link #mark} before the first step
   * @return the result, whose memory is alive during the next step
   * @throws ScriptException if the function does not take the argument
   * @throws FutharkError if the call fails
   */
  public ScriptValue step(ScriptValue.Function function, ScriptValue argument, int mark)
      throws ScriptException {
    int before = held.size();
    ScriptValue result = apply(function.entry(), plus(function.args(), List.of(argument)));
    List<Value> older = held.subList(mark, before);
    older.forEach(owner::drop);
    older.clear();
    return result;
  }

  private static List<ScriptValue> plus(List<ScriptValue> first, List<ScriptValue> second) {
    List<ScriptValue> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /**
   * Evaluates an expression to the arguments of an entry point: the components of a tuple, or a
   * single argument.
   *
   * @return the arguments; the owner holds each once on behalf of the caller
   * @throws ScriptException if the expression has an error, or its value does not fit the entry
   *     point
   * @throws FutharkError if a call of the program fails
   */
  public Value[] arguments(EntryPoint entry, ScriptExp exp) throws ScriptException {
    try {
      ScriptValue result = evaluate(exp, Map.of());
      EntryPoint.Parameter[] params = entry.parameters();
      Value[] args = convertAll(params, List.of(result));
      List<ScriptValue> components = components(result);
      if (args == null && components != null) {
        args = convertAll(params, components);
      }
      if (args == null) {
        List<String> names = new ArrayList<>();
        for (EntryPoint.Parameter param : params) {
          names.add(param.type().name());
        }
        throw new ScriptException(
            "expected values of type ("
                + String.join(", ", names)
                + ") for entry point "
                + entry.name()
                + ", got "
                + result.typeName());
      }
      for (int i = 0; i < args.length; i++) {
        if (params[i].unique()) {
          args[i] = owner.copy(args[i]);
        } else {
          args[i] = owner.adopt(args[i]);
        }
      }
      return args;
    } finally {
      held.forEach(owner::drop);
      held.clear();
    }
  }

  private ScriptValue evaluate(ScriptExp exp, Map<String, ScriptValue> names)
      throws ScriptException {
    return switch (exp) {
      case ScriptExp.Constant c -> new ScriptValue.Atom(adopted(c.value()), true);
      case ScriptExp.Text t ->
          new ScriptValue.Atom(
              adopted(ArrayValue.vector(ElemType.U8, t.string().getBytes(StandardCharsets.UTF_8))),
              true);
      case ScriptExp.Tuple t -> new ScriptValue.Tuple(evaluateAll(t.components(), names));
      case ScriptExp.Record r -> {
        Map<String, ScriptValue> fields = new LinkedHashMap<>();
        for (Map.Entry<String, ScriptExp> field : r.fields().entrySet()) {
          fields.put(field.getKey(), evaluate(field.getValue(), names));
        }
        yield new ScriptValue.Record(fields);
      }
      case ScriptExp.Project p -> project(evaluate(p.record(), names), p.field());
      case ScriptExp.Index i -> index(evaluate(i.array(), names), evaluateAll(i.indices(), names));
      case ScriptExp.Let l -> {
        Map<String, ScriptValue> inner = new HashMap<>(names);
        bind(l.names(), evaluate(l.value(), names), inner);
        yield evaluate(l.body(), inner);
      }
      case ScriptExp.Call c -> call(c, names);
    };
  }

  private List<ScriptValue> evaluateAll(List<ScriptExp> exps, Map<String, ScriptValue> names)
      throws ScriptException {
    List<ScriptValue> values = new ArrayList<>();
    for (ScriptExp exp : exps) {
      values.add(evaluate(exp, names));
    }
    return values;
  }

  private Value adopted(Value value) {
    owner.adopt(value);
    held.add(value);
    return value;
  }

  private void bind(List<String> names, ScriptValue value, Map<String, ScriptValue> scope)
      throws ScriptException {
    if (names.size() == 1) {
      scope.put(names.get(0), value);
      return;
    }
    List<ScriptValue> components = components(value);
    if (components == null || components.size() != names.size()) {
      throw new ScriptException(
          "the pattern ("
              + String.join(", ", names)
              + ") does not match a value of type "
              + value.typeName());
    }
    for (int i = 0; i < names.size(); i++) {
      scope.put(names.get(i), components.get(i));
    }
  }

  /** Returns the components of a tuple, or null if the value is not a tuple. */
  public static @Nullable List<ScriptValue> components(ScriptValue value) {
    return switch (value) {
      case ScriptValue.Tuple t -> t.components();
      case ScriptValue.Record _, ScriptValue.Function _ -> null;
      case ScriptValue.Atom(Value v, boolean _) -> {
        if (v instanceof OpaqueValue o
            && o.type().structure() instanceof ValueType.Record r
            && r.isTuple()) {
          List<ScriptValue> components = new ArrayList<>();
          for (Value component : Opaques.unpack(o)) {
            components.add(new ScriptValue.Atom(component, false));
          }
          yield components;
        }
        yield null;
      }
    };
  }

  private static ScriptValue project(ScriptValue value, String field) throws ScriptException {
    if (value instanceof ScriptValue.Record r && r.fields().containsKey(field)) {
      return r.fields().get(field);
    }
    if (value instanceof ScriptValue.Atom(OpaqueValue o, boolean _)
        && o.type().structure() instanceof ValueType.Record r) {
      for (int i = 0; i < r.fields().length; i++) {
        if (r.fields()[i].name().equals(field)) {
          return new ScriptValue.Atom(Opaques.unpack(o)[i], false);
        }
      }
    }
    throw new ScriptException("a value of type " + value.typeName() + " has no field " + field);
  }

  private ScriptValue index(ScriptValue array, List<ScriptValue> indices) throws ScriptException {
    long[] numbers = new long[indices.size()];
    for (int i = 0; i < numbers.length; i++) {
      if (indices.get(i) instanceof ScriptValue.Atom(Scalar s, boolean _) && s.type().isInteger()) {
        numbers[i] = s.asLong();
      } else {
        throw new ScriptException(
            "an index must be an integer, not a value of type " + indices.get(i).typeName());
      }
    }
    if (array instanceof ScriptValue.Atom(Value v, boolean _)) {
      ValueType type =
          v instanceof OpaqueValue o
              ? o.type()
              : v instanceof ArrayValue a ? new ValueType.Array(a.elemType(), a.rank()) : null;
      if (type != null && Opaques.rank(type) > 0) {
        try {
          return new ScriptValue.Atom(adopted(Opaques.index(type, v, numbers)), false);
        } catch (IllegalArgumentException e) {
          throw new ScriptException(String.valueOf(e.getMessage()));
        }
      }
    }
    throw new ScriptException("a value of type " + array.typeName() + " is not an array");
  }

  private ScriptValue call(ScriptExp.Call call, Map<String, ScriptValue> names)
      throws ScriptException {
    ScriptValue variable = names.get(call.name());
    List<ScriptValue> args = evaluateAll(call.args(), names);
    if (variable != null) {
      if (args.isEmpty()) {
        return variable;
      }
      if (variable instanceof ScriptValue.Function f) {
        return apply(f.entry(), plus(f.args(), args));
      }
      throw new ScriptException(call.name() + " is not a function");
    }
    if (call.name().startsWith("$")) {
      return builtin(call.name(), args);
    }
    return apply(entryPoint(call.name()), args);
  }

  private ScriptValue apply(EntryPoint entry, List<ScriptValue> args) throws ScriptException {
    int params = entry.parameters().length;
    List<ScriptValue> components = args.size() == 1 ? components(args.get(0)) : null;
    Value[] values = convertAll(entry.parameters(), args);
    if (values == null && components != null && components.size() == params) {
      values = convertAll(entry.parameters(), components);
    } else if (values == null && args.size() < params) {
      return new ScriptValue.Function(entry, args);
    }
    if (values == null) {
      throw new ScriptException(cannotApply(entry, args));
    }
    for (int i = 0; i < values.length; i++) {
      if (entry.parameters()[i].unique()) {
        values[i] = owner.copy(values[i]);
        held.add(values[i]);
      }
    }
    Value result = ctx.run(entry, values);
    owner.hold(result);
    held.add(result);
    return new ScriptValue.Atom(result, false);
  }

  private EntryPoint entryPoint(String name) throws ScriptException {
    for (EntryPoint entry : ctx.program().entryPoints()) {
      if (entry.name().equals(name)) {
        return entry;
      }
    }
    throw new ScriptException("unknown entry point: " + name);
  }

  private static String cannotApply(EntryPoint entry, List<ScriptValue> args) {
    List<String> expected = new ArrayList<>();
    for (EntryPoint.Parameter param : entry.parameters()) {
      expected.add(param.type().name());
    }
    List<String> actual = new ArrayList<>();
    for (ScriptValue arg : args) {
      actual.add(arg.typeName());
    }
    return "Function \""
        + entry.name()
        + "\" expects "
        + expected.size()
        + " argument(s) of types:\n"
        + String.join("\n", expected)
        + "\nBut applied to "
        + actual.size()
        + " argument(s) of types:\n"
        + String.join("\n", actual);
  }

  private ScriptValue builtin(String name, List<ScriptValue> args) throws ScriptException {
    try {
      if (name.equals("$loaddata") && args.size() == 1) {
        List<ScriptValue> values = new ArrayList<>();
        for (Value value : DataFiles.read(folder.resolve(string(name, args.get(0))))) {
          values.add(new ScriptValue.Atom(adopted(value), true));
        }
        return values.size() == 1 ? values.get(0) : new ScriptValue.Tuple(values);
      } else if (name.equals("$loadbytes") && args.size() == 1) {
        byte[] bytes = Files.readAllBytes(folder.resolve(string(name, args.get(0))));
        return new ScriptValue.Atom(adopted(ArrayValue.vector(ElemType.U8, bytes)), true);
      } else if (name.equals("$restore") && args.size() == 2) {
        return restore(string(name, args.get(0)), folder.resolve(string(name, args.get(1))));
      }
      ScriptValue result = builtins.call(name, args);
      if (result instanceof ScriptValue.Atom(Value value, boolean constant)) {
        return new ScriptValue.Atom(adopted(value), constant);
      } else if (result != null) {
        return result;
      }
    } catch (IOException e) {
      throw new ScriptException(name + ": " + e.getMessage());
    }
    throw new ScriptException("unknown built-in function or wrong number of arguments: " + name);
  }

  /**
   * Returns the string that is an argument of a built-in function.
   *
   * @throws ScriptException if the argument is not an array of type {@code []u8}
   */
  public static String string(String function, ScriptValue arg) throws ScriptException {
    if (arg instanceof ScriptValue.Atom(ArrayValue a, boolean _)
        && a.data() instanceof byte[] bytes
        && a.rank() == 1) {
      return new String(bytes, 0, a.length(), StandardCharsets.UTF_8);
    }
    throw new ScriptException(function + " takes a string, not a value of type " + arg.typeName());
  }

  private ScriptValue restore(String typeName, Path file) throws ScriptException, IOException {
    ValueType type = null;
    for (EntryPoint entry : ctx.program().entryPoints()) {
      if (entry.result().name().equals(typeName)) {
        type = entry.result();
      }
      for (EntryPoint.Parameter param : entry.parameters()) {
        if (param.type().name().equals(typeName)) {
          type = param.type();
        }
      }
    }
    if (type == null) {
      throw new ScriptException("$restore: unknown type " + typeName);
    }
    List<Value> parts = DataFiles.read(file);
    ValueType.Part[] expected = type.parts();
    boolean fits = parts.size() == expected.length;
    for (int i = 0; fits && i < expected.length; i++) {
      RandomValue.OfType part = RandomValue.typeOf(parts.get(i));
      fits = part.elemType() == expected[i].elem() && part.shape().length == expected[i].rank();
    }
    if (!fits) {
      throw new ScriptException("$restore: " + file + " has no value of type " + typeName);
    }
    return new ScriptValue.Atom(adopted(Opaques.compose(type, parts.toArray(new Value[0]))), false);
  }

  private Value @Nullable [] convertAll(EntryPoint.Parameter[] params, List<ScriptValue> values) {
    if (params.length != values.size()) {
      return null;
    }
    Value[] converted = new Value[params.length];
    for (int i = 0; i < params.length; i++) {
      Value value = convert(values.get(i), params[i].type());
      if (value == null) {
        return null;
      }
      converted[i] = value;
    }
    return converted;
  }

  /**
   * Converts a value to a type. Tuples and records become opaque values of the program, records
   * change to another type with the same fields, and integer constants change to other number
   * types. Returns null if the value does not fit.
   */
  private @Nullable Value convert(ScriptValue value, ValueType type) {
    if (value instanceof ScriptValue.Atom(Value v, boolean constant)) {
      if (type.has(v)) {
        return v;
      } else if (constant) {
        return coerce(v, type);
      }
    }
    if (!(type instanceof ValueType.Opaque opaque)
        || !(opaque.structure() instanceof ValueType.Record r)) {
      return null;
    }
    ValueType.Field[] fields = r.fields();
    Value[] values = new Value[fields.length];
    List<ScriptValue> components = r.isTuple() ? components(value) : null;
    if (components != null && components.size() != fields.length) {
      return null;
    }
    for (int i = 0; i < fields.length; i++) {
      ScriptValue field =
          components != null ? components.get(i) : field(value, fields[i].name(), fields.length);
      Value converted = field == null ? null : convert(field, fields[i].type());
      if (converted == null) {
        return null;
      }
      values[i] = converted;
    }
    return Opaques.pack(opaque, values);
  }

  private static @Nullable ScriptValue field(ScriptValue record, String name, int count) {
    int fields =
        switch (record) {
          case ScriptValue.Record r -> r.fields().size();
          case ScriptValue.Atom(OpaqueValue o, boolean _) ->
              o.type().structure() instanceof ValueType.Record r ? r.fields().length : -1;
          default -> -1;
        };
    try {
      return fields == count ? project(record, name) : null;
    } catch (ScriptException e) {
      return null;
    }
  }

  private @Nullable Value coerce(Value value, ValueType type) {
    ElemType from = RandomValue.typeOf(value).elemType();
    if (!from.isInteger() || from.isUnsigned()) {
      return null;
    }
    if (type instanceof ValueType.Prim p && value instanceof Scalar s) {
      return coerce(s, p.elem());
    }
    if (type instanceof ValueType.Array t
        && value instanceof ArrayValue a
        && a.rank() == t.rank()
        && (t.elem().isFloat() || t.elem().isInteger())) {
      ArrayValue given = a.onHost();
      int n = given.length();
      ArrayValue result = new ArrayValue(t.elem(), a.shape(), t.elem().newArray(n));
      for (int i = 0; i < n; i++) {
        Scalar element = coerce(given.element(i), t.elem());
        if (element != null) {
          result.setElement(i, element);
        }
      }
      return adopted(result);
    }
    return null;
  }

  private static @Nullable Scalar coerce(Scalar value, ElemType type) {
    long x = value.asLong();
    return switch (type) {
      case I8, I16, I32, I64, U8, U16, U32, U64 -> new Scalar(type, x);
      case F16 -> Scalar.f16(Float.floatToFloat16((float) x));
      case F32 -> Scalar.f32((float) x);
      case F64 -> Scalar.f64((double) x);
      case BOOL, UNIT -> null;
    };
  }
}
