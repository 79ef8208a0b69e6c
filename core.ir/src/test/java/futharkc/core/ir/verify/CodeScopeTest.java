package futharkc.core.ir.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.verify.CodeScope.Kind;
import futharkc.core.ir.verify.CodeScope.Lack;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests of usability after branches and loops, by comparison with sets that are copied at each
 * branch.
 */
class CodeScopeTest {
  private static final int VARIABLES = 5;

  private final Random random = new Random(14);
  private CodeScope scope = new CodeScope(VARIABLES, false);

  @Test
  void pathsJoin() {
    for (int k = 0; k < 2000; k++) {
      scope = new CodeScope(VARIABLES, false);
      Set<Name> lacking = new HashSet<>();
      for (int i = 0; i < VARIABLES; i++) {
        scope.declare(Code.Variable.scalar(name(i), PrimType.I64), Kind.SCALAR);
        step(name(i), random.nextBoolean(), lacking);
      }
      walk(3, lacking);
      assertEquals(lacking, lacking());
    }
  }

  private static Name name(int i) {
    return new Name("x", i);
  }

  private Set<Name> lacking() {
    Set<Name> lacking = new HashSet<>();
    for (int i = 0; i < VARIABLES; i++) {
      try {
        scope.use(Code.Variable.scalar(name(i), PrimType.I64));
      } catch (BrokenRule r) {
        lacking.add(name(i));
      }
    }
    return lacking;
  }

  private void step(Name n, boolean lacks, Set<Name> lacking) {
    if (lacks) {
      scope.lack(n, Lack.UNASSIGNED);
      lacking.add(n);
    } else {
      scope.assigned(n);
      lacking.remove(n);
    }
  }

  private void walk(int depth, Set<Name> lacking) {
    for (int k = 0; k < 4; k++) {
      int what = depth == 0 ? 0 : random.nextInt(4);
      if (what < 2) {
        step(name(random.nextInt(VARIABLES)), random.nextBoolean(), lacking);
        continue;
      }
      Set<Name> before = Set.copyOf(lacking);
      int fork = scope.fork();
      walk(depth - 1, lacking);
      if (what == 2) {
        boolean more = scope.meet(fork);
        lacking.addAll(before);
        assertEquals(!lacking.equals(before), more);
      } else {
        Map<Name, Optional<Lack>> changed = scope.back(fork);
        assertEquals(before, lacking());
        Set<Name> after = Set.copyOf(lacking);
        lacking.clear();
        lacking.addAll(before);
        walk(depth - 1, lacking);
        scope.meet(fork, changed);
        lacking.addAll(after);
      }
      assertEquals(lacking, lacking());
    }
  }
}
