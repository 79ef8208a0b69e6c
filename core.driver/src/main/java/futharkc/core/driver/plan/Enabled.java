package futharkc.core.driver.plan;

import futharkc.core.driver.failure.PlanException;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The passes that a selection enables.
 *
 * @param order the names of the enabled passes in the order of preference: first the named passes,
 *     then the default passes
 * @param requests the requested options, keyed by pass
 * @param named the passes that the user named, as opposed to the default passes
 * @param removed the passes that must not run
 */
record Enabled(
    List<String> order, Map<String, PassRequest> requests, Set<String> named, Set<String> removed) {

  static Enabled of(PassSelection selection, SortedMap<String, PassInfo> available) {
    Map<String, PassRequest> requests = new LinkedHashMap<>();
    selection.added().forEach(r -> requests.put(r.name(), r));
    Set<String> named = new LinkedHashSet<>(requests.keySet());
    List<String> wrong = new ArrayList<>();
    Set<String> mentioned = new LinkedHashSet<>(named);
    mentioned.addAll(selection.removed());
    for (String name : mentioned) {
      if (!available.containsKey(name)) {
        wrong.add(Wording.unknownPass(name, available.keySet()));
      }
    }
    if (!wrong.isEmpty()) {
      throw new PlanException(String.join("\n", wrong));
    }
    if (selection.withDefault()) {
      for (PassInfo pass : available.values()) {
        if (pass.inDefault()) {
          requests.putIfAbsent(pass.name(), new PassRequest(pass.name()));
        }
      }
    }
    requests.keySet().removeAll(selection.removed());
    for (PassInfo pass : available.values()) {
      PassRequest request = requests.get(pass.name());
      if (request != null) {
        PassOptions.check(pass, request);
      }
    }
    return new Enabled(List.copyOf(requests.keySet()), requests, named, selection.removed());
  }

  boolean contains(PassInfo pass) {
    return requests.containsKey(pass.name());
  }

  boolean isNamed(PassInfo pass) {
    return named.contains(pass.name());
  }

  boolean isRemoved(PassInfo pass) {
    return removed.contains(pass.name());
  }

  /**
   * Returns an order by preference: first the enabled passes in their order, then all others by
   * name.
   */
  Comparator<PassInfo> preference() {
    return Comparator.comparingInt(this::rank).thenComparing(PassInfo::name);
  }

  private int rank(PassInfo pass) {
    int i = order.indexOf(pass.name());
    return i < 0 ? order.size() : i;
  }

  PassRequest request(PassInfo pass) {
    PassRequest request = requests.get(pass.name());
    return request == null ? new PassRequest(pass.name()) : request;
  }
}
