package futharkc.core.ir;

import java.util.HashMap;
import java.util.Map;

/**
 * A mapper that gives every name bound in a node a fresh name, so that the copy and the original
 * may be in one function.
 */
public class Renamer extends Mapper {
  private final NameSource fresh;
  private final Map<Name, Name> renamed = new HashMap<>();

  public Renamer(NameSource fresh) {
    this.fresh = fresh;
  }

  /** Adds a replacement for a free name. */
  public Renamer with(Name free, Name replacement) {
    renamed.put(free, replacement);
    return this;
  }

  @Override
  public Name name(Name use) {
    return renamed.getOrDefault(use, use);
  }

  /** Returns a fresh name for a bound name and replaces later uses of the bound name. */
  @Override
  public Name binder(Name bound) {
    Name n = fresh.fresh(bound);
    renamed.put(bound, n);
    return n;
  }
}
