package futharkc.core.driver;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.codegen.product.ExecutableFile;
import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.failure.PlanException;
import futharkc.core.driver.failure.PluginException;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.driver.pipeline.CrashReport;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.core.driver.pipeline.IrText;
import futharkc.core.driver.pipeline.Pipeline;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.PassNames;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.driver.plan.Wording;
import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.text.ParseException;
import futharkc.core.ir.verify.VerificationException;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.format.Formatter;
import futharkc.core.language.index.Analyser;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.runtime.FutharkProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The compiler. Its only state is its set of passes and backends, so several threads can share one
 * object.
 *
 * <pre>{@code
 * Compiled compiled = Compiler.create().compile(Source.ofFile(path), CompilerOptions.DEFAULT);
 * try (LoadedProgram program = compiled.load()) {
 *   double result = (double) program.call("main", xs, ys);
 * }
 * }</pre>
 */
public final class Compiler {
  /**
   * The target that interprets programs in every representation. It is the reference for all other
   * targets.
   */
  private static final String INTERPRETER = "interpreter";

  static {
    // Type and its constants initialise each other's classes. Two threads that begin at different
    // classes would deadlock, so one thread initialises them here.
    Objects.requireNonNull(Type.I64);
  }

  private final Registry registry;
  private final List<Path> pluginPath;

  private Compiler(Registry registry, List<Path> pluginPath) {
    this.registry = registry;
    this.pluginPath = List.copyOf(pluginPath);
  }

  /** Returns a compiler with the passes and backends on the module path. */
  public static Compiler create() {
    return withPlugins(List.of());
  }

  /**
   * Returns a compiler that also knows the passes and backends in plugin folders.
   *
   * @throws PluginException if a plugin cannot be used
   */
  public static Compiler withPlugins(List<Path> folders) {
    return new Compiler(Registry.load(folders), folders);
  }

  /** Returns a compiler with the passes and backends of a registry. */
  public static Compiler of(Registry registry) {
    return new Compiler(registry, List.of());
  }

  /** Returns the passes and backends that this compiler knows. */
  public Registry registry() {
    return registry;
  }

  /**
   * Checks a program without compiling it.
   *
   * @return the warnings
   * @throws ProgramRejectedException if the program has an error
   */
  public static List<Diagnostic> check(Source source) {
    return DeepStack.call(
        () -> {
          try {
            return FrontEndCalls.check(source);
          } catch (StackOverflowError e) {
            throw tooLarge(source);
          }
        });
  }

  /**
   * Formats the main file of a program. Imports are not read.
   *
   * @throws ProgramRejectedException if the file has a syntax error
   */
  public static String format(Source source) {
    return DeepStack.call(
        () -> {
          try {
            return Formatter.format(source.file(), source.text());
          } catch (DiagnosticException e) {
            throw FrontEndCalls.rejected(source, e.diagnostics());
          } catch (StackOverflowError e) {
            throw tooLarge(source);
          }
        });
  }

  /**
   * Returns the names in a program, without a check of types.
   *
   * @throws ProgramRejectedException if a file has a syntax error or is missing
   */
  public static ProgramIndex resolve(Source source) {
    return DeepStack.call(
        () -> accepted(source, new Analyser().resolve(source.file(), source::read)));
  }

  /**
   * Returns the names and types in a program.
   *
   * @throws ProgramRejectedException if the program has an error
   */
  public static ProgramIndex analyse(Source source) {
    return DeepStack.call(
        () -> accepted(source, new Analyser().analyse(source.file(), source::read, () -> false)));
  }

  private static ProgramIndex accepted(Source source, Analyser.Analysis analysis) {
    if (!analysis.isAccepted()) {
      throw FrontEndCalls.rejected(source, analysis.diagnostics());
    }
    return analysis.index();
  }

