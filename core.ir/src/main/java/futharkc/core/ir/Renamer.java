package futharkc.core.ir;

import java.util.HashMap;
import java.util.Map;

/**
 * Gives every name bound in what it rewrites a fresh name, so that a copy can stand beside the
 * original.
 */
public class Renamer extends Mapper {
  private final NameSource fresh;
  private final Map<Name, Name> renamed = new HashMap<>();

  public Renamer(NameSource fresh) {
    this.fresh = fresh;
  }

  /** Also replaces a free name. */
  public Renamer with(Name free, Name replacement) {
    renamed.put(free, replacement);
    return this;
  }

  @Override
  public Name name(Name use) {
    return renamed.getOrDefault(use, use);
  }

  /**
   * A binder keeps its name if it was renamed already: types are visited before the binder they
   * mention is never used.
   */
  @Override
  public Name binder(Name bound) {
    Name n = fresh.fresh(bound);
    renamed.put(bound, n);
    return n;
  }
}
