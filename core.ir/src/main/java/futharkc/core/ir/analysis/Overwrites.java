package futharkc.core.ir.analysis;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collection;
import java.util.List;

/** Queries for statements in a range that consume an array or an alias of it. */
public final class Overwrites {
  private final Aliases aliases;
  private final NameSets consumed;

  /**
   * Prepares queries over statements, each of which is traversed once.
   *
   * @param aliases the aliases of arrays in the statements and around them
   */
  public Overwrites(List<Stm> stms, Aliases aliases) {
    this.aliases = aliases;
    this.consumed = new NameSets(stms.size());
    for (int i = 0; i < stms.size(); i++) {
      consumed.add(i, Consumption.of(stms.get(i), aliases));
    }
  }

  /** Tests whether a statement at a position in {@code [from, to)} consumes any of the arrays. */
  public boolean any(Collection<Name> arrays, int from, int to) {
    for (Name n : arrays) {
      if (consumed.meet(aliases.roots(n), from, to)) {
        return true;
      }
    }
    return false;
  }
}
