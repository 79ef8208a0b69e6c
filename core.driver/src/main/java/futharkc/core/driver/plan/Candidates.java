package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The passes that have to run at least once, besides those that change the representation.
 *
 * @param reasons why each is there, by pass, in the order of preference
 * @param passes the passes themselves, in the same order
 * @param notes which of the enabled passes are not there, and why
 */
record Candidates(Map<String, String> reasons, List<PassInfo> passes, List<String> notes) {
  /**
   * The enabled passes that have a place on the path, and those that must run earlier than whoever
   * requires them.
   *
   * @throws PlanException if a pass that was named has no place
   */
  static Candidates of(Collection<PassInfo> available, Enabled enabled, RepPath path) {
    List<String> notes = new ArrayList<>();
    Map<String, String> reasons = new LinkedHashMap<>();
    List<PassInfo> passes = new ArrayList<>();
    for (PassInfo pass : available.stream().sorted(enabled.preference()).toList()) {
      if (!enabled.contains(pass) || path.leadsOver(pass)) {
        continue;
      }
      if (path.firstKept(pass) >= 0) {
        passes.add(pass);
        reasons.put(pass.name(), enabled.isNamed(pass) ? "named" : "in the default");
      } else if (enabled.isNamed(pass)) {
        throw new PlanException(noPlace(pass, path));
      } else {
        notes.add(pass.name() + " is left out: " + noPlace(pass, path));
      }
    }
    addEarlyEstablishers(available, enabled, path, reasons, passes);
    return new Candidates(reasons, passes, notes);
  }

  private static String noPlace(PassInfo pass, RepPath path) {
    String accepted = Wording.list(pass.accepts().stream().sorted().toList());
    String way = Wording.list(path.reps());
    return pass.produces() == null
        ? "The pass "
            + pass.name()
            + " accepts "
            + accepted
            + ", but the way to the target is "
            + way
            + "."
        : "The pass "
            + pass.name()
            + " leads from "
            + accepted
            + " to "
            + pass.produces()
            + ", which is not a step of the way to the target, "
            + way
            + ".";
  }

  /** Adds, for each required property that can be established only earlier, who does that. */
  private static void addEarlyEstablishers(
      Collection<PassInfo> available,
      Enabled enabled,
      RepPath path,
      Map<String, String> reasons,
      List<PassInfo> passes) {
    Deque<PassInfo> open = new ArrayDeque<>(passes);
    open.addAll(path.changes());
    while (!open.isEmpty()) {
      PassInfo pass = open.removeFirst();
      for (Property property :
          pass.wanted().stream().sorted(Comparator.comparing(Property::name)).toList()) {
        List<PassInfo> establishers =
            available.stream()
                .filter(p -> p.establishes().contains(property) && !enabled.isRemoved(p))
                .sorted(enabled.preference())
                .toList();
        boolean there =
            establishers.stream().anyMatch(e -> reasons.containsKey(e.name()) || path.leadsOver(e));
        boolean inTime =
            establishers.stream()
                .anyMatch(
                    e ->
                        path.reps().stream()
                            .anyMatch(r -> pass.accepts().contains(r) && State.keeps(e, r)));
        if (there || inTime) {
          continue;
        }
        establishers.stream()
            .filter(e -> path.firstKept(e) >= 0)
            .findFirst()
            .ifPresent(
                e -> {
                  reasons.put(
                      e.name(),
                      "establishes '" + property + "', which " + pass.name() + " requires");
                  passes.add(e);
                  open.add(e);
                });
      }
    }
  }
}
