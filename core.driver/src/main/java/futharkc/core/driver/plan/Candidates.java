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
 * The passes that must run at least once, besides the passes that change the representation.
 *
 * @param reasons the reason for each pass, keyed by name, in the order of preference
 * @param passes the passes, in the same order
 * @param notes the enabled passes that cannot run, each with its reason
 */
record Candidates(Map<String, String> reasons, List<PassInfo> passes, List<String> notes) {
  /**
   * Returns the enabled passes that can run in a representation of the path. The result also has
   * the passes that must establish a property in an earlier representation than the pass that
   * requires it.
   *
   * @throws PlanException if a pass that the user named can run in no representation of the path
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
        notes.add(pass.name() + " is skipped: " + noPlace(pass, path));
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
            + ", but the plan has only the representations "
            + way
            + "."
        : "The pass "
            + pass.name()
            + " changes "
            + accepted
            + " to "
            + pass.produces()
            + ", but the representations of the plan are "
            + way
            + ".";
  }

  /**
   * Adds a pass for each required property that can be established only in an earlier
   * representation.
   */
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
