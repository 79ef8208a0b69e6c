package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.pipeline.Pipeline;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.PassSelection;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.TestMachine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random programs of which the host does much, with and without migration: the same results and
 * errors, and in no run with a result more reads. {@code -Dmigration.first=SEED} and {@code
 * -Dmigration.programs=N} try others.
 */
final class MigrationTest {
  private static final long FIRST = Long.getLong("migration.first", 0);
  private static final long PROGRAMS = Long.getLong("migration.programs", 150);
  private static final String PERMUTED = "passes in another order";
  private static final List<String> VARIANTS =
      List.of(
          "default",
          "default",
          "-merge-gpu-bodies",
          "default,migration{loops=false}",
          "default,migration{branches=false}",
          "default,migration{literals=false}",
          "default,merge-gpu-bodies{absorb=false}",
          "default,migration{constants=false}",
          "default,migration{read-ns=1,launch-ns=100000}",
          "default,migration{read-ns=1000000,launch-ns=0,operation-ns=0,load-ns=0}",
          "default,migration{updates=false,in-place=false}",
          "-galop,-coalesce,-reuse",
          PERMUTED,
          PERMUTED,
          "-sink");

  /** Passes on programs with kernels, some of which a permuted plan contains in any order. */
  private static final List<String> ON_KERNELS =
      List.of("thread-loops", "contraction", "sink", "block-staging", "simplify", "migration");

  /** Passes on programs with memory. */
  private static final List<String> ON_MEMORY =
      List.of("galop", "coalesce", "reuse", "double-buffer", "galop", "coalesce");

  private final Compiler compiler = Compiler.create();
  private final Solver solver =
      new Solver(compiler.registry().passes().values().stream().map(p -> p.info()).toList());
  private int results;
  private int runs;
  private long readsBefore;
  private long readsAfter;

  /** Programs that the compiler cannot translate without migration either. */
  private int unusable;

  /** A result or an error, and what the device was used for. */
  private record Outcome(@Nullable List<Value> result, String error, DeviceActivity activity) {}

