package futharkc.core.runtime.embed;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.HostArray;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled program in this JVM. One call runs at a time; other callers wait. A call ends early if
 * its thread is interrupted, or if another thread {@linkplain Context#cancel cancels} it.
 *
 * <p>The program does not copy arguments that the entry point does not consume: the caller must not
 * change them during the call. The program copies consumed arguments. The caller owns the results.
 */
public final class LoadedProgram implements AutoCloseable {
  private final Context context;
  private final EntryPoint[] ordered;
  private final Map<String, EntryPoint> entries = new LinkedHashMap<>();
  private volatile boolean closed;

  /** Takes over a program and its context. {@link #close} closes the context. */
  public LoadedProgram(FutharkProgram program, Context context) {
    this.context = context;
    ordered = program.entryPoints();
    for (EntryPoint entry : ordered) {
      entries.put(entry.name(), entry);
    }
  }

  /** Returns the names of the entry points, in source order. */
  public List<String> entryPoints() {
    return List.copyOf(entries.keySet());
  }

  /**
   * Returns the parameters of an entry point.
   *
   * @throws IllegalArgumentException if the program has no such entry point
   */
  public List<EntryPoint.Parameter> parameters(String entry) {
    return List.of(entry(entry).parameters());
  }

  /**
   * Returns the type of an entry point's result.
   *
   * @throws IllegalArgumentException if the program has no such entry point
   */
  public ValueType result(String entry) {
    return entry(entry).result();
  }

  /** Returns the context, which has the profile, the memory report and the tuning parameters. */
  public Context context() {
    return context;
  }

  /**
   * Calls an entry point with Java values.
   *
   * @param arguments the arguments, see the table in {@code docs/guide/embedding.md}
   * @return the result: a boxed scalar, a (nested) Java array, or an {@link
   *     futharkc.core.runtime.OpaqueValue}
   * @throws IllegalArgumentException for an unknown entry point, or arguments that do not fit
   * @throws futharkc.core.runtime.FutharkError if the program fails
   * @throws IllegalStateException if this program is closed
   */
  public @Nullable Object call(String entry, @Nullable Object... arguments) {
    return call(entry(entry), arguments, Object.class);
  }

  /**
   * Calls an entry point as {@link #call(String, Object...)} does and returns the result as an
   * object of a class. {@link ArrayValue} keeps an array on the device if the program runs on a
   * device.
   *
   * @throws IllegalArgumentException also if the result cannot have that class
   */
  public <T> T call(Class<T> wanted, String entry, @Nullable Object... arguments) {
    EntryPoint called = entry(entry);
    if (!JavaValues.fits(called.result(), wanted, true)) {
      throw new IllegalArgumentException(
          "the result of entry point "
              + entry
              + ", of type "
              + called.result().name()
              + ", cannot be a "
              + wanted.getSimpleName());
    }
    return Objects.requireNonNull(wanted.cast(call(called, arguments, wanted)));
  }

  /**
   * Copies an array to the memory that the program uses: its device, if it runs on one. Calls then
   * read the array there. The copy lives until {@link #release}.
   */
  public ArrayValue adopt(ArrayValue array) {
    return context.values().adopt(array);
  }

  /**
   * Frees the memory of a value that a call left on a device or that {@link #adopt} returned. The
   * value must not be used afterwards. Values on the host need no release.
   */
  public void release(Value value) {
    if (context.accelerator() != null) {
      release(value, new Value[0]);
    }
  }

  /** Frees the memory blocks of a value that no argument shares. */
  private void release(Value value, Value[] arguments) {
    Set<Object> done = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Value argument : arguments) {
      for (Value part : Opaques.parts(argument)) {
        if (part instanceof ArrayValue a) {
          done.add(a.store().block());
        }
      }
    }
    for (Value part : Opaques.parts(value)) {
      if (part instanceof ArrayValue a && done.add(a.store().block())) {
        context.values().release(a.store());
      }
    }
  }

  /**
   * Calls an entry point and returns its result as an object of a class: for records and tuples a
   * Java record, for arrays of records and tuples an array of Java records.
   *
   * @param wanted a class that represents the result's type in the table in {@code
   *     docs/guide/embedding.md}
   * @throws IllegalArgumentException if the class does not represent the result's type, and for the
   *     reasons of {@link #call(String, Object...)}
   */
  public <T> T callFor(Class<T> wanted, String entry, @Nullable Object... arguments) {
    EntryPoint called = entry(entry);
    if (!JavaValues.fits(called.result(), wanted, true)) {
      throw new IllegalArgumentException(
          "the result of entry point "
              + entry
              + " has type "
              + called.result().name()
              + ", which "
              + wanted.getSimpleName()
              + " cannot represent");
    }
    return Objects.requireNonNull(wanted.cast(call(called, arguments, wanted)));
  }

  /**
   * Returns the entry point of a name.
   *
   * @throws IllegalArgumentException if the program has no such entry point
   */
  private EntryPoint entry(String name) {
    EntryPoint entry = entries.get(name);
    if (entry == null) {
      throw new IllegalArgumentException(
          "there is no entry point "
              + name
              + "; there are: "
              + String.join(", ", entries.keySet()));
    }
    return entry;
  }

  private @Nullable Object call(EntryPoint entry, @Nullable Object[] arguments, Class<?> wanted) {
    if (closed) {
      throw new IllegalStateException("the program is closed");
    }
    EntryPoint.Parameter[] parameters = entry.parameters();
    if (arguments.length != parameters.length) {
      throw new IllegalArgumentException(
          "entry point "
              + entry.name()
              + " takes "
              + entry.argumentCount()
              + ", not "
              + arguments.length);
    }
    Value[] values = new Value[arguments.length];
    for (int i = 0; i < values.length; i++) {
      String what = "argument " + (i + 1) + " of " + entry.name();
      boolean copy = parameters[i].unique();
      boolean there = isOnDevice(arguments[i]);
      values[i] = JavaValues.toFuthark(parameters[i].type(), arguments[i], copy && !there, what);
      if (copy && there) {
        values[i] = copyOnDevice(values[i]);
      }
    }
    Value result = context.run(entry, values);
    if (wanted == ArrayValue.class || wanted == Value.class) {
      return unshared(result, values);
    }
    Object converted = JavaValues.toJava(entry.result(), result, wanted);
    if (context.accelerator() != null && !hasValues(converted)) {
      release(result, values);
    }
    return converted;
  }

  /**
   * Calls an entry point with values.
   *
   * @param entry the name
   * @param arguments the arguments; arrays in other memories are copied to the program's, as are
   *     arguments that the call consumes
   * @return the result in the memory of the program; it shares no memory with arguments
   * @throws IllegalArgumentException for an unknown entry point, or arguments that do not fit
   * @throws futharkc.core.runtime.FutharkError if the program fails
   * @throws IllegalStateException if this program is closed
   */
  public Value callWith(String entry, Value... arguments) {
    EntryPoint called = entry(entry);
    EntryPoint.Parameter[] parameters = called.parameters();
    int[] copied =
        IntStream.range(0, Math.min(parameters.length, arguments.length))
            .filter(i -> parameters[i].unique())
            .toArray();
    return unshared(run(Arrays.asList(ordered).indexOf(called), copied, arguments), arguments);
  }

  /**
   * Calls an entry point with values.
   *
   * @param entry the position of the entry point
   * @param copied the positions of the arguments that the call consumes and the caller keeps
   * @return the result, whose arrays are on the device if the program runs on one
   */
  Value run(int entry, int[] copied, Value... arguments) {
    Value[] values = copied.length == 0 ? arguments : arguments.clone();
    for (int i : copied) {
      values[i] = isOnDevice(values[i]) ? copyOnDevice(values[i]) : copyOnHost(values[i]);
    }
    if (closed) {
      throw new IllegalStateException("the program is closed");
    }
    return context.run(ordered[entry], values);
  }

  private static Value copyOnHost(Value value) {
    Value[] parts = Opaques.parts(value).clone();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof ArrayValue a) {
        parts[i] = new ArrayValue(a.elemType(), a.shape().clone(), JavaArrays.copy(a));
      }
    }
    return Opaques.withParts(value, parts);
  }

  /** Frees the memory blocks of a result on a device that no argument shares. */
  void releaseResult(Value result, Value[] arguments) {
    if (context.accelerator() != null) {
      release(result, arguments);
    }
  }

  private boolean isOnDevice(@Nullable Object argument) {
    return context.accelerator() != null
        && argument instanceof Value value
        && Arrays.stream(Opaques.parts(value))
            .anyMatch(p -> p instanceof ArrayValue a && !(a.store() instanceof HostArray));
  }

  private Value copyOnDevice(Value value) {
    Value[] parts = Opaques.parts(value).clone();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof ArrayValue a) {
        parts[i] = context.values().copy(a);
      }
    }
    return Opaques.withParts(value, parts);
  }

  /** Tests whether a Java value contains values of the program, such as device arrays. */
  private static boolean hasValues(@Nullable Object x) {
    return switch (x) {
      case null -> false;
      case Value v -> true;
      case Object[] array -> Arrays.stream(array).anyMatch(LoadedProgram::hasValues);
      case Record r -> hasValues(r.getClass());
      default -> false;
    };
  }

  private static boolean hasValues(Class<?> c) {
    return Value.class.isAssignableFrom(c)
        || c.isAssignableFrom(Value.class)
        || c.isRecord()
            && Arrays.stream(c.getRecordComponents()).anyMatch(x -> hasValues(x.getType()));
  }

  /** Returns the result, with copies of the arrays that share a memory block with an argument. */
  Value unshared(Value result, Value[] arguments) {
    Set<Object> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Value argument : arguments) {
      for (Value part : Opaques.parts(argument)) {
        if (part instanceof ArrayValue a) {
          blocks.add(a.store().block());
        }
      }
    }
    Value[] parts = Opaques.parts(result);
    boolean copied = false;
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof ArrayValue a && blocks.contains(a.store().block())) {
        if (!copied) {
          parts = parts.clone();
          copied = true;
        }
        parts[i] =
            a.store() instanceof HostArray
                ? new ArrayValue(a.elemType(), a.shape().clone(), JavaArrays.copy(a))
                : context.values().copy(a);
      }
    }
    return copied ? Opaques.withParts(result, parts) : result;
  }

  /**
   * Returns an implementation of an interface whose methods are entry points. A method's name is
   * the entry point's name, or its camel-case form ({@code dotProduct} for {@code dot_product}).
   * Default methods keep their implementation. If the interface extends {@link AutoCloseable}, its
   * {@code close} closes this program.
   *
   * @param type an interface that this module can access
   * @throws IllegalArgumentException if a method matches no entry point, or its types do not fit
   */
  public <T> T bind(Class<T> type) {
    Map<Method, EntryPoint> bound = new HashMap<>();
    for (Method method : type.getMethods()) {
      if (!method.isDefault() && !Modifier.isStatic(method.getModifiers()) && !isClose(method)) {
        bound.put(method, entryFor(method));
      }
    }
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          @Nullable Object[] actual = arguments == null ? new Object[0] : arguments;
          EntryPoint entry = bound.get(method);
          if (entry != null) {
            return call(entry, actual, method.getReturnType());
          }
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, actual);
          }
          return switch (method.getName()) {
            case "close" -> {
              close();
              yield null;
            }
            case "equals" -> proxy == actual[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> type.getSimpleName() + entries.keySet();
          };
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static boolean isClose(Method method) {
    return method.getName().equals("close")
        && method.getParameterCount() == 0
        && AutoCloseable.class.isAssignableFrom(method.getDeclaringClass());
  }

  private EntryPoint entryFor(Method method) {
    EntryPoint entry = entries.get(method.getName());
    if (entry == null) {
      String words =
          method.getName().replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
      entry = entry(words);
    }
    Class<?>[] types = method.getParameterTypes();
    EntryPoint.Parameter[] parameters = entry.parameters();
    if (types.length != parameters.length) {
      throw new IllegalArgumentException(
          method
              + " has "
              + types.length
              + " parameters, entry point "
              + entry.name()
              + " has "
              + parameters.length);
    }
    for (int i = 0; i < types.length; i++) {
      if (!JavaValues.fits(parameters[i].type(), types[i], false)) {
        throw new IllegalArgumentException(
            "parameter "
                + (i + 1)
                + " of "
                + method
                + " does not fit type "
                + parameters[i].type().name()
                + " of entry point "
                + entry.name());
      }
    }
    if (!JavaValues.fits(entry.result(), method.getReturnType(), true)) {
      throw new IllegalArgumentException(
          "the result of "
              + method
              + " does not fit type "
              + entry.result().name()
              + " of entry point "
              + entry.name());
    }
    return entry;
  }

  /** Waits for the running call and then stops the program's worker threads. */
  @Override
  public void close() {
    closed = true;
    context.close();
  }
}
