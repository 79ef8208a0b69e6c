package futharkc.core.ir.analysis;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The free names of statements, for a pass that asks for them again and again: found once for each
 * statement, by its identity, since statements are immutable. It is of one run of a pass, and
 * serves one thread.
 */
public final class FreeNamesOfStms {
  private final Map<Stm, Set<Name>> known = new IdentityHashMap<>();

  /** Knows nothing yet. */
  public FreeNamesOfStms() {}

  /** As {@link FreeNames#of(Stm)}; not to be changed. */
  public Set<Name> of(Stm s) {
    return known.computeIfAbsent(s, t -> Collections.unmodifiableSet(FreeNames.of(t)));
  }
}
