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
 * How to compile. Immutable: the {@code with} methods return an amended copy of {@link #DEFAULT} or
 * of one another.
 *
 * @param target a backend's target, such as {@code multicore} or {@code c}
 * @param passes which passes to use
 * @param plan the exact sequence of passes; null: find one
 * @param stopAfter the pass after whose last run to stop; null: go on to the end
 * @param verify what to check of the program after every pass
 * @param threads how many threads transform functions; results do not depend on it
 * @param safe whether to ignore the attribute {@code #[unsafe]}
 * @param entryPoints functions to make entry points besides those of the source
 * @param crashFolder where to leave a reproducer if the compiler fails; null: nowhere
 * @param observers are told of every pass
 * @param cancelled asked now and then whether to give up
 * @param changes how many changes passes may make, to find the one that goes wrong; negative for
 *     any number
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
   * The default passes, for multicore CPUs. Memory is verified where Java's assertions are on, as
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

  /** Makes unmodifiable copies. */
  public CompilerOptions {
    if (threads < 1) throw new IllegalArgumentException("no threads: " + threads);
    entryPoints = List.copyOf(entryPoints);
    observers = List.copyOf(observers);
  }

  /** For another target. */
  public CompilerOptions withTarget(String target) {
    return with(d -> d.target = target);
  }

  /** With other passes. */
  public CompilerOptions withPasses(PassSelection passes) {
    return with(d -> d.passes = passes);
  }

  /** With passes in the syntax of {@code --passes}. */
  public CompilerOptions withPasses(String passes) {
    return withPasses(PassSelection.parse(passes));
  }

  /** With an exact sequence of passes, in the syntax of {@code --plan}. */
  public CompilerOptions withPlan(@Nullable String plan) {
    return with(d -> d.plan = plan);
  }

  /** Only up to the last run of a pass. */
  public CompilerOptions withStopAfter(@Nullable String pass) {
    return with(d -> d.stopAfter = pass);
  }

  /** With these checks after every pass. */
  public CompilerOptions withVerify(Verification verify) {
    return with(d -> d.verify = verify);
  }

  /** With that many threads, at least one. */
  public CompilerOptions withThreads(int threads) {
    return with(d -> d.threads = threads);
  }

  /** With or without regard for {@code #[unsafe]}. */
  public CompilerOptions withSafe(boolean safe) {
    return with(d -> d.safe = safe);
  }

  /** With further entry points. */
  public CompilerOptions withEntryPoints(List<String> entryPoints) {
    return with(d -> d.entryPoints = entryPoints);
  }

  /** With reproducers left in a folder. */
  public CompilerOptions withCrashFolder(@Nullable Path folder) {
    return with(d -> d.crashFolder = folder);
  }

  /** With one more observer. */
  public CompilerOptions withObserver(PassObserver observer) {
    List<PassObserver> all = new ArrayList<>(observers);
    all.add(observer);
    return with(d -> d.observers = all);
  }

  /** With a way to cancel. */
  public CompilerOptions withCancelled(BooleanSupplier cancelled) {
    return with(d -> d.cancelled = cancelled);
  }

  /** With so many changes of passes allowed; any number, if negative. */
  public CompilerOptions withChanges(long changes) {
    return with(d -> d.changes = changes);
  }

  private CompilerOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options being amended. */
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
