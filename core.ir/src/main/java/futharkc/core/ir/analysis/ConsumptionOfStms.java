package futharkc.core.ir.analysis;

import futharkc.core.ir.NameSet;
import futharkc.core.ir.Stm;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What statements consume, for a pass that asks for it again and again: found once for each
 * statement, by its identity, since statements are immutable. It is of one run of a pass, and
 * serves one thread.
 */
public final class ConsumptionOfStms {
  private final Aliases aliases;
  private final Map<Stm, NameSet> known = new IdentityHashMap<>();

  /**
   * Knows nothing yet.
   *
   * @param aliases of all the statements that will be asked about
   */
  public ConsumptionOfStms(Aliases aliases) {
    this.aliases = aliases;
  }

  /** As {@link Consumption#of(Stm, Aliases)}. */
  public NameSet of(Stm s) {
    return known.computeIfAbsent(s, t -> Consumption.of(t, aliases));
  }
}
