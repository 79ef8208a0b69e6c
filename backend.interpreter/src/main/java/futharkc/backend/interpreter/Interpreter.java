package futharkc.backend.interpreter;

import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates programs of every representation, one operation after the other, checking on the way
 * what right programs never do: indices out of range, access outside a block, sizes and places in
 * memory other than types say. Of imperative programs: accesses outside a block or after its
 * release, blocks released twice or never, results that depend on what was never written, and
 * chunks of a parallel region that access the same element in no order.
 */
public final class Interpreter {
  /** For calls from loops and array operations, which are on Java's stack. */
  private static final long STACK_BYTES = 1L << 29;

  private final Ir program;
  private final Options options;
  private @Nullable Evaluation evaluation;

  /** Of a program, which is assumed to keep the verifier's rules. */
  public Interpreter(Ir program, Options options) {
    this.program = program;
    this.options = options;
  }

  /** Calls an entry point (or function) of a program, with default options: see {@link #call}. */
  public static List<Value> run(Ir program, String entry, List<Value> args) {
    return new Interpreter(program, Options.DEFAULT).call(entry, args);
  }

  /** As {@link #run(Ir, String, List)}. */
  public static List<Value> run(Ir program, String entry, List<Value> args, Options options) {
    return new Interpreter(program, options).call(entry, args);
  }

  /**
   * Evaluates the constants, unless they have been.
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
   * Calls an entry point. The arguments are not changed.
   *
   * @param entry its name; of a program of arrays, a function that is no entry point may be called
   *     by the function's name
   * @param args the scalars and arrays that represent the arguments (opaque values count as their
   *     parts)
   * @return the scalars and arrays that represent the result
   * @throws FutharkError if a check of the program fails, or the arguments' sizes do not fit
   * @throws Fault if the program does what right programs do not
   * @throws IllegalArgumentException if there is no such entry point, or the arguments' types do
   *     not fit
   */
  public List<Value> call(String entry, List<Value> args) {
    return onDeepStack(() -> evaluation().call(entry, args));
  }

  /** What programs for a GPU had their device do, since they began with the constants. */
  public DeviceActivity activity() {
    return evaluation() instanceof Machine m ? m.device().activity() : DeviceActivity.NONE;
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

  /** A computation and what came of it. */
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
