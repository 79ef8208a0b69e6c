package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The value of {@code --passes}: a set of passes whose order is a preference.
 *
 * <ul>
 *   <li>{@code default}: the target's default passes
 *   <li>{@code a,b{gas=50}}: the named passes, and the passes that they and the target require
 *   <li>{@code +mine,-galop}: the default passes with one more pass and without another
 *   <li>{@code fusion{gas=50},default}: the default passes, one of them with options
 *   <li>{@code none}: only the passes that the target requires
 * </ul>
 *
 * @param withDefault whether the selection includes the default passes
 * @param added the named passes, in the order of naming; each name occurs once
 * @param removed the passes that must not run, not even to establish a required property
 */
public record PassSelection(boolean withDefault, List<PassRequest> added, Set<String> removed) {
  /** The default passes. */
  public static final PassSelection DEFAULT = new PassSelection(true, List.of(), Set.of());

  /** Copies the collections. */
  public PassSelection {
    added = List.copyOf(added);
    removed = java.util.Collections.unmodifiableSet(new java.util.LinkedHashSet<>(removed));
  }

  /**
   * Parses the syntax shown above.
   *
   * @throws PlanException if the text is malformed, adds a pass twice, or adds and removes a pass
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
          throw new PlanException("-" + name + " removes a pass and takes no options.");
        }
        removed.add(name);
      } else if (added.putIfAbsent(name, request) != null) {
        throw new PlanException(
            "The pass "
                + name
                + " is named twice. Name it once: the solver repeats passes as needed."
                + " Use --plan= for an exact sequence.");
      }
      if (added.containsKey(name) && removed.contains(name)) {
        throw new PlanException(
            "The pass " + name + " is both added and removed. Delete one of the two entries.");
      }
    }
    return new PassSelection(withDefault || !named, List.copyOf(added.values()), removed);
  }

  /** Returns this selection with a further pass, unless the selection already names the pass. */
  public PassSelection plus(String pass) {
    if (added.stream().anyMatch(r -> r.name().equals(pass))) {
      return this;
    }
    List<PassRequest> more = new java.util.ArrayList<>(added);
    more.add(new PassRequest(pass));
    return new PassSelection(withDefault, more, removed);
  }
}
