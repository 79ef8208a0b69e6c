package futharkc.core.language.uniqueness;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An index of shared memory among the arrays of a value. If no arrays share memory, one traversal
 * of the value suffices.
 */
final class SharedArrays {
  private static final int SEVERAL = -1;

  private final AliasedValue value;

  /** The array that contains each reference. */
  private final Map<Ref, Integer> arrays = new HashMap<>();

  SharedArrays(AliasedValue value) {
    this.value = value;
    List<Set<Ref>> leaves = value.leaves();
    for (int i = 0; i < leaves.size(); i++) {
      for (Ref ref : leaves.get(i)) {
        arrays.merge(ref, i, (a, b) -> SEVERAL);
      }
    }
  }

  /**
   * Tests whether several simultaneously existing arrays share memory with one of some references.
   */
  boolean isShared(Set<Ref> refs) {
    return !haveOneArray(refs) && value.sharing(refs) > 1;
  }

  private boolean haveOneArray(Set<Ref> refs) {
    Integer array = null;
    for (Ref ref : refs) {
      Integer its = arrays.get(ref);
      if (its == null) {
        continue;
      }
      if (its == SEVERAL || array != null && !array.equals(its)) {
        return false;
      }
      array = its;
    }
    return true;
  }
}
