package futharkc.core.ir.verify;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The alias classes of results after the end of the bodies that returned them. Classes created
 * inside a body are replaced by new classes of the enclosing region. Classes consumed inside a body
 * are replaced, too, since the consumption passed them to the results. Results with a common class
 * before have a common class afterwards.
 */
final class ResultAliases {
  private final int region;
  private final Map<AliasClass, AliasClass> renewed = new HashMap<>();

  /**
   * @param region the region number of the results
   */
  ResultAliases(int region) {
    this.region = region;
  }

  Set<AliasClass> of(Set<AliasClass> origins) {
    Set<AliasClass> all = new LinkedHashSet<>();
    for (AliasClass o : origins) {
      boolean ended = o.region > region || o.consumer != null;
      all.add(ended ? renewed.computeIfAbsent(o, this::renew) : o);
    }
    return all;
  }

  private AliasClass renew(AliasClass o) {
    return new AliasClass(o.first, Math.min(o.region, region), o.protection, o.accumulator);
  }
}
