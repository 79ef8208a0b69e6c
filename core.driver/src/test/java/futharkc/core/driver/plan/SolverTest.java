package futharkc.core.driver.plan;

import static futharkc.core.ir.Rep.GPU;
import static futharkc.core.ir.Rep.MC;
import static futharkc.core.ir.Rep.MC_MEM;
import static futharkc.core.ir.Rep.SEQ;
import static futharkc.core.ir.Rep.SEQ_MEM;
import static futharkc.core.ir.Rep.SOACS;
import static futharkc.core.ir.spi.Property.ALLOCATIONS_HOISTED;
import static futharkc.core.ir.spi.Property.FUSED;
import static futharkc.core.ir.spi.Property.INLINED;
import static futharkc.core.ir.spi.Property.SIMPLIFIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SolverTest {
  private static final Goal MULTICORE = new Goal("the target multicore", MC_MEM);
  private static final Goal SEQUENTIAL = new Goal("the target c", SEQ_MEM);
  private static final Property MINE = new Property("mine.ready");
  private static final Property OTHER = new Property("other.ready");

  private static final List<PassInfo> STANDARD =
      List.of(
          PassInfo.named("inlining", "", SOACS).establishes(INLINED).destroys(SIMPLIFIED),
          PassInfo.named("simplify", "", SOACS, SEQ, MC, SEQ_MEM, MC_MEM).establishes(SIMPLIFIED),
          PassInfo.named("fusion", "", SOACS)
              .requires(INLINED, SIMPLIFIED)
              .establishes(FUSED)
              .destroys(SIMPLIFIED)
              .options(new Option("gas", Option.Kind.INTEGER, "100", "").within(-2, 200)),
          PassInfo.named("parallelise", "", SOACS)
              .produces(MC)
              .requires(SIMPLIFIED)
              .destroys(SIMPLIFIED)
              .after("fusion"),
          PassInfo.named("sequentialise", "", SOACS)
              .produces(SEQ)
              .requires(SIMPLIFIED)
              .destroys(SIMPLIFIED),
          PassInfo.named("memory-mc", "", MC)
              .produces(MC_MEM)
              .requires(SIMPLIFIED)
              .destroys(SIMPLIFIED),
          PassInfo.named("memory-seq", "", SEQ)
              .produces(SEQ_MEM)
              .requires(SIMPLIFIED)
              .destroys(SIMPLIFIED),
          PassInfo.named("hoist-allocations", "", SEQ_MEM, MC_MEM)
              .establishes(ALLOCATIONS_HOISTED)
              .destroys(SIMPLIFIED));

  private static List<PassInfo> with(PassInfo... more) {
    List<PassInfo> all = new ArrayList<>(STANDARD);
    all.addAll(List.of(more));
    return all;
  }

  private static Plan solve(List<PassInfo> passes, Goal goal, String selection) {
    return new Solver(passes).solve(State.LOWERED, goal, PassSelection.parse(selection));
  }

  private static String names(List<PassInfo> passes, Goal goal, String selection) {
    return solve(passes, goal, selection).text();
  }

  private static String failure(List<PassInfo> passes, Goal goal, String selection) {
    return assertThrows(PlanException.class, () -> solve(passes, goal, selection)).getMessage();
  }

  private static void assertMentions(String message, String... words) {
    for (String word : words) {
      assertTrue(message.contains(word), () -> "no " + word + " in: " + message);
    }
  }

  @Test
  void simplificationRecursWhereItIsRequired() {
    assertEquals(
        "inlining,simplify,fusion,simplify,parallelise,simplify,memory-mc,hoist-allocations,simplify",
        names(STANDARD, MULTICORE, "default"));
    assertEquals(
        "inlining,simplify,fusion,simplify,sequentialise,simplify,memory-seq,hoist-allocations,simplify",
        names(STANDARD, SEQUENTIAL, "default"));
  }

  @Test
  void theOrderInWhichPassesAreKnownDoesNotMatter() {
    String expected = names(STANDARD, MULTICORE, "default");
    for (int seed = 0; seed < 20; seed++) {
      List<PassInfo> shuffled = new ArrayList<>(STANDARD);
      Collections.shuffle(shuffled, new Random(seed));
      assertEquals(expected, names(shuffled, MULTICORE, "default"));
    }
  }

  @Test
  void whatTheTargetNeedsIsAdded() {
    assertEquals("simplify,parallelise,simplify,memory-mc", names(STANDARD, MULTICORE, "none"));
    assertEquals(
        "inlining,simplify,fusion{gas=5},simplify,parallelise,simplify,memory-mc",
        names(STANDARD, MULTICORE, "fusion{gas=5}"));
  }

  @Test
  void aPlanReadsBackToItself() {
    Plan plan = solve(STANDARD, MULTICORE, "default,fusion{gas=7}");
    Plan again = new Solver(STANDARD).exactly(plan.text(), State.LOWERED, MULTICORE);
    assertEquals(plan.text(), again.text());
  }

  @Test
  void anIllegalPlanIsRefusedWithAllThatIsWrong() {
    Solver solver = new Solver(STANDARD);
    String message =
        assertThrows(
                PlanException.class,
                () -> solver.exactly("fusion,nonsense,parallelise", State.LOWERED, MULTICORE))
            .getMessage();
    assertMentions(
        message,
        "Step 1, fusion",
        "'inlined'",
        "put inlining before it",
        "no pass nonsense",
        "mc-mem");
  }

  @Test
  void thirdPassesAreOrderedByTheirConstraints() {
    PassInfo early = PassInfo.named("zz-early", "", SOACS, MC).before("soacs-early");
    PassInfo late = PassInfo.named("aa-late", "", SOACS, MC).after("soacs-late");
    PassInfo between = PassInfo.named("between", "", SOACS).after("inlining").before("fusion");
    PassInfo inMemory = PassInfo.named("aa-memory", "", SOACS, MC_MEM).after("memory-mc");
    assertEquals(
        "zz-early,inlining,between,simplify,fusion,aa-late,simplify,parallelise,simplify,memory-mc,"
            + "aa-memory,hoist-allocations,simplify",
        names(with(early, late, between, inMemory), MULTICORE, "default"));
  }

  @Test
  void theOrderOfNamingIsAPreference() {
    PassInfo a = PassInfo.named("a", "", SOACS).optional();
    PassInfo b = PassInfo.named("b", "", SOACS).optional();
    assertEquals(
        "b,a,simplify,parallelise,simplify,memory-mc", names(with(a, b), MULTICORE, "b,a"));
    assertEquals(
        "a,b,simplify,parallelise,simplify,memory-mc",
        names(with(a, b.after("a")), MULTICORE, "b,a"));
  }

  @Test
  void aPropertyOfAnEarlierRepresentationIsEstablishedThere() {
    PassInfo prepare = PassInfo.named("prepare", "", SOACS).establishes(MINE).optional();
    PassInfo use = PassInfo.named("use", "", MC_MEM).requires(MINE).optional();
    assertEquals(
        "prepare,simplify,parallelise,simplify,memory-mc,use",
        names(with(prepare, use), MULTICORE, "use"));
  }

  @Test
  void cyclesNameTheCulpritsAndTheWayOut() {
    PassInfo a = PassInfo.named("a", "", SOACS).after("b");
    PassInfo b = PassInfo.named("b", "", SOACS).after("a");
    assertMentions(
        failure(with(a, b), MULTICORE, "default"), "a, b", "declared by a", "declared by b", "-a");
    PassInfo c = PassInfo.named("c", "", SOACS).requires(MINE).establishes(OTHER).destroys(MINE);
    PassInfo d = PassInfo.named("d", "", SOACS).requires(OTHER).establishes(MINE).destroys(OTHER);
    assertMentions(failure(with(c, d), MULTICORE, "default"), "d, c", "require one another");
  }

  @Test
  void whatCannotBeHadIsExplained() {
    PassInfo needy = PassInfo.named("needy", "", SOACS).requires(MINE);
    assertMentions(failure(with(needy), MULTICORE, "default"), "needy", "'mine.ready'", "no pass");
    assertMentions(
        failure(STANDARD, MULTICORE, "default,-simplify"), "simplify", "removes that pass");
    assertMentions(failure(STANDARD, MULTICORE, "-memory-mc"), "mc-mem", "removes it");
    assertMentions(failure(STANDARD, MULTICORE, "fuson"), "fuson", "Did you mean fusion?");
    PassInfo gpu = PassInfo.named("tile", "", GPU);
    assertMentions(failure(with(gpu), MULTICORE, "tile"), "tile", "gpu", "soacs, mc, mc-mem");
    PassInfo tooLate = PassInfo.named("too-late", "", SOACS).after("memory-mc");
    assertMentions(failure(with(tooLate), MULTICORE, "default"), "too-late", "memory-mc");
    assertMentions(failure(STANDARD, MULTICORE, "fusion{gas=x}"), "gas", "integer");
    assertMentions(
        failure(STANDARD, MULTICORE, "fusion{gas=201}"), "gas", "from -2 to 200, not '201'");
    assertMentions(
        failure(STANDARD, MULTICORE, "fusion{gas=-3}"), "gas", "from -2 to 200, not '-3'");
    for (int gas : new int[] {-2, 200}) {
      solve(STANDARD, MULTICORE, "fusion{gas=" + gas + "}");
    }
    assertMentions(failure(STANDARD, MULTICORE, "fusion{gaz=1}"), "gaz", "Did you mean gas?");
  }

  @Test
  void defaultPassesWithoutAPlaceAreNoted() {
    Plan plan = solve(with(PassInfo.named("tile", "", GPU)), MULTICORE, "default");
    assertTrue(
        plan.notes().stream().anyMatch(n -> n.startsWith("tile is skipped")),
        plan.notes()::toString);
  }

  @Test
  void plansCanStartAnywhere() {
    Plan plan =
        new Solver(STANDARD).solve(new State(Rep.MC, Set.of()), MULTICORE, PassSelection.DEFAULT);
    assertEquals("simplify,memory-mc,hoist-allocations,simplify", plan.text());
  }

  @Test
  void randomSelectionsGivePlansThatTheSimulationAccepts() {
    List<PassInfo> all =
        with(
            PassInfo.named("p", "", SOACS, MC_MEM).requires(MINE).destroys(SIMPLIFIED).optional(),
            PassInfo.named("q", "", SOACS, MC, MC_MEM).establishes(MINE).destroys(FUSED).optional(),
            PassInfo.named("r", "", MC).requires(SIMPLIFIED).destroys(MINE).after("q").optional());
    Solver solver = new Solver(all);
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<String> chosen = new ArrayList<>();
      for (String name :
          List.of("inlining", "simplify", "fusion", "hoist-allocations", "p", "q", "r")) {
        if (random.nextBoolean()) {
          chosen.add(random.nextInt(chosen.size() + 1), name);
        }
      }
      String selection = chosen.isEmpty() ? "none" : String.join(",", chosen);
      Plan plan = solver.solve(State.LOWERED, MULTICORE, PassSelection.parse(selection));
      assertEquals(plan.text(), solver.exactly(plan.text(), State.LOWERED, MULTICORE).text());
      for (String name : chosen) {
        assertTrue(
            plan.steps().stream().anyMatch(s -> s.pass().name().equals(name)),
            () -> selection + " gave " + plan.text());
      }
    }
  }

  @Test
  void formerNamesMeanTheSamePass() {
    PassInfo now = PassInfo.named("widen-loops", "", MC).formerly("widen");
    PassInfo later = PassInfo.named("after-widening", "", MC).after("widen");
    List<PassInfo> passes = with(now, later);
    Plan plan = solve(passes, MULTICORE, "after-widening,widen");
    assertEquals(solve(passes, MULTICORE, "after-widening,widen-loops").text(), plan.text());
    assertTrue(plan.text().contains("widen-loops,after-widening"), plan::text);
    String note = "The pass widen is now called widen-loops; both names work.";
    assertTrue(plan.notes().contains(note), () -> "" + plan.notes());
    String without = names(passes, MULTICORE, "+after-widening,-widen");
    assertTrue(!without.contains("widen-loops"), without);
    String exact = plan.text().replace("widen-loops", "widen");
    Plan again = new Solver(passes).exactly(exact, State.LOWERED, MULTICORE);
    assertEquals(plan.text(), again.text());
    assertTrue(again.notes().contains(note), () -> "" + again.notes());
    assertEquals(
        "The pass widen-loops is named twice, once by its former name widen."
            + " Remove one of the two.",
        failure(passes, MULTICORE, "widen,widen-loops"));
  }
}
