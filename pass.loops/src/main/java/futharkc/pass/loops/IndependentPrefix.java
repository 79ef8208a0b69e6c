package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Variables;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The statements at the start of an iteration that depend on no other one: they use no scalar that
 * is carried, and no block that the iteration, themselves included, writes to.
 */
final class IndependentPrefix {
  private final Surroundings around;
  private final Set<Name> carried;
  private final Set<Name> stored;

  private IndependentPrefix(List<Code> body, Surroundings around) {
    this.around = around;
    // What an iteration declares is its own, if it is assigned later, too.
    this.carried = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(body, Set.of())) carried.add(v.name());
    carried.retainAll(Variables.assignedBy(body));
    this.stored = LoopDistribution.written(body);
  }

  /** How many statements there are. */
  static int of(List<Code> body, Surroundings around) {
    IndependentPrefix p = new IndependentPrefix(body, around);
    int n = 0;
    while (n < body.size() && p.takes(body.get(n))) n++;
    return n;
  }

  private boolean takes(Code c) {
    for (Code.Variable v : Variables.usedBy(List.of(c), Set.of())) {
      if (carried.contains(v.name())) return false;
      if (v.isBlock() && stored.stream().anyMatch(s -> around.mayAlias(s, v.name()))) return false;
    }
    return true;
  }
}
