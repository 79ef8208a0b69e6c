package futharkc.tests.oracle;

import futharkc.core.language.frontend.FrontEnd;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.language.typed.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An interpreter of checked syntax trees. */
public final class Oracle {
  private static final long STACK_BYTES = 1L << 29;

  private final Program program;
  private final long steps;

  /**
   * Creates an oracle for a program.
   *
   * @param steps the maximal number of expressions that a call may evaluate
   */
  public Oracle(FrontEnd.CheckedProgram program, long steps) {
    this.program = program.program();
    this.steps = steps;
  }

  /** The outcome of a call: a value, an error of the program, or no answer of the oracle. */
  sealed interface Outcome {
    /** A value. */
    record Returned(Val value) implements Outcome {}

    /** A run-time error of the program. */
    record Failed(String message) implements Outcome {}

    /** A value that does not have the checker's type, or a size without a value. */
    record Wrong(String message) implements Outcome {}

    /** An unsupported or too long evaluation. */
    record Open(String message) implements Outcome {}
  }

  /** Calls an entry point, on a large stack. */
  Outcome call(String entry, List<Val> args) {
    EntryPoint found =
        program.entryPoints().stream()
            .filter(e -> e.name().equals(entry))
            .findFirst()
            .orElseThrow();
    Outcome[] outcome = new Outcome[1];
    Thread thread =
        new Thread(null, () -> outcome[0] = outcome(found, args), "oracle", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Outcome.Open("interrupted");
    }
    @Nullable Outcome result = outcome[0];
    if (result == null) {
      throw new IllegalStateException("the oracle ended without an outcome");
    }
    return result;
  }

  private Outcome outcome(EntryPoint entry, List<Val> args) {
    try {
      return new Outcome.Returned(new TreeInterpreter(program, steps).call(entry, args));
    } catch (ProgramFailureException e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } catch (TypeViolationException
        | UnboundNameException
        | ClassCastException
        | NullPointerException e) {
      StackTraceElement[] trace = e.getStackTrace();
      return new Outcome.Wrong(e + (trace.length > 0 ? " at " + trace[0] : ""));
    } catch (UnsupportedException e) {
      return new Outcome.Open(String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      return new Outcome.Open("stack overflow");
    }
  }
}
