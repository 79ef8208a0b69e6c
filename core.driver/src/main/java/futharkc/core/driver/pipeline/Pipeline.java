package futharkc.core.driver.pipeline;

import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.plan.PassOptions;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The executor of plans. One object serves one compilation. */
public final class Pipeline {
  private final Registry registry;
  private final Settings settings;
  private final AnalysisCache analyses = new AnalysisCache();
  private final List<PassRemark> remarks = new ArrayList<>();
  private final Changes limited;
  private final Verifications verifications;
  private final BooleanSupplier cancelled;

  /** The budget of changes of the running pass. */
  private Changes changes = ANY;

  private static final Changes ANY = new Changes(-1);

  /**
   * The settings of an execution.
   *
   * @param machine the machine that the program is for
   * @param threads the number of threads that transform functions
   * @param verifier a check that throws for an ill-formed program; null: programs are not verified
   * @param crashes the writer of a reproducer if a pass fails; null: no reproducer
   * @param timings the record of the times of passes and verifier
   * @param observers the observers, called after each pass in list order
   * @param cancelled a predicate that passes poll; true stops the compilation
   * @param changes the number of changes that passes may make; negative: no limit
   */
  public record Settings(
      Machine machine,
      int threads,
      @Nullable Consumer<Ir> verifier,
      @Nullable CrashReport crashes,
      Timings timings,
      List<PassObserver> observers,
      BooleanSupplier cancelled,
      long changes) {
    /** Copies the list. */
    public Settings {
      observers = List.copyOf(observers);
    }

    /** Creates settings with an unlimited number of changes. */
    public Settings(
        Machine machine,
        int threads,
        @Nullable Consumer<Ir> verifier,
        @Nullable CrashReport crashes,
        Timings timings,
        List<PassObserver> observers,
        BooleanSupplier cancelled) {
      this(machine, threads, verifier, crashes, timings, observers, cancelled, -1);
    }

    /** Returns these settings with a limit on the number of changes; negative: no limit. */
    public Settings withChanges(long changes) {
      return new Settings(
          machine, threads, verifier, crashes, timings, observers, cancelled, changes);
    }
  }

  public Pipeline(Registry registry, Settings settings) {
    this.registry = registry;
    this.settings = settings;
    this.limited = new Changes(settings.changes());
    // Observers receive only verified programs, so with observers the verifier runs before the
    // next pass.
    this.verifications =
        new Verifications(settings.threads() > 1 && settings.observers().isEmpty());
    this.cancelled = () -> verifications.haveFailed() || settings.cancelled().getAsBoolean();
  }

  /** Returns the remarks of the passes, in the order of the passes and functions. */
  public List<PassRemark> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Runs a plan or a prefix of a plan.
   *
   * @param steps the number of passes to run
   * @throws PassException if a pass reports a limitation
   * @throws CompilerBugException if a pass fails or produces an ill-formed program
   * @throws CancellationException if the compilation is cancelled
   */
  public Ir run(Ir start, Plan plan, int steps) {
    try {
      Ir program = start;
      verify(program, null, plan, 0);
      for (int i = 0; i < steps; i++) {
        Plan.Step step = plan.steps().get(i);
        program = step(program, step, plan, i);
        for (PassObserver observer : settings.observers()) {
          observer.after(i, step, program);
        }
      }
      verifications.finish();
      settings.timings().analyses(analyses.statistics());
      return program;
    } finally {
      verifications.drop();
    }
  }

