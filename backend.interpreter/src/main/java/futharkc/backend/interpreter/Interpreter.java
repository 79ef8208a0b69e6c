package futharkc.backend.interpreter;

import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An interpreter of programs in every representation. It runs one operation after the other, and
 * checks properties of every correct program: index ranges, block bounds, and the sizes and memory
 * annotations in types.
 *
 * <p>In imperative programs, it also detects accesses outside a block or after its release, and
 * double and missing releases. It detects results that depend on unwritten elements, and races
 * between chunks of a parallel region.
 */
public final class Interpreter {
  /** The size of the Java stack in bytes; calls from loops and array operations use it. */
  private static final long STACK_BYTES = 1L << 29;

  private final Ir program;
  private final Options options;
  private @Nullable Evaluation evaluation;

  /** Creates an interpreter of a program, which must satisfy the verifier's rules. */
  public Interpreter(Ir program, Options options) {
    this.program = program;
    this.options = options;
  }

  /** Calls an entry point or function of a program with default options: see {@link #call}. */
  public static List<Value> run(Ir program, String entry, List<Value> args) {
    return new Interpreter(program, Options.DEFAULT).call(entry, args);
  }

  /** Calls an entry point or function of a program: see {@link #call}. */
  public static List<Value> run(Ir program, String entry, List<Value> args, Options options) {
    return new Interpreter(program, options).call(entry, args);
  }

  /**
   * Evaluates the constants if they have not been evaluated.
   *
   * @throws FutharkError as {@link #call}
   */
  public void initialise() {
    onDeepStack(
        () -> {
          evaluation();
          return List.of();
        });
  }

  /**
   * Calls an entry point. The arguments stay unchanged.
   *
   * @param entry the name of the entry point; in a program of arrays also the name of a function
   *     that is not an entry point
   * @param args the scalars and arrays that represent the arguments; an opaque value counts as its
   *     components
   * @return the scalars and arrays that represent the result
   * @throws FutharkError if a check of the program fails, or the arguments' sizes do not fit
   * @throws Fault if the program violates a rule of the representation
   * @throws IllegalArgumentException if there is no such entry point, or the arguments' types do
   *     not fit
   */
  public List<Value> call(String entry, List<Value> args) {
    return onDeepStack(() -> evaluation().call(entry, args));
  }

  /** Returns the device operations of a GPU program since the evaluation of its constants began. */
  public DeviceActivity activity() {
    return evaluation().activity();
  }

  private synchronized Evaluation evaluation() {
    if (evaluation == null) {
      evaluation =
          switch (program) {
            case Program p -> new Machine(p, options);
            case ImperativeProgram p -> new ImperativeMachine(p, options);
          };
    }
    return evaluation;
  }

  /** A computation on another thread, and its result or exception. */
  private static final class Task implements Runnable {
    private final Supplier<List<Value>> work;
    private List<Value> result = List.of();
    private @Nullable Throwable failure;

    Task(Supplier<List<Value>> work) {
      this.work = work;
    }

    @Override
    public void run() {
      try {
        result = work.get();
      } catch (StackOverflowError e) {
        failure = new FutharkError("Stack overflow: the recursion is too deep.");
      } catch (OutOfMemoryError e) {
        failure =
            new FutharkError(
                "Out of memory: the Java heap is limited to "
                    + Runtime.getRuntime().maxMemory()
                    + " bytes.");
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }
  }

  private static List<Value> onDeepStack(Supplier<List<Value>> work) {
    Task task = new Task(work);
    Thread thread = new Thread(null, task, "futhark interpreter", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new FutharkError("Interrupted.");
    }
    switch (task.failure) {
      case null -> {
        return task.result;
      }
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(task.failure);
    }
  }
}
