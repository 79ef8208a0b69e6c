package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.Aliases;
import futharkc.tests.kit.arrays.RandomArrays;
import futharkc.tests.kit.source.RandomProgram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that the alias analysis finds the roots of all names in random programs that {@link
 * ReferenceAliases} finds. The properties {@code -Dfuzz.first=SEED} and {@code -Dfuzz.programs=N}
 * select programs.
 */
final class RandomAliasesTest {
  private static final long FIRST = Long.getLong("fuzz.first", 0);
  private static final long PROGRAMS = Long.getLong("fuzz.programs", 150);

  /** The number of names with which each name is compared. */
  private static final int OTHERS = 8;

  private int names;
  private int several;

  @Test
  void rootsAreWhatArraysAreMadeFrom() {
    Compiler compiler = Compiler.create();
    CompilerOptions plain = CompilerOptions.DEFAULT.withPasses("none").withThreads(1);
    for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      for (Rep rep : List.of(Rep.SEQ, Rep.MC, Rep.GPU)) {
        compare(RandomArrays.of(seed, rep, 15).program(), seed);
      }
      Source source = Source.ofText("random.fut", RandomProgram.of(seed, 10).text());
      compare(compiler.optimise(source, plain, null).program(), seed);
    }
    assertTrue(several > 0.1 * names, () -> several + " of " + names + " have several roots");
  }

  private void compare(Program program, long seed) {
    for (FunDef f : program.functions().values()) {
      List<Stm> stms = f.body().stms();
      Random random = new Random(seed);
      List<Stm> first = stms.subList(0, random.nextInt(stms.size() + 1));
      List<Stm> then = stms.subList(first.size(), stms.size());
      compare(new ReferenceAliases(stms, false), Aliases.of(stms), random);
      compare(new ReferenceAliases(stms, false), Aliases.of(first).with(then), random);
      compare(new ReferenceAliases(stms, true), Aliases.ofIterations(stms), random);
      compare(new ReferenceAliases(stms, true), Aliases.ofIterations(first).with(then), random);
    }
  }

  private void compare(ReferenceAliases expected, Aliases found, Random random) {
    List<Name> all = new ArrayList<>(expected.bound());
    for (Name n : all) {
      Set<Name> roots = expected.roots(n);
      assertEquals(roots, found.roots(n), n::toString);
      names++;
      if (roots.size() > 1) {
        several++;
      }
      for (int i = 0; i < OTHERS; i++) {
        Name m = all.get(random.nextInt(all.size()));
        boolean shares = !Collections.disjoint(roots, expected.roots(m));
        assertEquals(shares, found.mayShare(n, m), () -> n + " and " + m);
      }
    }
  }
}