  private Ir step(Ir before, Plan.Step step, Plan plan, int index) {
    Registry.RegisteredPass registered = registry.passes().get(step.pass().name());
    if (registered == null) {
      throw new IllegalArgumentException("a plan with an unknown pass: " + step.pass());
    }
    if (cancelled.getAsBoolean()) {
      throw givenUp();
    }
    String name = step.pass().name();
    changes = isNeeded(plan, index, registered.info()) ? ANY : limited;
    if (!changes.mayGoOn()) {
      return before;
    }
    Ir after;
    try {
      PassOptions options = new PassOptions(registered.info(), step.pass());
      after =
          settings
              .timings()
              .measure(
                  name,
                  Timings.Kind.PASS,
                  () -> transform(registered.pass(), name, options, before));
    } catch (CancellationException e) {
      throw verifications.haveFailed() ? givenUp() : e;
    } catch (PassException e) {
      verifications.finish();
      throw registered.builtIn()
          ? e
          : new PassException(e.loc(), e.getMessage() + " (" + who(registered) + ")");
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      // A plugin can throw anything, checked exceptions of other JVM languages included.
      // An ill-formed program can make a later pass fail. Then the error of the verifier takes
      // precedence.
      verifications.finish();
      throw failure(
          registered, "failed: " + CompilerBugException.describe(e), e, before, plan, index);
    }
    Rep expected = step.after().rep();
    if (after.rep() != expected) {
      throw failure(
          registered,
          "declares the result representation " + expected + ", but produced " + after.rep(),
          null,
          before,
          plan,
          index);
    }
    if (after != before) {
      verify(after, before, plan, index);
    }
    return after;
  }

  private CancellationException givenUp() {
    if (verifications.haveFailed()) {
      verifications.finish();
    }
    return new CancellationException("the compilation has been cancelled");
  }

