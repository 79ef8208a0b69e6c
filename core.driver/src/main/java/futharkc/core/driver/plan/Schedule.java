package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A builder of one plan. It appends one step at a time and tracks the state of the program. */
final class Schedule {
  private final Collection<PassInfo> available;
  private final Enabled enabled;
  private final RepPath path;
  private final Candidates candidates;
  private final Ordering ordering;

  private final List<Plan.Step> steps = new ArrayList<>();
  private final Map<Property, String> destroyers = new HashMap<>();
  private final Set<String> done = new LinkedHashSet<>();
  private State state = State.LOWERED;

  Schedule(Collection<PassInfo> available, Enabled enabled, RepPath path, Candidates candidates) {
    this.available = available;
    this.enabled = enabled;
    this.path = path;
    this.candidates = candidates;
    List<PassInfo> all = new ArrayList<>(candidates.passes());
    all.addAll(path.changes());
    ordering = new Ordering(all, path);
  }

  /** Returns the plan from a state to the end of the path. */
  Plan run(State start) {
    state = start;
    for (int i = 0; i < path.reps().size(); i++) {
      for (Optional<PassInfo> next = next(i); next.isPresent(); next = next(i)) {
        PassInfo pass = next.get();
        add(pass, candidates.reasons().getOrDefault(pass.name(), ""), new LinkedHashSet<>());
      }
      if (i < path.changes().size()) {
        changeRep(path.changes().get(i), i);
      }
    }
    List<PassInfo> left = remaining();
    if (!left.isEmpty()) {
      throw new PlanException(stuck(left));
    }
    restoreProperties();
    return new Plan(steps, candidates.notes());
  }

  private List<PassInfo> remaining() {
    return candidates.passes().stream().filter(p -> !done.contains(p.name())).toList();
  }

  /** Returns the next pass to run in the representation at a position of the path. */
  private Optional<PassInfo> next(int position) {
    return remaining().stream()
        .filter(p -> State.keeps(p, state.rep()) && ordering.allows(p, position))
        .filter(p -> done.containsAll(ordering.predecessors(p)))
        // The candidates are in the order of preference, and min returns the first of several
        // minima.
        .min(Comparator.comparing(p -> ordering.phase(p, position)));
  }

  private void changeRep(PassInfo change, int position) {
    Set<String> open = new LinkedHashSet<>(ordering.predecessors(change));
    open.removeAll(done);
    path.changes().forEach(c -> open.remove(c.name()));
    if (!open.isEmpty()) {
      throw new PlanException(
          change.name()
              + ", which leads from "
              + state.rep()
              + " to "
              + path.reps().get(position + 1)
              + ", must follow "
              + Wording.list(open)
              + ", which cannot run in or before "
              + state.rep()
              + ".");
    }
    String reason = "leads from " + state.rep() + " to " + path.reps().get(position + 1);
    add(change, reason, new LinkedHashSet<>());
  }

  /**
   * Appends a pass, preceded by the passes that establish its requirements.
   *
   * @param underWay the passes whose requirements led to this call, to detect cycles
   */
  private void add(PassInfo pass, String reason, Set<String> underWay) {
    if (!underWay.add(pass.name())) {
      throw new PlanException(
          "The passes "
              + Wording.list(underWay)
              + " require one another: each requires a property that the next pass establishes, and"
              + " the last one requires a property of "
              + pass.name()
              + ". Remove one of them, as in --passes=default,-"
              + pass.name()
              + ".");
    }
    List<Property> missing = missing(pass);
    for (int round = 0; !missing.isEmpty(); round++) {
      if (round > pass.wanted().size()) {
        throw new PlanException(
            pass.name()
                + " requires "
                + missing.stream().map(p -> "'" + p + "'").collect(Collectors.joining(", "))
                + " together with its other required properties, but the passes that establish them"
                + " destroy each other's properties. Remove "
                + pass.name()
                + ".");
      }
      for (Property property : missing) {
        if (!state.properties().contains(property)) {
          establish(property, pass, underWay);
        }
      }
      missing = missing(pass);
    }
    underWay.remove(pass.name());
    append(pass, reason);
  }

