package futharkc.core.ir.analysis;

import futharkc.core.ir.Body;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import java.util.HashMap;
import java.util.Map;

/** The number of uses of each name in a body, including its results. */
public final class UseCounts extends Mapper {
  private final Map<Name, Integer> counts = new HashMap<>();

  private UseCounts() {}

  /** Returns the counts of all names that are used. */
  public static Map<Name, Integer> of(Body body) {
    UseCounts uses = new UseCounts();
    uses.body(body);
    return uses.counts;
  }

  @Override
  public Name name(Name use) {
    counts.merge(use, 1, Integer::sum);
    return use;
  }
}
