package futharkc.pass.contraction;

import futharkc.core.ir.Body;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import java.util.HashMap;
import java.util.Map;

/** How often each name is mentioned. */
final class Mentions extends Mapper {
  private final Map<Name, Integer> counts = new HashMap<>();

  private Mentions() {}

  static Mentions in(Body body) {
    Mentions mentions = new Mentions();
    mentions.body(body);
    return mentions;
  }

  @Override
  public Name name(Name use) {
    counts.merge(use, 1, Integer::sum);
    return use;
  }

  boolean once(Name name) {
    return counts.getOrDefault(name, 0) == 1;
  }
}
