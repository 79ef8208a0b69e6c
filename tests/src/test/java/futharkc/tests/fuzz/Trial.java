package futharkc.tests.fuzz;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.codegen.Backend;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.driver.pipeline.PassObserver;
import futharkc.core.driver.pipeline.Pipeline;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Plan;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.TestMachine;
import futharkc.tests.kit.source.RandomProgram;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A comparison of the behaviour of programs before and after passes. */
final class Trial {
  /**
   * A failure of a trial.
   *
   * @param kind a description that is equal for failures with probably the same cause
   * @param details a description of this failure
   */
  record Failure(String kind, String details) {}

  /**
   * The behaviour of a program for an input: a result or an error.
   *
   * @param error the message of the error
   * @param place the innermost source position of the error; empty if unknown
   */
  record Behaviour(@Nullable List<Value> result, String error, String place) {
    Behaviour(List<Value> result) {
      this(result, "", "");
    }

    Behaviour(FutharkError e) {
      this(null, e.getMessage(), e.backtrace().lines().findFirst().orElse(""));
    }

    boolean fails() {
      return result == null;
    }

    /** Tests for the same result, or for failures of one kind at one place. */
    boolean same(Behaviour other) {
      return result == null || other.result == null
          ? result == other.result && failure().equals(other.failure())
          : RandomInputs.same(result, other.result);
    }

    /** Returns the kind and the place of the error. */
    String failure() {
      return outline(error) + " " + place;
    }

    String text() {
      return result == null ? "error: " + error + "\n" + place : RandomInputs.text(result);
    }
  }

  /**
   * The extent of the trial of one program.
   *
   * @param plans the number of random plans
   * @param compile true to also run multicore code
   */
  record Settings(int plans, boolean compile) {}

  /** The thresholds for GPU versions: always the outermost, some, always the innermost. */
  private static final long[] THRESHOLDS = {0, 4, 1 << 30};

  /** The number of substitute values for a failing expression. */
  private static final int STAND_INS = 4;

  /** The numbers of chunks for the regions of imperative programs. */
  private static final List<Integer> CHUNKS = List.of(1, 2, 3, 7);

  /**
   * The counts of all trials. Tests check them, because a trial without comparisons proves nothing.
   */
  static final class Counts {
    /** Inputs with a result instead of an error. */
    int results;

    /** All inputs. */
    int inputs;

    /** Errors that a pass removed legally, because no result depends on the failing expression. */
    int lost;

    /** Inputs that fail at a place where the program before the passes may fail, too. */
    int elsewhere;

    /** Compiled programs that ran, and those with a region of several tasks. */
    int compiled;

    int cut;

    @Override
    public String toString() {
      return results
          + " of "
          + inputs
          + " inputs have results; "
          + lost
          + " errors lost; "
          + elsewhere
          + " errors elsewhere; "
          + cut
          + " of "
          + compiled
          + " compiled programs ran in several tasks";
    }
  }

  final Counts counts = new Counts();

  private final Compiler compiler = Compiler.create();
  private final RandomPlans plans =
      new RandomPlans(compiler.registry().passes().values().stream().map(p -> p.info()).toList());

  /** Tries a program with random plans; returns null if all results agree. */
  @Nullable Failure run(RandomProgram program, long seed, Settings settings) {
    Program start;
    try {
      Source source = Source.ofText("random.fut", program.text());
      Compiled lowered =
          compiler.optimise(
              source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null);
      start = lowered.program();
    } catch (ProgramRejectedException e) {
      return new Failure("rejected " + reason(e), e.getMessage());
    } catch (RuntimeException | Error e) {
      return crash("front end", e);
    }
    Random random = new Random(seed);
    List<List<Value>> inputs = new ArrayList<>();
    inputs.add(RandomInputs.of(2 + random.nextInt(9), 2 + random.nextInt(5), random));
    inputs.add(RandomInputs.of(random.nextInt(4), random.nextInt(3), random));
    List<Behaviour> expected = new ArrayList<>();
    try {
      for (List<Value> input : inputs) {
        expected.add(interpret(start, input, Options.DEFAULT));
      }
    } catch (RuntimeException | Error e) {
      return crash("interpreter at the start", e);
    }
    for (Behaviour b : expected) {
      counts.inputs++;
      if (!b.fails()) {
        counts.results++;
      }
    }
    for (int i = 0; i < settings.plans; i++) {
      Plan plan = i == 0 && settings.compile ? plans.standard() : plans.random(random);
      boolean compile = settings.compile && i == 0;
      Failure failure = new PlanTrial(start, plan, inputs, expected, random).run(compile);
      if (failure != null) {
        return new Failure(failure.kind, "plan " + plan.text() + "\n" + failure.details);
      }
    }
    return null;
  }

  private static String reason(ProgramRejectedException e) {
    return e.diagnostics().stream()
        .filter(d -> d.severity() == Diagnostic.Severity.ERROR)
        .map(d -> d.code() + " " + outline(d.message()))
        .findFirst()
        .orElse("");
  }