  /**
   * Compiles a program to the target's representation. The target's backend runs when the caller
   * writes or loads the result.
   *
   * @throws ProgramRejectedException if the program has an error or exceeds a limit of the compiler
   * @throws PlanException if no plan satisfies the requested passes
   * @throws CompilerBugException if a pass fails
   */
  public Compiled compile(Source source, CompilerOptions options) {
    Registry.RegisteredTarget target = target(options.target());
    Goal goal = new Goal("the target " + options.target(), target.target().rep());
    return optimise(source, options, goal, target);
  }

  /**
   * Runs the passes that lead to a representation.
   *
   * @param rep the representation; null: no pass runs, and the program keeps its first
   *     representation
   * @throws CompilerException for the reasons of {@link #compile}
   */
  public Compiled optimise(Source source, CompilerOptions options, @Nullable Rep rep) {
    Goal goal = rep == null ? null : new Goal("this command", rep);
    return optimise(source, options, goal, null);
  }

  private Compiled optimise(
      Source source,
      CompilerOptions options,
      @Nullable Goal goal,
      Registry.@Nullable RegisteredTarget target) {
    return DeepStack.call(
        () -> {
          try {
            return new Run(source, options, goal, target).run();
          } catch (PassException e) {
            throw rejected(source, Diagnostic.error("E0901", e.loc(), message(e)));
          } catch (ParseException e) {
            Loc loc = new Loc(source.file(), e.line(), e.column(), e.line(), e.column() + 1);
            throw rejected(source, Diagnostic.error("E0199", loc, message(e)));
          } catch (StackOverflowError e) {
            throw tooLarge(source);
          }
        });
  }

  /**
   * Returns the rejection of a program that overflows the stack. A chain of several hundred
   * thousand operands can do so, because the parser's limit on nesting does not count chains.
   */
  private static ProgramRejectedException tooLarge(Source source) {
    return rejected(
        source,
        Diagnostic.error(
            "E0901", Loc.NONE, "An expression is too large for the compiler's stack."));
  }

