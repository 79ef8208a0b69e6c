package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A map from former names of passes to their present names. */
public final class PassNames {
  private final Map<String, String> present = new TreeMap<>();

  /** Collects the former names that the passes declare. */
  public PassNames(Collection<PassInfo> passes) {
    for (PassInfo pass : passes) {
      pass.formerNames().forEach(former -> present.put(former, pass.name()));
    }
  }

  /** Returns the present name of the pass with a name; the name itself if no pass had it before. */
  public String present(String name) {
    return present.getOrDefault(name, name);
  }

  /** Returns a declaration whose constraints name other passes by their present names. */
  PassInfo present(PassInfo pass) {
    return pass.after(presentAll(pass.after())).before(presentAll(pass.before()));
  }

  private String[] presentAll(List<String> names) {
    return names.stream().map(this::present).toArray(String[]::new);
  }

  /** Returns a request for a pass by its present name. */
  PassRequest present(PassRequest request) {
    return new PassRequest(present(request.name()), request.options());
  }

  /**
   * Returns a selection that names passes by their present names.
   *
   * @throws PlanException if it names a pass twice, by a former and by the present name
   */
  PassSelection present(PassSelection selection) {
    List<PassRequest> added = new ArrayList<>();
    Set<String> removed = new LinkedHashSet<>();
    selection.removed().forEach(name -> removed.add(present(name)));
    Set<String> seen = new LinkedHashSet<>(removed);
    for (PassRequest request : selection.added()) {
      if (!seen.add(present(request.name()))) {
        throw new PlanException(
            "The pass "
                + present(request.name())
                + " is named twice, once by its former name "
                + formerName(request, selection)
                + ". Remove one of the two.");
      }
      added.add(present(request));
    }
    return new PassSelection(selection.withDefault(), added, removed);
  }

  private String formerName(PassRequest request, PassSelection selection) {
    String name = present(request.name());
    List<String> all = new ArrayList<>(selection.removed());
    selection.added().forEach(r -> all.add(r.name()));
    return all.stream()
        .filter(n -> !n.equals(name) && present(n).equals(name))
        .findFirst()
        .orElse(name);
  }

  /** Returns one note for each of the names that is a former one. */
  List<String> notes(Collection<String> names) {
    return names.stream()
        .filter(present::containsKey)
        .distinct()
        .map(n -> "The pass " + n + " is now called " + present(n) + "; both names work.")
        .toList();
  }
}
