package futharkc.core.ir.analysis;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collection;
import java.util.List;

/** Which of some statements consume an array, or what it may share elements with. */
public final class Overwrites {
  private final Aliases aliases;
  private final NameSets consumed;

  /**
   * Of statements, each of which is looked through once.
   *
   * @param aliases of what is bound there, and around them
   */
  public Overwrites(List<Stm> stms, Aliases aliases) {
    this.aliases = aliases;
    this.consumed = new NameSets(stms.size());
    for (int i = 0; i < stms.size(); i++) consumed.add(i, Consumption.of(stms.get(i), aliases));
  }

  /**
   * Whether any of these arrays is consumed.
   *
   * @param from the first of the statements
   * @param to where they end: the first that is not meant
   */
  public boolean any(Collection<Name> arrays, int from, int to) {
    for (Name n : arrays) if (consumed.meet(aliases.roots(n), from, to)) return true;
    return false;
  }
}