  @Test
  void migrationKeepsResultsAndErrors() {
    for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      String wrong;
      try {
        wrong = wrong(seed);
      } catch (RuntimeException | Error e) {
        throw new IllegalStateException("seed " + seed + "\n" + HostPrograms.of(seed, 9), e);
      }
      if (wrong != null) {
        fail("seed " + seed + "\n" + HostPrograms.of(seed, 9) + "\n" + wrong);
      }
    }
    String counts =
        "%d of %d runs have results; %d reads became %d; %d unusable"
            .formatted(results, runs, readsBefore, readsAfter, unusable);
    System.out.println(counts);
    assertTrue(20L * unusable <= PROGRAMS, counts);
    assertTrue(2L * results > runs, counts);
    assertTrue(10L * readsAfter < 8L * readsBefore, counts);
  }

  private @Nullable String wrong(long seed) {
    Random random = new Random(~seed);
    Program start =
        compiler
            .optimise(
                Source.ofText("random.fut", HostPrograms.of(seed, 9)),
                CompilerOptions.DEFAULT.withPasses("none").withThreads(1),
                null)
            .program();
    boolean memory = random.nextInt(3) == 0;
    Rep rep = memory ? Rep.GPU_MEM : Rep.GPU;
    String variant = VARIANTS.get(Math.floorMod(seed, VARIANTS.size()));
    Plan plan = variant.equals(PERMUTED) ? permuted(rep, random) : plan(rep, variant);
    Plan planWithout =
        variant.equals(PERMUTED)
            ? without(plan, rep)
            : plan(rep, variant.startsWith("-") ? variant + ",-migration" : "-migration");
    Program without;
    try {
      without = run(start, planWithout);
    } catch (CompilerBugException e) {
      unusable++;
      return null;
    }
    Program with = run(start, plan);
    for (int i = 0; i < 3; i++) {
      List<Value> input = input(random);
      Outcome expected = interpret(without, input);
      Outcome got = interpret(with, input);
      runs++;
      if (expected.result != null) {
        results++;
      }
      boolean same =
          expected.result == null || got.result == null
              ? expected.result == got.result && expected.error.equals(got.error)
              : RandomInputs.same(expected.result, got.result);
      if (!same) {
        return "%s to %s\ninput %s\nexpected %s\ngot %s\n%s"
            .formatted(
                plan.text(),
                rep,
                RandomInputs.text(input),
                text(expected),
                text(got),
                Printer.print(with));
      }
      readsBefore += expected.activity.reads();
      readsAfter += got.activity.reads();
      // A check that moves fails later, after reads that the host would not have come to.
      if (got.result != null && got.activity.reads() > expected.activity.reads()) {
        return "%s to %s\ninput %s\n%d reads became %d\n%s"
            .formatted(
                plan.text(),
                rep,
                RandomInputs.text(input),
                expected.activity.reads(),
                got.activity.reads(),
                Printer.print(with));
      }
    }
    return null;
  }

  private static String text(Outcome o) {
    return o.result == null ? "error: " + o.error : RandomInputs.text(o.result);
  }

  private Plan plan(Rep rep, String passes) {
    return solver.solve(State.LOWERED, new Goal("the test", rep), PassSelection.parse(passes));
  }

  /** Returns a plan with passes in a random order, among them those of the test. */
  private Plan permuted(Rep rep, Random random) {
    List<String> onKernels = new ArrayList<>(ON_KERNELS);
    Collections.shuffle(onKernels, random);
    onKernels.removeIf(p -> !p.equals("migration") && random.nextInt(4) == 0);
    onKernels.add(onKernels.indexOf("migration") + 1, "simplify,merge-gpu-bodies");
    String plan = "inline,simplify,fusion,hoist,simplify,flattening," + String.join(",", onKernels);
    if (rep == Rep.GPU_MEM) {
      List<String> onMemory = new ArrayList<>(ON_MEMORY);
      Collections.shuffle(onMemory, random);
      onMemory.removeIf(p -> random.nextInt(3) == 0);
      plan += ",simplify,thread-loops,allocate-gpu";
      for (String pass : onMemory) {
        plan += ",simplify," + pass;
      }
    }
    return solver.exactly(plan, State.LOWERED, new Goal("the test", rep));
  }

  /** Returns a plan without the passes of the test. */
  private Plan without(Plan plan, Rep rep) {
    String text = plan.text().replace(",merge-gpu-bodies", "").replace(",migration", "");
    return solver.exactly(text, State.LOWERED, new Goal("the test", rep));
  }

  private Program run(Program start, Plan plan) {
    List<Program> last = new ArrayList<>(List.of(start));
    new Pipeline(
            compiler.registry(),
            new Pipeline.Settings(
                TestMachine.WITH_DEVICE,
                1,
                Verifier::verify,
                null,
                new Timings(),
                List.of((index, step, program) -> last.set(0, (Program) program)),
                () -> false))
        .run(start, plan, plan.steps().size());
    return last.get(0);
  }

  private static Outcome interpret(Program p, List<Value> input) {
    Interpreter interpreter = new Interpreter(p, Options.DEFAULT);
    try {
      List<Value> result = interpreter.call("main", input);
      return new Outcome(result, "", interpreter.activity());
    } catch (FutharkError e) {
      return new Outcome(null, e.getMessage(), interpreter.activity());
    }
  }

  private static List<Value> input(Random random) {
    List<Value> out = new ArrayList<>();
    for (int k = 0; k < 2; k++) {
      out.add(new ArrayValue(ElemType.I64, new long[] {8}, random.longs(8, -9, 20).toArray()));
    }
    out.add(Scalar.i64(random.nextInt(-5, 12)));
    return out;
  }
}