  /**
   * Tests whether a later step of the plan depends on a pass: the pass changes the representation
   * or establishes a required property.
   */
  private boolean isNeeded(Plan plan, int index, PassInfo info) {
    Plan.Step step = plan.steps().get(index);
    if (step.before().rep() != step.after().rep()) {
      return true;
    }
    for (Plan.Step later : plan.steps().subList(index + 1, plan.steps().size())) {
      Registry.RegisteredPass p = registry.passes().get(later.pass().name());
      if (p != null && !Collections.disjoint(p.info().requires(), info.establishes())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the result of a pass, or the input of the pass if the budget of changes is exhausted.
   */
  private <T> T allowed(String function, T before, T after, RunContext context) {
    if (after == before || !changes.areLimited()) {
      return after;
    }
    if (!context.counts()) {
      if (!changes.mayGoOn()) {
        return before;
      }
      changes.count();
    }
    if (!changes.mayGoOn()) {
      context.remark(Remark.Kind.NOTE, function, Loc.NONE, "last change within --bisect-limit");
    }
    return after;
  }

  private Ir transform(Pass pass, String name, PassOptions options, Ir program) {
    return switch (pass) {
      case Pass.OnProgram p ->
          whole(
              name, options, c -> allowed("the program", program, p.run(ofArrays(program), c), c));
      case Pass.Lowering p -> whole(name, options, c -> p.run(ofArrays(program), c));
      case Pass.OnFunction p -> transformFunctions(p, name, options, ofArrays(program));
      case Pass.OnImperative p -> transformImperative(p, name, options, imperative(program));
      case Pass.OnImperativeProgram p ->
          whole(
              name,
              options,
              c -> allowed("the program", program, p.run(imperative(program), c), c));
    };
  }

  private Ir whole(String name, PassOptions options, Function<RunContext, Ir> run) {
    RunContext context = new RunContext(options, settings.machine(), analyses, cancelled, changes);
    try {
      return Objects.requireNonNull(run.apply(context), "the pass returned no program");
    } finally {
      keep(name, context);
    }
  }

  private static Program ofArrays(Ir ir) {
    return switch (ir) {
      case Program p -> p;
      case ImperativeProgram p ->
          throw new IllegalStateException("the pass accepts array programs, not " + p.rep());
    };
  }

  private static ImperativeProgram imperative(Ir ir) {
    return switch (ir) {
      case ImperativeProgram p -> p;
      case Program p ->
          throw new IllegalStateException("the pass accepts imperative programs, not " + p.rep());
    };
  }

  private ImperativeProgram transformImperative(
      Pass.OnImperative pass, String name, PassOptions options, ImperativeProgram program) {
    List<ImperativeProgram.Function> before = new ArrayList<>(program.functions());
    before.add(program.initialise());
    List<ImperativeProgram.Function> after =
        each(
            name,
            options,
            before.size(),
            (i, c) -> {
              ImperativeProgram.Function f = before.get(i);
              return allowed(f.name(), f, pass.run(f, program, c), c);
            });
    boolean changed = false;
    for (int i = 0; i < before.size(); i++) {
      changed |= after.get(i) != before.get(i);
      sameName(before.get(i).name(), after.get(i).name());
    }
    if (!changed) {
      return program;
    }
    return program.with(after.getLast(), after.subList(0, after.size() - 1));
  }

  /**
   * Runs a pass on each of several functions in parallel. The remarks keep the order of the
   * functions.
   */
  private <R> List<R> each(
      String name, PassOptions options, int count, BiFunction<Integer, RunContext, R> run) {
    List<RunContext> contexts =
        IntStream.range(0, count)
            .mapToObj(
                i -> new RunContext(options, settings.machine(), analyses, cancelled, changes))
            .toList();
    List<R> results =
        InParallel.map(
            changes.areLimited() ? 1 : settings.threads(),
            count,
            i -> run.apply(i, contexts.get(i)));
    contexts.forEach(c -> keep(name, c));
    return results;
  }

  private static void sameName(String before, String after) {
    if (!after.equals(before)) {
      throw new IllegalStateException("the pass renamed the function " + before + " to " + after);
    }
  }

  private Program transformFunctions(
      Pass.OnFunction pass, String name, PassOptions options, Program before) {
    RunContext forConstants =
        new RunContext(options, settings.machine(), analyses, cancelled, changes);
    Program program;
    try {
      Program made = pass.runOnConstants(before, forConstants);
      program = allowed("the constants", before, made, forConstants);
    } finally {
      keep(name, forConstants);
    }
    List<FunDef> functions = new ArrayList<>(program.functions().values());
    List<FunDef> results =
        each(
            name,
            options,
            functions.size(),
            (i, c) -> {
              FunDef f = functions.get(i);
              return allowed(f.name(), f, pass.run(f, program, c), c);
            });
    Map<String, FunDef> all = new LinkedHashMap<>();
    boolean changed = false;
    for (int i = 0; i < results.size(); i++) {
      FunDef result = results.get(i);
      changed |= result != functions.get(i);
      sameName(functions.get(i).name(), result.name());
      all.put(result.name(), result);
    }
    return changed ? program.withFunctions(all) : program;
  }

  private void keep(String pass, RunContext context) {
    for (Remark remark : context.remarks()) {
      remarks.add(new PassRemark(pass, remark));
    }
  }

  /**
   * Verifies a program, possibly in parallel with later passes.
   *
   * @param before the input of the pass that produced the program; null for the first program
   */
  private void verify(Ir program, @Nullable Ir before, Plan plan, int index) {
    Consumer<Ir> verifier = settings.verifier();
    if (verifier == null) {
      return;
    }
    String after = before == null ? "input" : plan.steps().get(index).pass().name();
    Timings.Stage<Ir> check =
        settings
            .timings()
            .measured(
                "verify " + after,
                Timings.Kind.VERIFIER,
                () -> {
                  verifier.accept(program);
                  return program;
                });
    verifications.add(() -> verify(check, after, before, plan, index));
  }

  private void verify(
      Timings.Stage<Ir> check, String after, @Nullable Ir before, Plan plan, int index) {
    try {
      check.run();
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      String found = e.getMessage() == null ? e.toString() : e.getMessage();
      if (before == null) {
        throw new CompilerBugException(
            "The input of the first pass is ill-formed: " + found, e, null);
      }
      Registry.RegisteredPass pass = registry.passes().get(after);
      if (pass == null) {
        throw new IllegalStateException(e);
      }
      throw failure(pass, "produced an ill-formed program: " + found, e, before, plan, index);
    }
  }

  private CompilerBugException failure(
      Registry.RegisteredPass pass,
      String what,
      @Nullable Throwable cause,
      Ir before,
      Plan plan,
      int index) {
    String message = "The " + who(pass) + " " + what;
    CrashReport crashes = settings.crashes();
    if (crashes == null) {
      return new CompilerBugException(message, cause, null);
    }
    CrashReport.Written written = crashes.write(before, plan, index, message);
    Path file = written.file();
    return new CompilerBugException(message + "\n" + written.advice(), cause, file);
  }

  private static String who(Registry.RegisteredPass pass) {
    return "pass " + pass.info().name() + (pass.builtIn() ? "" : " of plugin " + pass.origin());
  }
}
