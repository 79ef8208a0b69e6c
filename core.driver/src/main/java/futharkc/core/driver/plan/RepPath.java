package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The representations of a plan in order, and the passes that change the representation.
 *
 * @param reps the representations, at least one
 * @param changes the pass from each representation to the next
 */
record RepPath(List<Rep> reps, List<PassInfo> changes) {
  /**
   * The cost of an enabled pass. It is slightly less than {@link #NOT_ENABLED}: an enabled pass
   * wins among paths of equal length, but never causes a longer path.
   */
  private static final int ENABLED = 10;

  private static final int NOT_ENABLED = 11;

  RepPath {
    reps = List.copyOf(reps);
    changes = List.copyOf(changes);
  }

  private record Edge(Rep before, PassInfo pass) {}

  /** Returns the cheapest path. Among paths of equal cost, the order of preference decides. */
  static RepPath find(Collection<PassInfo> passes, Rep start, Goal goal, Enabled enabled) {
    List<PassInfo> changers =
        passes.stream()
            .filter(p -> p.produces() != null && !enabled.isRemoved(p))
            .sorted(enabled.preference())
            .toList();
    Map<Rep, Integer> cost = new EnumMap<>(Rep.class);
    Map<Rep, Edge> from = new EnumMap<>(Rep.class);
    cost.put(start, 0);
    // The Bellman-Ford algorithm. The graph has seven vertices and few edges.
    for (int round = 0; round < Rep.values().length; round++) {
      for (PassInfo pass : changers) {
        relax(pass, enabled.contains(pass) ? ENABLED : NOT_ENABLED, cost, from);
      }
    }
    if (!cost.containsKey(goal.rep())) {
      throw new PlanException(noWay(passes, start, goal, enabled));
    }
    Deque<Rep> reps = new ArrayDeque<>(List.of(goal.rep()));
    Deque<PassInfo> used = new ArrayDeque<>();
    while (reps.getFirst() != start) {
      Edge edge = from.get(reps.getFirst());
      if (edge == null) {
        throw new IllegalStateException("the path does not reach the start");
      }
      reps.addFirst(edge.before);
      used.addFirst(edge.pass);
    }
    return new RepPath(List.copyOf(reps), List.copyOf(used));
  }

  private static void relax(PassInfo pass, int step, Map<Rep, Integer> cost, Map<Rep, Edge> from) {
    Rep after = pass.produces();
    if (after == null) {
      return;
    }
    for (Rep before : Rep.values()) {
      Integer reached = cost.get(before);
      if (reached == null || before == after || !pass.accepts().contains(before)) {
        continue;
      }
      Integer known = cost.get(after);
      if (known == null || reached + step < known) {
        cost.put(after, reached + step);
        from.put(after, new Edge(before, pass));
      }
    }
  }

  private static String noWay(Collection<PassInfo> passes, Rep start, Goal goal, Enabled enabled) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "No sequence of passes leads from "
            + start
            + " to "
            + goal.rep()
            + ", which "
            + goal.name()
            + " needs.");
    for (PassInfo pass : passes) {
      if (pass.produces() != null) {
        lines.add(
            "  "
                + pass.name()
                + " leads from "
                + Wording.list(pass.accepts().stream().sorted().toList())
                + " to "
                + pass.produces()
                + (enabled.isRemoved(pass) ? ", but -" + pass.name() + " removes it" : "")
                + ".");
      }
    }
    return String.join("\n", lines);
  }

  /** Returns the position of a representation on the path, or -1. */
  int position(Rep rep) {
    return reps.indexOf(rep);
  }

  /** Returns the first position at which a pass can run and keep the representation, or -1. */
  int firstKept(PassInfo pass) {
    for (int i = 0; i < reps.size(); i++) {
      if (State.keeps(pass, reps.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Tests whether a pass is one of the path's changes of representation. */
  boolean leadsOver(PassInfo pass) {
    return changes.stream().anyMatch(c -> c.name().equals(pass.name()));
  }
}
