package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Variables;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The number of statements at the start of an iteration that depend on no other iteration: they use
 * no carried scalar, and no block that the iteration writes.
 */
final class IndependentPrefix {
  private final LoopContext around;
  private final Set<Name> carried;
  private final Set<Name> stored;

  private IndependentPrefix(List<Code> body, LoopContext around) {
    this.around = around;
    // A variable that an iteration declares is not carried, even if the iteration assigns it
    // later.
    this.carried = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(body, Set.of())) {
      carried.add(v.name());
    }
    carried.retainAll(Variables.assignedBy(body));
    this.stored = LoopDistribution.written(body);
  }

  /** Returns the number of independent statements. */
  static int of(List<Code> body, LoopContext around) {
    IndependentPrefix p = new IndependentPrefix(body, around);
    int n = 0;
    while (n < body.size() && p.takes(body.get(n))) {
      n++;
    }
    return n;
  }

  private boolean takes(Code c) {
    for (Code.Variable v : Variables.usedBy(List.of(c), Set.of())) {
      if (carried.contains(v.name())) {
        return false;
      }
      if (v.isBlock() && stored.stream().anyMatch(s -> around.mayAlias(s, v.name()))) {
        return false;
      }
    }
    return true;
  }
}
