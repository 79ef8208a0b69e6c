package futharkc.pass.differentiation;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reverse mode of branches: branches with the same condition that contain the return sweeps.
 *
 * <pre>
 * y = if c then f else g       x_ = if c then {f; return sweep of f; x_} else {g; return sweep of g; x_}
 *                              for all x that are free in f or g
 * </pre>
 *
 * <p>Schenck et al., AD for an Array Language with Nested Parallelism, SC 2022, section 4.1. A
 * branch of the return sweep computes the values that it needs again. If a statement reads an array
 * that the branch overwrites, the forward sweep saves the results of that statement. {@link
 * BranchReturn} has the details.
 */
final class BranchAdjoint {
  private final Sweep sweep;
  private final Stm s;
  private final Exp.Match m;
  private final int position;

  BranchAdjoint(Sweep sweep, Stm s, Exp.Match m) {
    this.sweep = sweep;
    this.s = s;
    this.m = m;
    this.position = sweep.position();
  }

  void reverse(Emitter e) {
    new BranchReturn(sweep, s, m, position, null).emit(e);
    consumes();
  }

  /**
   * Returns, for each result that is an in-place update of an array, that array, keyed by the
   * position of the result.
   */
  static Map<Integer, Name> inPlace(Stm s, Exp.Match m, Sweep sweep) {
    return inPlace(s, m, sweep, Consumption.of(s, sweep.aliases()));
  }

  private static Map<Integer, Name> inPlace(Stm s, Exp.Match m, Sweep sweep, Set<Name> consumed) {
    Map<Integer, Name> arrays = new HashMap<>();
    for (int k = 0; k < s.pat().size(); k++) {
      if (!(s.pat().get(k).type() instanceof Type.Array)) {
        continue;
      }
      Name a = InPlace.ofMatch(m, k);
      if (a == null || arrays.containsValue(a)) {
        continue;
      }
      if (sweep.aliases().roots(a).stream().anyMatch(consumed::contains)) {
        arrays.put(k, a);
      }
    }
    return arrays;
  }

  /** Records the consumed arrays and the code that restores each of them. */
  void consumes() {
    Set<Name> consumed = Consumption.of(s, sweep.aliases());
    if (consumed.isEmpty()) {
      return;
    }
    States states = sweep.states();
    Map<Integer, Name> arrays = inPlace(s, m, sweep, consumed);
    Map<Integer, States.Supplier> after = new HashMap<>();
    arrays.forEach((k, a) -> after.put(k, states.owned(s.pat().get(k).name())));
    Set<Name> names = new LinkedHashSet<>(FreeNames.of(s));
    for (Name n : names) {
      if (!(sweep.back().scope().lookup(n) instanceof Type.Array)) {
        continue;
      }
      if (sweep.aliases().roots(n).stream().noneMatch(consumed::contains)) {
        continue;
      }
      if (states.isFrozen(n) || states.isKnown(n) || arrays.containsValue(n)) {
        continue;
      }
      states.consumed(n, position);
    }
    arrays.forEach(
        (k, a) -> {
          if (states.isFrozen(a) || states.isKnown(a)) {
            return;
          }
          Name result = s.pat().get(k).name();
          States.Supplier then = after.get(k);
          if (then == null) {
            throw new IllegalStateException("no state of " + result);
          }
          states.consumed(a, position, e -> restored(result, a, then, e));
        });
  }

  private Name restored(Name result, Name array, States.Supplier after, Emitter e) {
    Stm now = sweep.statementOf(position, result);
    Exp.Match match = (Exp.Match) now.exp();
    var only = new BranchReturn.Restored(now.names().indexOf(result), after);
    BranchReturn back = new BranchReturn(sweep, now, match, position, only);
    back.emit(e);
    Name was = back.restored();
    return was != null ? was : sweep.states().copied(array, e);
  }

  /** Returns the branches, with the default last. */
  static List<Body> bodies(Exp.Match m) {
    List<Body> all = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      all.add(c.body());
    }
    all.add(m.otherwise());
    return all;
  }

  /** Returns a match with the same conditions and other branches. */
  static Exp.Match with(Exp.Match m, List<Body> bodies) {
    List<Exp.Case> cases = new ArrayList<>();
    for (int i = 0; i < m.cases().size(); i++) {
      cases.add(new Exp.Case(m.cases().get(i).pattern(), bodies.get(i)));
    }
    return new Exp.Match(m.scrutinees(), cases, bodies.get(bodies.size() - 1));
  }
}
