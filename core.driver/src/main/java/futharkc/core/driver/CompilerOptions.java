package futharkc.core.driver;

import futharkc.core.driver.pipeline.PassObserver;
import futharkc.core.driver.plan.PassSelection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a compilation. Objects are immutable: the {@code with} methods return amended copies.
 *
 * @param target the name of a backend's target, such as {@code multicore} or {@code c}
 * @param passes the selection of passes
 * @param plan the exact sequence of passes; null: the solver finds a sequence
 * @param stopAfter the pass after whose last run to stop; null: all passes run
 * @param verify the checks of the program after every pass
 * @param threads the number of threads that transform functions; results do not depend on it
 * @param safe whether to ignore the attribute {@code #[unsafe]}
 * @param entryPoints functions to make entry points besides the entry points of the source
 * @param crashFolder the folder for a reproducer if the compiler fails; null: no reproducer
 * @param observers observers that are called after every pass
 * @param cancelled a predicate that passes poll; true stops the compilation
 * @param changes the number of changes that passes may make, to bisect a miscompilation; negative:
 *     no limit
 */
public record CompilerOptions(
    String target,
    PassSelection passes,
    @Nullable String plan,
    @Nullable String stopAfter,
    Verification verify,
    int threads,
    boolean safe,
    List<String> entryPoints,
    @Nullable Path crashFolder,
    List<PassObserver> observers,
    BooleanSupplier cancelled,
    long changes) {
  /**
   * The default passes for multicore CPUs. Memory is verified if Java's assertions are enabled, as
   * in tests.
   */
  public static final CompilerOptions DEFAULT =
      new CompilerOptions(
          "multicore",
          PassSelection.DEFAULT,
          null,
          null,
          CompilerOptions.class.desiredAssertionStatus() ? Verification.MEMORY : Verification.FORM,
          Runtime.getRuntime().availableProcessors(),
          false,
          List.of(),
          null,
          List.of(),
          () -> false,
          -1);

  /** Copies the collections. */
  public CompilerOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("the number of threads must be positive: " + threads);
    }
    entryPoints = List.copyOf(entryPoints);
    observers = List.copyOf(observers);
  }

  /** Returns these options with another target. */
  public CompilerOptions withTarget(String target) {
    return with(d -> d.target = target);
  }

  /** Returns these options with another selection of passes. */
  public CompilerOptions withPasses(PassSelection passes) {
    return with(d -> d.passes = passes);
  }

  /** Returns these options with a selection of passes in the syntax of {@code --passes}. */
  public CompilerOptions withPasses(String passes) {
    return withPasses(PassSelection.parse(passes));
  }

  /**
   * Returns these options with an exact sequence of passes in the syntax of {@code --plan}; null:
   * the solver finds a sequence.
   */
  public CompilerOptions withPlan(@Nullable String plan) {
    return with(d -> d.plan = plan);
  }

  /** Returns these options with the pass after whose last run to stop; null: all passes run. */
  public CompilerOptions withStopAfter(@Nullable String pass) {
    return with(d -> d.stopAfter = pass);
  }

  /** Returns these options with other checks after every pass. */
  public CompilerOptions withVerify(Verification verify) {
    return with(d -> d.verify = verify);
  }

  /** Returns these options with another number of threads, at least 1. */
  public CompilerOptions withThreads(int threads) {
    return with(d -> d.threads = threads);
  }

  /** Returns these options with another choice of whether to ignore {@code #[unsafe]}. */
  public CompilerOptions withSafe(boolean safe) {
    return with(d -> d.safe = safe);
  }

  /** Returns these options with other additional entry points. */
  public CompilerOptions withEntryPoints(List<String> entryPoints) {
    return with(d -> d.entryPoints = entryPoints);
  }

  /** Returns these options with another folder for reproducers; null: no reproducers. */
  public CompilerOptions withCrashFolder(@Nullable Path folder) {
    return with(d -> d.crashFolder = folder);
  }

  /** Returns these options with one more observer. */
  public CompilerOptions withObserver(PassObserver observer) {
    List<PassObserver> all = new ArrayList<>(observers);
    all.add(observer);
    return with(d -> d.observers = all);
  }

  /** Returns these options with another predicate for cancellation. */
  public CompilerOptions withCancelled(BooleanSupplier cancelled) {
    return with(d -> d.cancelled = cancelled);
  }

  /** Returns these options with a limit on the number of changes of passes; negative: no limit. */
  public CompilerOptions withChanges(long changes) {
    return with(d -> d.changes = changes);
  }

  private CompilerOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of options, for the {@code with} methods. */
  private static final class Draft {
    String target;
    PassSelection passes;
    @Nullable String plan;
    @Nullable String stopAfter;
    Verification verify;
    int threads;
    boolean safe;
    List<String> entryPoints;
    @Nullable Path crashFolder;
    List<PassObserver> observers;
    BooleanSupplier cancelled;
    long changes;

    Draft(CompilerOptions o) {
      target = o.target;
      passes = o.passes;
      plan = o.plan;
      stopAfter = o.stopAfter;
      verify = o.verify;
      threads = o.threads;
      safe = o.safe;
      entryPoints = o.entryPoints;
      crashFolder = o.crashFolder;
      observers = o.observers;
      cancelled = o.cancelled;
      changes = o.changes;
    }

    CompilerOptions options() {
      return new CompilerOptions(
          target,
          passes,
          plan,
          stopAfter,
          verify,
          threads,
          safe,
          entryPoints,
          crashFolder,
          observers,
          cancelled,
          changes);
    }
  }
}
