package futharkc.core.ir.analysis;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Which of some statements consume an array, or what it may share elements with. */
public final class Overwrites {
  private final Aliases aliases;

  /** The places among the statements where a root is consumed. */
  private final Map<Name, NavigableSet<Integer>> places = new HashMap<>();

  /**
   * Of statements, each of which is looked through once.
   *
   * @param aliases of what is bound there, and around them
   */
  public Overwrites(List<Stm> stms, Aliases aliases) {
    this.aliases = aliases;
    for (int i = 0; i < stms.size(); i++) {
      for (Name root : Consumption.of(stms.get(i), aliases)) {
        places.computeIfAbsent(root, k -> new TreeSet<>()).add(i);
      }
    }
  }

  /**
   * Whether any of these arrays is consumed.
   *
   * @param from the first of the statements
   * @param to where they end: the first that is not meant
   */
  public boolean any(Collection<Name> arrays, int from, int to) {
    if (places.isEmpty() || from >= to) return false;
    for (Name n : arrays) for (Name root : aliases.roots(n)) if (any(root, from, to)) return true;
    return false;
  }

  private boolean any(Name root, int from, int to) {
    NavigableSet<Integer> at = places.get(root);
    Integer next = at == null ? null : at.ceiling(from);
    return next != null && next < to;
  }
}
