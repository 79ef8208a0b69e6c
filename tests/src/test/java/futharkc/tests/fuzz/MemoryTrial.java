package futharkc.tests.fuzz;

import futharkc.backend.interpreter.BlockUsage;
import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.pipeline.Pipeline;
import futharkc.core.driver.pipeline.Timings;
import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Property;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.TestMachine;
import futharkc.tests.kit.arrays.RandomArrays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A trial of memory passes on programs of {@link RandomArrays}. The trial allocates memory, runs
 * passes in a random order, and verifies the program after each pass. At the end the interpreter
 * compares results in both orders of indices. The interpreter tags elements with the array that
 * wrote them.
 */
final class MemoryTrial {
  private static final List<Rep> REPS = List.of(Rep.SEQ, Rep.MC, Rep.GPU);
  private static final Map<Rep, String> ALLOCATING =
      Map.of(Rep.SEQ, "allocate-sequential", Rep.MC, "allocate-multicore", Rep.GPU, "allocate-gpu");
  private static final Map<Rep, Rep> WITH_MEMORY =
      Map.of(Rep.SEQ, Rep.SEQ_MEM, Rep.MC, Rep.MC_MEM, Rep.GPU, Rep.GPU_MEM);

  private final Compiler compiler = Compiler.create();
  private final Solver solver =
      new Solver(compiler.registry().passes().values().stream().map(p -> p.info()).toList());

  /** The number of programs with fewer allocations at the end. */
  int merged;

  /** The total number of removed allocations. */
  long blocks;

  /** The numbers of functions after {@code reuse}: all, and those with the minimal peak. */
  int reused;

  int atLeast;

  /** The number of functions in which the assignment of arrays to blocks affects the peak. */
  int choices;

  /** The number of changes of layouts. */
  int layouts;

  /** The number of measured passes, and the sum of the relative reductions of the peak. */
  int measured;

  double less;

  /** The number of passes that raised the peak, and the sum of the relative increases. */
  int raised;

  double raise;

  /** Runs the trial for a seed; returns a description of the failure, or null. */
  @Nullable String run(long seed, int size) {
    Random random = new Random(~seed);
    Rep rep = REPS.get(Math.floorMod(seed, 3));
    RandomArrays start = RandomArrays.of(seed, rep, size);
    Plan plan = plan(rep, random);
    List<Program> programs = new ArrayList<>(List.of(start.program()));
    try {
      Verifier.verify(start.program());
    } catch (RuntimeException e) {
      return "the program itself: " + e.getMessage() + "\n" + Printer.print(start.program());
    }
    try {
      pipeline(programs).run(start.program(), plan, plan.steps().size());
    } catch (RuntimeException | Error e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return plan.text() + "\n" + cause + at(cause) + "\n" + Printer.print(programs.getLast());
    }
    peaks(plan, programs);
    for (int k = 1; k < plan.steps().size(); k++) {
      boolean same = programs.get(k).functions().equals(programs.get(k + 1).functions());
      layouts += !same && plan.steps().get(k).pass().name().equals("galop") ? 1 : 0;
    }
    int less = allocations(programs.get(1)) - allocations(programs.getLast());
    if (less > 0) {
      merged++;
      blocks += less;
    }
    if (seed % 5 == 0) {
      raised(plan, programs, input(5, 7, random));
    }
    for (int k = 0; k < 2; k++) {
      long least = start.positive() ? 1 : 0;
      List<Value> input = input(least + random.nextInt(4), least + random.nextInt(4), random);
      List<Value> expected = Interpreter.run(start.program(), "main", input, Options.DEFAULT);
      for (boolean backwards : new boolean[] {false, true}) {
        boolean nested = random.nextBoolean();
        Options o = Options.DEFAULT.withNested(nested).withBackwards(backwards);
        if (wrong(programs.getLast(), input, expected, o) == null) {
          continue;
        }
        int step = 1;
        while (wrong(programs.get(step), input, expected, o) == null) {
          step++;
        }
        return "%s\nafter step %d, %s\ninput %s\n%s\n%s\n"
            .formatted(
                plan.text(),
                step,
                plan.steps().get(step - 1).pass(),
                RandomInputs.text(input),
                wrong(programs.get(step), input, expected, o),
                Printer.print(programs.get(step - 1)));
      }
    }
    return null;
  }

