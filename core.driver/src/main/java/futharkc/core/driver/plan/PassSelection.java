package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code --passes} says: a set of passes whose order is a preference.
 *
 * <ul>
 *   <li>{@code default}: the target's default passes
 *   <li>{@code a,b{gas=50}}: these, and what they and the target need
 *   <li>{@code +mine,-galop}: the default with an addition and without a pass
 *   <li>{@code fusion{gas=50},default}: the default, one pass with options
 *   <li>{@code none}: only what the target needs
 * </ul>
 *
 * @param withDefault whether the default passes are in
 * @param added passes named, in the order of naming; a name occurs once
 * @param removed passes that must not run, not even to establish what another one requires
 */
public record PassSelection(boolean withDefault, List<PassRequest> added, Set<String> removed) {
  /** The default passes. */
  public static final PassSelection DEFAULT = new PassSelection(true, List.of(), Set.of());

  /** Makes unmodifiable copies. */
  public PassSelection {
    added = List.copyOf(added);
    removed = java.util.Collections.unmodifiableSet(new java.util.LinkedHashSet<>(removed));
  }

  /**
   * Reads the syntax shown above.
   *
   * @throws PlanException for malformed text, or a pass both added and removed or added twice
   */
  public static PassSelection parse(String text) {
    boolean named = false;
    boolean withDefault = false;
    Map<String, PassRequest> added = new LinkedHashMap<>();
    Set<String> removed = new java.util.LinkedHashSet<>();
    for (PassListParser.Item item : PassListParser.parse(text)) {
      PassRequest request = item.request();
      String name = request.name();
      if (item.sign() == ' ' && (name.equals("default") || name.equals("none"))) {
        withDefault |= name.equals("default");
        named = true;
        continue;
      }
      named |= item.sign() == ' ';
      if (item.sign() == '-') {
        if (!request.options().isEmpty()) {
          throw new PlanException("-" + name + " takes a pass out, so it cannot have options.");
        }
        removed.add(name);
      } else if (added.putIfAbsent(name, request) != null) {
        throw new PlanException(
            "The pass "
                + name
                + " is named twice. A pass that has to run again does so by itself;"
                + " --plan= takes an exact sequence.");
      }
      if (added.containsKey(name) && removed.contains(name)) {
        throw new PlanException("The pass " + name + " is both added and taken out.");
      }
    }
    return new PassSelection(withDefault || !named, List.copyOf(added.values()), removed);
  }

  /** With a further pass, unless it is there. */
  public PassSelection plus(String pass) {
    if (added.stream().anyMatch(r -> r.name().equals(pass))) return this;
    List<PassRequest> more = new java.util.ArrayList<>(added);
    more.add(new PassRequest(pass));
    return new PassSelection(withDefault, more, removed);
  }
}
