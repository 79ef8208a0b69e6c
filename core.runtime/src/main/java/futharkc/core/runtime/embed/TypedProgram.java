package futharkc.core.runtime.embed;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.TypeTable;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of the typed classes in libraries. A subclass has a method for each entry point of
 * one program.
 *
 * <p>Any thread may call the methods. As many calls run at a time as {@link ProgramSettings#calls}
 * says; others wait. A call ends early if its thread is interrupted.
 */
public abstract class TypedProgram implements AutoCloseable {
  private final String target;
  private final ProgramPool pool;
  private final TypeTable types;

  /**
   * The code of a program for one target.
   *
   * @param name the target, such as {@code multicore}
   * @param maker a function that returns a new instance of the program
   */
  public record TargetCode(String name, Supplier<FutharkProgram> maker) {}

  /**
   * Loads the program.
   *
   * @param settings the settings
   * @param codes the targets of the library, the preferred first
   * @throws FutharkError if this machine can run none of the targets, or not the target that the
   *     settings name
   * @throws IllegalArgumentException if the library was not compiled for the target that the
   *     settings name
   */
  protected TypedProgram(ProgramSettings settings, TargetCode... codes) {
    Opened opened = open(settings, codes);
    target = opened.target();
    pool = opened.pool();
    types = new TypeTable(pool.any().context().program());
  }

  private record Opened(String target, ProgramPool pool) {}

  private static Opened open(ProgramSettings settings, TargetCode[] codes) {
    String wanted = settings.target();
    List<FutharkError> failures = new ArrayList<>();
    for (TargetCode code : codes) {
      if (wanted == null || wanted.equals(code.name())) {
        try {
          return new Opened(code.name(), new ProgramPool(code.maker(), settings));
        } catch (FutharkError e) {
          failures.add(e);
        }
      }
    }
    if (failures.isEmpty()) {
      throw new IllegalArgumentException(
          "the program was compiled for "
              + String.join(", ", Arrays.stream(codes).map(TargetCode::name).toList())
              + ", not for "
              + wanted);
    }
    FutharkError last = failures.removeLast();
    failures.forEach(last::addSuppressed);
    throw last;
  }

  /**
   * Returns a new instance of a program class; for subclasses, which see classes of their own
   * module.
   *
   * @param constructor a call of the class's constructor by reflection
   * @throws IllegalStateException if the class is missing or not a program
   */
  protected static FutharkProgram instance(ReflectiveConstructor constructor) {
    try {
      return (FutharkProgram) constructor.call();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the code of the program is missing: " + e.getMessage(), e);
    }
  }

  /** A call of a constructor by reflection. */
  @FunctionalInterface
  protected interface ReflectiveConstructor {
    /** Returns the new object. */
    Object call() throws ReflectiveOperationException;
  }

  /** Returns the target of the running code, such as {@code multicore}. */
  public final String target() {
    return target;
  }

  /** Returns the type of the program that has a name. */
  protected final ValueType.Opaque type(String name) {
    if (types.find(name) instanceof ValueType.Opaque type) {
      return type;
    }
    throw new IllegalStateException("the program has no type " + name);
  }

  /**
   * Calls an entry point and converts its result. The memory of the result is then released if it
   * is on a device.
   *
   * @param entry the position of the entry point
   * @param copied the positions of the arguments that the call consumes and the caller keeps
   * @param result the conversion, which copies what it needs
   */
  protected final <T extends @Nullable Object> T call(
      int entry, int[] copied, Function<Value, T> result, Value... arguments) {
    return pool.with(
        program -> {
          Value value = program.run(entry, copied, arguments);
          try {
            return result.apply(BindingValues.onHost(value));
          } finally {
            program.releaseResult(value, arguments);
          }
        });
  }

  /**
   * Calls an entry point and leaves its result in the memory of the program. The result shares no
   * memory with arguments.
   *
   * @param entry the position of the entry point
   * @param copied the positions of the arguments that the call consumes and the caller keeps
   */
  protected final Value callInPlace(int entry, int[] copied, Value... arguments) {
    return pool.with(program -> program.unshared(program.run(entry, copied, arguments), arguments));
  }

  /**
   * Copies an array to the memory of the program: its device, if it runs on one. Calls then read
   * the array there. The copy lives until {@link #release}.
   */
  public final ArrayValue adopt(ArrayValue array) {
    return pool.with(program -> program.adopt(array));
  }

  /**
   * Frees the memory of a value that a call left on a device or that {@link #adopt} returned. The
   * value must not be used afterwards. Values on the host need no release.
   */
  public final void release(Value value) {
    pool.with(
        program -> {
          program.release(value);
          return value;
        });
  }

  /** Ends the running calls and the worker threads, and closes the device. */
  @Override
  public final void close() {
    pool.close();
  }
}
