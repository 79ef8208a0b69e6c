package futharkc.pass.allocate;

import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Which statements of a body mention, at any depth, what may share elements with an array. The
 * body's results count as one more statement after the last.
 */
final class Mentions {
  private final Aliases aliases;
  private final Map<Name, NavigableSet<Integer>> byRoot = new HashMap<>();

  Mentions(List<Stm> stms, List<SubExp> results, Aliases aliases) {
    this.aliases = aliases;
    int[] at = {0};
    Mapper noting =
        new Mapper() {
          @Override
          public Name name(Name use) {
            for (Name root : aliases.roots(use)) {
              byRoot.computeIfAbsent(root, k -> new TreeSet<>()).add(at[0]);
            }
            return use;
          }
        };
    for (; at[0] < stms.size(); at[0]++) noting.stm(stms.get(at[0]));
    noting.subExps(results);
  }

  /** Whether one of the statements from a position up to before another does. */
  boolean between(int from, int end, Name array) {
    for (Name root : aliases.roots(array)) {
      NavigableSet<Integer> positions = byRoot.get(root);
      Integer next = positions == null ? null : positions.ceiling(from);
      if (next != null && next < end) return true;
    }
    return false;
  }

  /** Whether a statement after the one at a position does, or the results. */
  boolean after(int at, Name array) {
    return between(at + 1, Integer.MAX_VALUE, array);
  }
}