  private static String message(RuntimeException e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private static ProgramRejectedException rejected(Source source, Diagnostic diagnostic) {
    return FrontEndCalls.rejected(source, List.of(diagnostic));
  }

  /**
   * Returns the plan that {@link #compile} follows for a program without derivatives.
   *
   * @throws PlanException if no plan satisfies the requested passes
   */
  public Plan plan(CompilerOptions options) {
    Goal goal = new Goal("the target " + options.target(), target(options.target()).target().rep());
    return plan(options, State.LOWERED, goal);
  }

  private Plan plan(CompilerOptions options, State start, Goal goal) {
    Solver solver = new Solver(registry.passInfos());
    String exact = options.plan();
    try {
      return exact == null
          ? solver.solve(start, goal, options.passes())
          : solver.exactly(exact, start, goal);
    } catch (PlanException e) {
      String message = message(e);
      throw new PlanException(message + registry.originsOfPassesIn(message));
    }
  }

  /**
   * Loads the program of an executable that this version of the compiler has made.
   *
   * @throws IOException if the file cannot be read, or is no such executable; the message is for
   *     users
   */
  public FutharkProgram loadExecutable(Path file) throws IOException {
    return ExecutableFile.load(file);
  }

  /**
   * Returns a program in any representation in the interpreter's executable form.
   *
   * @throws PlanException if the registry has no interpreter backend
   */
  public FutharkProgram interpreted(Ir program, String name) {
    Backend interpreter = target(INTERPRETER).backend();
    Backend.Target target = new Backend.Target(INTERPRETER, program.rep(), "", machine(null));
    return interpreter.compile(program, name, target).load();
  }

  /**
   * Returns the machine of a target. Without a target, the machine is the interpreter's, which runs
   * programs in every representation.
   */
  private Machine machine(Registry.@Nullable RegisteredTarget target) {
    Registry.RegisteredTarget given = target == null ? registry.targets().get(INTERPRETER) : target;
    return given == null ? HotSpot.machine() : given.target().machine();
  }

  /**
   * Returns the target of a name.
   *
   * @throws PlanException if the registry has no such target
   */
  private Registry.RegisteredTarget target(String name) {
    Registry.RegisteredTarget target = registry.targets().get(name);
    if (target == null) {
      throw new PlanException(Wording.unknown("target", name, registry.targets().keySet()));
    }
    return target;
  }

  /** One compilation of one source with one set of options. */
  private final class Run {
    private final Source source;
    private final CompilerOptions options;
    private final @Nullable Goal goal;
    private final Registry.@Nullable RegisteredTarget target;
    private final Timings timings = new Timings();

    Run(
        Source source,
        CompilerOptions options,
        @Nullable Goal goal,
        Registry.@Nullable RegisteredTarget target) {
      this.source = source;
      this.options = options;
      this.goal = goal;
      this.target = target;
    }

    Compiled run() {
      IrText start;
      List<Diagnostic> warnings;
      if (IrText.recognises(source.file(), source.text())) {
        start =
            timings.measure(
                "parse", Timings.Kind.FRONT_END, () -> IrText.parse(source.file(), source.text()));
        if (options.verify() != Verification.NONE) {
          verifyInput(start);
        }
        warnings = List.of();
      } else {
        FrontEndCalls.Lowered lowered =
            timings.measure(
                "front end", Timings.Kind.FRONT_END, () -> FrontEndCalls.lower(source, options));
        start = new IrText(lowered.program(), FrontEndCalls.properties(lowered.program()));
        warnings = lowered.warnings();
      }
      Goal end = goal == null ? new Goal("this command", start.program().rep()) : goal;
      Plan plan = goal == null ? new Plan(List.of(), List.of()) : plan(options, start.state(), end);
      int steps = stepsUpTo(plan);
      Path crashFolder = options.crashFolder();
      Pipeline pipeline =
          new Pipeline(
              registry,
              new Pipeline.Settings(
                  machine(target),
                  options.threads(),
                  verifier(options.verify()),
                  crashFolder == null
                      ? null
                      : new CrashReport(crashFolder, source.name(), options.target(), pluginPath),
                  timings,
                  options.observers(),
                  options.cancelled(),
                  options.changes()));
      Ir result = pipeline.run(start.program(), plan, steps);
      State state = steps == 0 ? start.state() : plan.steps().get(steps - 1).after();
      boolean complete = steps == plan.steps().size();
      return new Compiled(
          source.name(),
          new IrText(result, state.properties()),
          plan,
          warnings,
          pipeline.remarks(),
          timings,
          target == null || !complete ? null : target);
    }

    private static @Nullable Consumer<Ir> verifier(Verification what) {
      return switch (what) {
        case NONE -> null;
        case FORM -> FrontEndCalls::verify;
        case MEMORY -> FrontEndCalls::verifyWithMemory;
      };
    }

    /**
     * Verifies a program in text form. The user wrote the text, so a violation rejects the program
     * and is not a bug of the compiler.
     */
    private void verifyInput(IrText input) {
      try {
        FrontEndCalls.verify(input.program());
      } catch (VerificationException e) {
        Loc loc = new Loc(source.file(), 1, 1, 1, 2);
        throw rejected(
            source,
            Diagnostic.error("E0199", loc, "The program is ill-formed: " + Compiler.message(e)));
      }
    }

    private int stepsUpTo(Plan plan) {
      String last = options.stopAfter();
      if (last == null) {
        return plan.steps().size();
      }
      String present = new PassNames(registry.passInfos()).present(last);
      for (int i = plan.steps().size(); i > 0; i--) {
        if (plan.steps().get(i - 1).pass().name().equals(present)) {
          return i;
        }
      }
      throw new PlanException(
          "The pass " + last + " of --stop-after is not in the plan " + plan.text() + ".");
    }
  }
}