  /** Counts the functions that reach their minimal peak after {@code reuse}. */
  private void peaks(Plan plan, List<Program> programs) {
    for (int k = 1; k < plan.steps().size(); k++) {
      String pass = plan.steps().get(k).pass().name();
      if (!pass.equals("reuse")) {
        continue;
      }
      for (MemoryPeaks p : MemoryPeaks.of(programs.get(k), programs.get(k + 1))) {
        reused++;
        if (p.after() <= p.least()) {
          atLeast++;
        }
        if (p.choices()) {
          choices++;
        }
      }
    }
  }

  /** Records the passes that raise the peak of a run, and the relative increase. */
  private void raised(Plan plan, List<Program> programs, List<Value> input) {
    for (int k = 1; k < plan.steps().size(); k++) {
      String pass = plan.steps().get(k).pass().name();
      if (!pass.equals("reuse") && !pass.equals("coalesce")) {
        continue;
      }
      if (Metrics.of(programs.get(k)).containsKey("Apply")) {
        continue;
      }
      measured++;
      long before = peak(programs.get(k), input);
      long after = peak(programs.get(k + 1), input);
      less += before == 0 ? 0 : 1 - (double) after / before;
      if (after <= before) {
        continue;
      }
      raised++;
      raise += (double) after / before - 1;
    }
  }

  private static long peak(Program p, List<Value> input) {
    BlockUsage uses = new BlockUsage();
    Interpreter.run(p, "main", input, Options.DEFAULT.withTagged(true).withUses(uses));
    return uses.peak();
  }

  private static String at(Throwable e) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < Math.min(6, e.getStackTrace().length); k++) {
      text.append("\n  at ").append(e.getStackTrace()[k]);
    }
    return text.toString();
  }

  private Plan plan(Rep rep, Random random) {
    List<String> passes = new ArrayList<>(List.of(ALLOCATING.get(rep)));
    for (int k = 1 + random.nextInt(3); k > 0; k--) {
      passes.add("simplify");
      passes.add(List.of("coalesce", "coalesce", "reuse").get(random.nextInt(3)));
      if (rep != Rep.SEQ && random.nextInt(2) == 0) {
        passes.addAll(List.of("simplify", "galop"));
      }
    }
    if (random.nextInt(2) == 0) {
      passes.addAll(List.of("simplify", "double-buffer"));
      if (rep == Rep.GPU && random.nextInt(2) == 0) {
        passes.addAll(List.of("simplify", "expand-allocations"));
      }
    }
    if (random.nextInt(3) == 0) {
      passes.add("simplify");
    }
    return solver.exactly(
        String.join(",", passes),
        new State(rep, Set.of(Property.FIRST_ORDER)),
        new Goal("the test", WITH_MEMORY.get(rep)));
  }

  private Pipeline pipeline(List<Program> programs) {
    return new Pipeline(
        compiler.registry(),
        new Pipeline.Settings(
            TestMachine.WITH_DEVICE,
            1,
            MemoryTrial::verify,
            null,
            new Timings(),
            List.of((index, step, program) -> programs.add((Program) program)),
            () -> false));
  }

  private static void verify(Ir program) {
    Verifier.verify(program);
    Verifier.verifyMemory(program);
  }

  /** Returns the difference between a program's result and the expected one, or null. */
  private static @Nullable String wrong(
      Program p, List<Value> input, List<Value> expected, Options options) {
    boolean memory = p.rep().hasMemory();
    Options o = options.withTagged(memory).withWatched(p.rep() == Rep.GPU_MEM);
    try {
      List<Value> got = Interpreter.run(p, "main", input, o);
      if (RandomInputs.same(expected, got)) {
        return null;
      }
      return "expected\n" + RandomInputs.text(expected) + "got\n" + RandomInputs.text(got);
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private static int allocations(Program p) {
    return Metrics.of(p).getOrDefault("Alloc", 0);
  }

  private static List<Value> input(long n, long m, Random random) {
    List<Value> out = new ArrayList<>();
    for (long[] shape : new long[][] {{n}, {m}, {n, m}, {m, m}}) {
      int count = 1;
      for (long d : shape) {
        count *= (int) d;
      }
      int[] data = random.ints(count, -9, 100).toArray();
      out.add(new ArrayValue(ElemType.I32, shape, data));
    }
    long least = Math.min(n, m);
    out.add(Scalar.i64(least == 0 ? 0 : random.nextLong(least)));
    return out;
  }
}