  /**
   * Returns the missing properties that the pass requires. A preferred property is included if some
   * pass can establish it in the current representation.
   */
  private List<Property> missing(PassInfo pass) {
    return state.missing(pass.wanted()).stream()
        .filter(p -> pass.requires().contains(p) || establisher(p) != null)
        .toList();
  }

  private void establish(Property property, PassInfo forPass, Set<String> underWay) {
    PassInfo establisher = establisher(property);
    if (establisher == null) {
      throw new PlanException(cannotEstablish(property, forPass));
    }
    String destroyer = destroyers.get(property);
    String reason =
        "establishes '"
            + property
            + "', which "
            + forPass.name()
            + (forPass.requires().contains(property) ? " requires" : " prefers")
            + (destroyer == null ? "" : " and " + destroyer + " destroyed");
    add(establisher, reason, underWay);
  }

  private @org.jspecify.annotations.Nullable PassInfo establisher(Property property) {
    return available.stream()
        .filter(p -> p.establishes().contains(property) && !enabled.isRemoved(p))
        .filter(p -> State.keeps(p, state.rep()))
        .min(enabled.preference())
        .orElse(null);
  }

  private String cannotEstablish(Property property, PassInfo forPass) {
    List<PassInfo> all =
        available.stream().filter(p -> p.establishes().contains(property)).toList();
    String needs = forPass.name() + " requires '" + property + "', ";
    if (all.isEmpty()) {
      return needs
          + "which no pass establishes. Add a plugin that does, or remove "
          + forPass.name()
          + ".";
    }
    List<PassInfo> removed = all.stream().filter(enabled::isRemoved).toList();
    if (!removed.isEmpty()) {
      String name = removed.getFirst().name();
      return needs + "which " + name + " establishes, but -" + name + " removes that pass.";
    }
    String destroyer = destroyers.get(property);
    return needs
        + "which "
        + all.stream()
            .map(
                p ->
                    p.name() + " (in " + Wording.list(p.accepts().stream().sorted().toList()) + ")")
            .collect(Collectors.joining(" or "))
        + " establishes, but the program is already in "
        + state.rep()
        + (destroyer == null ? "." : ", and " + destroyer + " destroyed the property.");
  }

  private void append(PassInfo pass, String reason) {
    State next = state.after(pass);
    for (Property property : state.properties()) {
      if (!next.properties().contains(property)) {
        destroyers.put(property, pass.name());
      }
    }
    steps.add(new Plan.Step(enabled.request(pass), state, next, reason));
    done.add(pass.name());
    state = next;
  }

  /**
   * Runs a pass again if a later pass has destroyed a property that it established. Each pass runs
   * again at most once, so the plan may end without some of these properties.
   */
  private void restoreProperties() {
    Set<String> restored = new LinkedHashSet<>();
    while (true) {
      Optional<PassInfo> undone =
          candidates.passes().stream()
              .filter(p -> State.keeps(p, state.rep()) && !restored.contains(p.name()))
              .filter(p -> !state.missing(p.establishes()).isEmpty())
              .findFirst();
      if (undone.isEmpty()) {
        return;
      }
      restored.add(undone.get().name());
      Property property = state.missing(undone.get().establishes()).getFirst();
      String reason =
          "establishes '" + property + "' again, which " + destroyers.get(property) + " destroyed";
      add(undone.get(), reason, new LinkedHashSet<>());
    }
  }

  private String stuck(List<PassInfo> left) {
    List<String> lines = new ArrayList<>();
    for (PassInfo pass : left) {
      Set<String> open = new LinkedHashSet<>(ordering.predecessors(pass));
      open.removeAll(done);
      String accepted = Wording.list(pass.accepts().stream().sorted().toList());
      lines.add(
          "The pass "
              + pass.name()
              + " cannot run. It accepts "
              + accepted
              + ": "
              + (open.isEmpty()
                  ? ordering.predecessors(pass).isEmpty()
                      ? "the extension points that it names are not in these representations."
                      : "it must follow "
                          + Wording.list(ordering.predecessors(pass))
                          + ", which run only in a later representation."
                  : "it must follow " + Wording.list(open) + ", which cannot run either."));
    }
    lines.add("Remove it, as in --passes=default,-" + left.getFirst().name() + ".");
    return String.join("\n", lines);
  }
}