  /** Verifies a program and checks that its text form parses back. */
  private static void verify(Ir ir) {
    Verifier.verify(ir);
    String text = Printer.print(ir);
    if (!Parser.parseAny("printed", text).equals(ir)) {
      throw new IllegalStateException("the text form does not parse back to the same program");
    }
  }

  /** Returns the behaviour of a program in the interpreter. */
  static Behaviour interpret(Ir program, List<Value> input) {
    return interpret(program, input, Options.DEFAULT);
  }

  /** Returns the behaviour of an entry point in the interpreter. */
  static Behaviour interpret(Ir program, String entry, List<Value> input) {
    return interpret(program, entry, input, Options.DEFAULT);
  }

  private static Behaviour interpret(Ir program, List<Value> input, Options options) {
    return interpret(program, "main", input, options);
  }

  private static Behaviour interpret(Ir program, String entry, List<Value> input, Options options) {
    try {
      return new Behaviour(Interpreter.run(program, entry, input, options));
    } catch (FutharkError e) {
      return new Behaviour(e);
    }
  }

  /**
   * Returns the kinds and places of all failures of a program for an input. A failure does not end
   * the program, so the set contains those that another order of evaluation meets first.
   */
  private static Set<String> failures(Program start, String entry, List<Value> input) {
    Set<String> all = new HashSet<>();
    for (long seed = 0; seed < STAND_INS; seed++) {
      Options options =
          Options.DEFAULT.withStandIns(seed).withFailures(e -> all.add(new Behaviour(e).failure()));
      try {
        interpret(start, entry, input, options);
      } catch (RuntimeException e) {
        // The substitute values lead to computations that do not end.
      }
    }
    return all;
  }

  /**
   * Tests whether a new behaviour is wrong. A pass may remove an error only if no result depends on
   * the failing expression. Then the program has the new result for every substitute value.
   */
  boolean different(Program start, List<Value> input, Behaviour before, Behaviour now) {
    return different(start, "main", input, before, now);
  }

