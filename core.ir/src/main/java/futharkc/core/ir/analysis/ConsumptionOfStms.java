package futharkc.core.ir.analysis;

import futharkc.core.ir.NameSet;
import futharkc.core.ir.Stm;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The roots that statements consume, cached by the identity of statements. An instance belongs to
 * one run of a pass and is not thread-safe.
 */
public final class ConsumptionOfStms {
  private final Aliases aliases;
  private final Map<Stm, NameSet> known = new IdentityHashMap<>();

  /**
   * Makes an empty cache.
   *
   * @param aliases the aliases of arrays in all queried statements
   */
  public ConsumptionOfStms(Aliases aliases) {
    this.aliases = aliases;
  }

  /** Returns the same result as {@link Consumption#of(Stm, Aliases)}. */
  public NameSet of(Stm s) {
    return known.computeIfAbsent(s, t -> Consumption.of(t, aliases));
  }
}
