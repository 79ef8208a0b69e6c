package futharkc.core.ir.analysis;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What statements consume, for a pass that asks for it again and again: found once for each
 * statement, by its identity, since statements are immutable. It is of one run of a pass, and
 * serves one thread.
 */
public final class ConsumptionOfStms {
  private final Aliases aliases;
  private final Map<Stm, Set<Name>> known = new IdentityHashMap<>();

  /**
   * Knows nothing yet.
   *
   * @param aliases of all the statements that will be asked about
   */
  public ConsumptionOfStms(Aliases aliases) {
    this.aliases = aliases;
  }

  /** As {@link Consumption#of(Stm, Aliases)}; not to be changed. */
  public Set<Name> of(Stm s) {
    return known.computeIfAbsent(s, t -> Collections.unmodifiableSet(Consumption.of(t, aliases)));
  }
}
