package futharkc.core.ir.verify;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What results share with others where the bodies that gave them have ended: an array that was made
 * in there is like one that is made here, and one that was consumed on some way through them has
 * passed to the results. Results that shared it still share with each other.
 */
final class Renewal {
  private final int region;
  private final Map<AliasClass, AliasClass> renewed = new HashMap<>();

  /**
   * @param region where the results are
   */
  Renewal(int region) {
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
