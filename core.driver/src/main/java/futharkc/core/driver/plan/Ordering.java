package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The order of the passes of one plan.
 *
 * <p>A pass may name other passes and extension points in {@code after} and {@code before}. Each
 * representation has two extension points, {@code REP-early} and {@code REP-late}, for example
 * {@code soacs-late}. In a representation, passes before its early point run first, and passes
 * after its late point run last.
 */
final class Ordering {
  /** The phase of a pass in a representation, relative to the extension points. */
  enum Phase {
    EARLY,
    MIDDLE,
    LATE
  }

  private final RepPath path;
  private final Map<String, PassInfo> passes = new LinkedHashMap<>();
  private final Map<String, Set<String>> predecessors = new LinkedHashMap<>();

  /**
   * Creates the order that passes declare.
   *
   * @throws PlanException if the order has a cycle
   */
  Ordering(Collection<PassInfo> all, RepPath path) {
    this.path = path;
    all.forEach(p -> passes.put(p.name(), p));
    for (PassInfo pass : all) {
      predecessors.put(pass.name(), new LinkedHashSet<>());
    }
    for (PassInfo pass : all) {
      pass.after().forEach(other -> addEdge(other, pass.name()));
      pass.before().forEach(other -> addEdge(pass.name(), other));
    }
    for (PassInfo pass : all) {
      List<String> cycle = cycleFrom(pass.name());
      if (!cycle.isEmpty()) {
        throw new PlanException(cyclic(cycle));
      }
    }
    addRequirements(all);
  }

  private void addEdge(String earlier, String later) {
    if (passes.containsKey(earlier) && passes.containsKey(later)) {
      predecessors.getOrDefault(later, new LinkedHashSet<>()).add(earlier);
    }
  }

  /**
   * Orders each establisher of a property before the passes that require the property, unless the
   * declared order contradicts.
   */
  private void addRequirements(Collection<PassInfo> all) {
    for (PassInfo later : all) {
      for (PassInfo earlier : all) {
        boolean needed = later.wanted().stream().anyMatch(earlier.establishes()::contains);
        if (needed && earlier != later && !precedes(later.name(), earlier.name())) {
          addEdge(earlier.name(), later.name());
        }
      }
    }
  }

  /** Tests whether a pass must precede another pass, directly or transitively. */
  private boolean precedes(String earlier, String later) {
    Set<String> seen = new LinkedHashSet<>();
    List<String> open = new ArrayList<>(List.of(later));
    while (!open.isEmpty()) {
      for (String p : predecessors.getOrDefault(open.removeLast(), Set.of())) {
        if (p.equals(earlier)) {
          return true;
        }
        if (seen.add(p)) {
          open.add(p);
        }
      }
    }
    return false;
  }

  /**
   * Returns a shortest cycle through a pass: the pass, a predecessor, and so on, back to the pass.
   * Returns an empty list if the pass is on no cycle.
   */
  private List<String> cycleFrom(String start) {
    Map<String, String> reachedFrom = new LinkedHashMap<>();
    List<String> open = new ArrayList<>(List.of(start));
    for (int i = 0; i < open.size(); i++) {
      for (String p : predecessors.getOrDefault(open.get(i), Set.of())) {
        if (p.equals(start)) {
          List<String> cycle = new ArrayList<>(List.of(start));
          String at = open.get(i);
          while (!at.equals(start)) {
            cycle.add(at);
            at = reachedFrom.getOrDefault(at, start);
          }
          cycle.add(start);
          return cycle;
        }
        if (reachedFrom.putIfAbsent(p, open.get(i)) == null) {
          open.add(p);
        }
      }
    }
    return List.of();
  }

  /** Returns the error message for a cycle. Each pass in the list must precede the next. */
  private String cyclic(List<String> cycle) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "The passes " + Wording.list(cycle.subList(0, cycle.size() - 1)) + " cannot be ordered:");
    for (int i = 0; i + 1 < cycle.size(); i++) {
      String earlier = cycle.get(i);
      String later = cycle.get(i + 1);
      PassInfo first = passes.get(earlier);
      String who = first != null && first.before().contains(later) ? earlier : later;
      lines.add("  " + earlier + " must precede " + later + ", declared by " + who + ";");
    }
    lines.add("Remove one of them, as in --passes=default,-" + cycle.getFirst() + ".");
    return String.join("\n", lines);
  }

  /** Returns the names of the passes that must precede a pass. */
  Set<String> predecessors(PassInfo pass) {
    return predecessors.getOrDefault(pass.name(), Set.of());
  }

  /** Returns the phase of a pass in the representation at a position of the path. */
  Phase phase(PassInfo pass, int position) {
    Rep rep = path.reps().get(position);
    if (pass.before().contains(early(rep))) {
      return Phase.EARLY;
    }
    return pass.after().contains(late(rep)) ? Phase.LATE : Phase.MIDDLE;
  }

  /**
   * Tests whether the extension points that a pass names permit the pass at a position of the path.
   */
  boolean allows(PassInfo pass, int position) {
    for (int i = 0; i < path.reps().size(); i++) {
      Rep rep = path.reps().get(i);
      boolean notBefore = pass.after().contains(early(rep)) || pass.after().contains(late(rep));
      boolean notAfter = pass.before().contains(early(rep)) || pass.before().contains(late(rep));
      if (notBefore && position < i || notAfter && position > i) {
        return false;
      }
    }
    return true;
  }

  /** Returns the names of all extension points. */
  static List<String> extensionPoints() {
    return Stream.of(Rep.values()).flatMap(r -> Stream.of(early(r), late(r))).toList();
  }

  private static String early(Rep rep) {
    return rep + "-early";
  }

  private static String late(Rep rep) {
    return rep + "-late";
  }
}