  /**
   * Tests whether a new behaviour of an entry point is wrong, as {@link #different(Program, List,
   * Behaviour, Behaviour)} does.
   */
  boolean different(
      Program start, String entry, List<Value> input, Behaviour before, Behaviour now) {
    if (before.same(now)) {
      return false;
    }
    if (!before.fails()) {
      return true;
    }
    if (now.fails()) {
      counts.elsewhere++;
      return !failures(start, entry, input).contains(now.failure());
    }
    try {
      for (long seed = 0; seed < STAND_INS; seed++) {
        Options options = Options.DEFAULT.withStandIns(seed);
        if (!interpret(start, entry, input, options).same(now)) {
          return true;
        }
      }
      counts.lost++;
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static Failure crash(String where, Throwable e) {
    StringBuilder details = new StringBuilder(where + ": " + e + "\n");
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
      details.append("caused by ").append(root).append("\n");
    }
    StackTraceElement[] trace = root.getStackTrace();
    for (int i = 0; i < Math.min(8, trace.length); i++) {
      details.append("  at ").append(trace[i]).append("\n");
    }
    String place = trace.length == 0 ? "" : " at " + trace[0].getClassName();
    return new Failure(
        where + ": " + root.getClass().getSimpleName() + place + " " + outline(root.getMessage()),
        details.toString());
  }

  /** Returns a message's first line without names and numbers. */
  private static String outline(@Nullable String message) {
    String first = message == null ? "" : message.lines().limit(1).reduce("", String::concat);
    String bare =
        first
            .replaceAll("[a-z]*[a-z_0-9.]*[0-9][a-z_0-9.]*", "#")
            .replaceAll("\"[^\"]*\"|'[^']*'", "#");
    return bare.substring(0, Math.min(90, bare.length()));
  }

  /** A trial of one program with one plan. */
  private final class PlanTrial {
    private final Program start;
    private final Plan plan;
    private final List<List<Value>> inputs;
    private final List<Behaviour> expected;
    private final Random random;
    private final List<Ir> programs = new ArrayList<>();

    PlanTrial(
        Program start,
        Plan plan,
        List<List<Value>> inputs,
        List<Behaviour> expected,
        Random random) {
      this.start = start;
      this.plan = plan;
      this.inputs = inputs;
      this.expected = expected;
      this.random = random;
    }

    @Nullable Failure run(boolean compile) {
      try {
        transform();
      } catch (RuntimeException | Error e) {
        int step = programs.size();
        return crash("pass " + plan.steps().get(Math.min(step, plan.steps().size() - 1)).pass(), e);
      }
      Options options =
          Options.DEFAULT
              .withNested(random.nextBoolean())
              .withBackwards(random.nextBoolean())
              .withThreshold(THRESHOLDS[random.nextInt(THRESHOLDS.length)])
              .withWatched(isForGpu(programs.getLast().rep()));
      for (int i = 0; i < inputs.size(); i++) {
        for (int step = 0; step < programs.size(); step++) {
          Rep rep = programs.get(step).rep();
          boolean last = step + 1 == programs.size() || programs.get(step + 1).rep() != rep;
          if (!last) {
            continue;
          }
          for (int chunks : rep.isImperative() ? CHUNKS : List.of(1)) {
            Options cut = options.withChunks(chunks);
            if (wrong(step, i, cut)) {
              return located(step, i, cut);
            }
          }
        }
      }
      return compile ? compiled() : null;
    }

    private void transform() {
      pipeline(List.of((index, step, program) -> programs.add(program)))
          .run(start, plan, plan.steps().size());
    }

    private Pipeline pipeline(List<PassObserver> observers) {
      return new Pipeline(
          compiler.registry(),
          new Pipeline.Settings(
              TestMachine.WITH_DEVICE,
              1,
              Trial::verify,
              null,
              new Timings(),
              observers,
              Thread.currentThread()::isInterrupted));
    }

    private boolean wrong(int step, int input, Options options) {
      Behaviour now;
      try {
        now = interpret(programs.get(step), inputs.get(input), tagged(input, options));
      } catch (RuntimeException e) {
        return true;
      }
      return different(start, inputs.get(input), expected.get(input), now);
    }

    /**
     * Disables tags if the expected behaviour is an error: a pass may reuse an array that only the
     * code after the error reads.
     */
    private Options tagged(int input, Options options) {
      return options.withTagged(!expected.get(input).fails());
    }

    /** Returns the failure with the first pass that causes it. */
    private Failure located(int last, int input, Options options) {
      int step = 0;
      while (step < last && !wrong(step, input, options)) {
        step++;
      }
      String pass = "pass " + plan.steps().get(step).pass();
      try {
        Behaviour now = interpret(programs.get(step), inputs.get(input), tagged(input, options));
        Behaviour before = expected.get(input);
        String kind =
            now.fails() == before.fails()
                ? now.fails() ? "other error" : "other result"
                : now.fails() ? "new error " + outline(now.error) : "lost error";
        return new Failure(
            kind + " after " + pass + " to " + programs.get(step).rep(),
            "step "
                + (step + 1)
                + ", input:\n"
                + RandomInputs.text(inputs.get(input))
                + "expected:\n"
                + before.text()
                + "\ngot:\n"
                + now.text());
      } catch (RuntimeException | Error e) {
        return crash("interpreter after " + pass + " to " + programs.get(step).rep(), e);
      }
    }

    /** Runs multicore code on the same inputs and on larger ones. */
    private @Nullable Failure compiled() {
      try {
        Ir end = programs.getLast();
        var multicore = compiler.registry().targets().get("multicore");
        Backend.Product product = multicore.backend().compile(end, "random", multicore.target());
        counts.compiled++;
        boolean cut = false;
        for (int i = 0; i <= inputs.size(); i++) {
          boolean large = i == inputs.size();
          List<Value> input = large ? RandomInputs.of(25, 6, random) : inputs.get(i);
          Behaviour wanted = large ? interpret(start, input, Options.DEFAULT) : expected.get(i);
          Executed ran = executed(product, RandomInputs.copy(input));
          cut |= ran.cut;
          Behaviour now = ran.behaviour;
          if (different(start, input, wanted, now)) {
            return new Failure(
                "multicore: "
                    + (now.fails() == wanted.fails()
                        ? now.fails() ? "other error" : "other result"
                        : now.fails() ? "new error " + outline(now.error) : "lost error"),
                (large ? "" : "input:\n" + RandomInputs.text(inputs.get(i)))
                    + "expected:\n"
                    + wanted.text()
                    + "\ngot:\n"
                    + now.text());
          }
        }
        if (cut) {
          counts.cut++;
        }
        return null;
      } catch (RuntimeException | Error e) {
        return crash("multicore", e);
      }
    }

    /** The behaviour of compiled code, and whether a region had several tasks. */
    private record Executed(Behaviour behaviour, boolean cut) {}

    private Executed executed(Backend.Product product, List<Value> input) {
      FutharkProgram program = product.load();
      Context.Builder builder =
          Context.of(program, new PrintStream(OutputStream.nullOutputStream()))
              .threads(3)
              .profiling(true);
      // These settings divide every region, however little work it has.
      builder.tuning("host.chunk_operations", 1);
      builder.tuning("host.sharing_operations", 1);
      try (Context context = builder.build()) {
        Behaviour behaviour;
        try {
          Value result = context.run(program.entryPoints()[0], input.toArray(new Value[0]));
          behaviour = new Behaviour(flat(result));
        } catch (FutharkError e) {
          behaviour = new Behaviour(e);
        }
        boolean cut =
            context.profile().events().stream()
                .anyMatch(e -> Integer.parseInt(e.details().getOrDefault("tasks", "0")) > 1);
        return new Executed(behaviour, cut);
      }
    }

    private static List<Value> flat(Value v) {
      return List.of(Opaques.parts(v));
    }
  }

  private static boolean isForGpu(Rep rep) {
    return rep == Rep.GPU || rep == Rep.GPU_MEM;
  }
}
