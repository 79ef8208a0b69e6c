package futharkc.core.ir.analysis;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The free names of statements, cached by the identity of statements. An instance belongs to one
 * run of a pass and is not thread-safe.
 */
public final class FreeNamesOfStms {
  private final Map<Stm, Set<Name>> known = new IdentityHashMap<>();

  /** Makes an empty cache. */
  public FreeNamesOfStms() {}

  /** Returns the same result as {@link FreeNames#of(Stm)}. Callers must not modify it. */
  public Set<Name> of(Stm s) {
    Set<Name> names = known.get(s);
    if (names == null) {
      names = Collections.unmodifiableSet(FreeNames.of(s, this::of));
      known.put(s, names);
    }
    return names;
  }
}
