package futharkc.tests.fuzz;

import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.PassSelection;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A generator of random legal plans over the registered passes. */
final class RandomPlans {
  private static final boolean GPU_ONLY = "gpu".equals(System.getProperty("fuzz.goal"));
  private static final boolean MEMORY_ONLY = "memory".equals(System.getProperty("fuzz.goal"));

  /** The passes that merge memory, in orders that differ in effect. */
  private static final List<List<String>> MERGING =
      List.of(
          List.of("coalesce"),
          List.of("reuse"),
          List.of("coalesce", "simplify", "reuse"),
          List.of("reuse", "simplify", "coalesce"),
          List.of("coalesce", "simplify", "coalesce"),
          List.of("coalesce", "simplify", "reuse", "simplify", "double-buffer"));

  private final List<PassInfo> passes;
  private final Solver solver;

  RandomPlans(Collection<PassInfo> passes) {
    this.passes = List.copyOf(passes);
    this.solver = new Solver(passes);
  }

  /**
   * Returns a plan to a GPU program, or to an imperative program for multicore or one thread. The
   * property {@code -Dfuzz.goal=gpu} restricts plans to the GPU; {@code memory} restricts plans to
   * CPUs with memory merging.
   */
  Plan random(Random random) {
    if (GPU_ONLY || !MEMORY_ONLY && random.nextInt(3) == 0) {
      return gpu(random);
    }
    boolean parallel = random.nextInt(4) > 0;
    Goal goal = new Goal("the test", parallel ? Rep.MC_IMP : Rep.SEQ_IMP);
    if (!MEMORY_ONLY && random.nextInt(3) == 0) {
      return solver.solve(State.LOWERED, goal, selection(random));
    }
    List<String> plan = new ArrayList<>(some(Rep.SOACS, 6, random));
    plan.add("simplify");
    plan.add(parallel ? "parallelise" : "sequentialise");
    plan.addAll(some(parallel ? Rep.MC : Rep.SEQ, 3, random));
    plan.add("simplify");
    plan.add(parallel ? "allocate-multicore" : "allocate-sequential");
    if (MEMORY_ONLY) {
      plan.add("simplify");
      plan.addAll(MERGING.get(random.nextInt(MERGING.size())));
    }
    plan.addAll(some(parallel ? Rep.MC_MEM : Rep.SEQ_MEM, 3, random));
    plan.add(parallel ? "lower-multicore" : "lower-sequential");
    plan.addAll(some(goal.rep(), 6, random));
    return exactly(String.join(",", plan), goal.rep());
  }

  private Plan gpu(Random random) {
    boolean memory = random.nextBoolean();
    Goal goal = new Goal("the test", memory ? Rep.GPU_MEM : Rep.GPU);
    if (random.nextInt(3) == 0) {
      return solver.solve(State.LOWERED, goal, selection(random));
    }
    List<String> plan = new ArrayList<>(some(Rep.SOACS, 6, random));
    plan.add("simplify");
    plan.add("flattening");
    plan.addAll(some(Rep.GPU, 3, random));
    if (memory) {
      plan.addAll(List.of("thread-loops", "simplify", "allocate-gpu"));
      if (random.nextBoolean()) {
        plan.add("simplify");
        plan.addAll(MERGING.get(random.nextInt(MERGING.size())));
      }
      if (random.nextBoolean()) {
        plan.addAll(List.of("simplify", "double-buffer"));
        if (random.nextInt(4) > 0) {
          plan.addAll(List.of("simplify", "expand-allocations"));
        }
      }
      plan.addAll(some(Rep.GPU_MEM, 3, random));
    }
    return exactly(String.join(",", plan), goal.rep());
  }

  /** Returns the plan with the given text. */
  Plan exactly(String text, Rep end) {
    return solver.exactly(text, State.LOWERED, new Goal("the test", end));
  }

  /** Returns the default plan for multicore. */
  Plan standard() {
    return solver.solve(State.LOWERED, new Goal("the test", Rep.MC_IMP), PassSelection.DEFAULT);
  }

  /**
   * Returns up to {@code most} passes within a representation, in random order with repetitions.
   */
  private List<String> some(Rep rep, int most, Random random) {
    List<String> names = staying(rep);
    List<String> out = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0 && !names.isEmpty(); i--) {
      out.add(names.get(random.nextInt(names.size())));
    }
    return out;
  }

  private List<String> staying(Rep rep) {
    return passes.stream()
        .filter(p -> p.accepts().contains(rep) && p.requires().isEmpty())
        .filter(p -> p.produces() == null || p.produces() == rep)
        .map(PassInfo::name)
        .sorted()
        .toList();
  }

  /** Returns a random selection of optional passes with a preferred order. */
  private PassSelection selection(Random random) {
    List<String> names = new ArrayList<>(staying(Rep.SOACS));
    Collections.shuffle(names, random);
    names.removeIf(n -> random.nextInt(3) == 0);
    return PassSelection.parse(names.isEmpty() ? "none" : String.join(",", names));
  }
}
