package futharkc.core.language.uniqueness;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which arrays of a value share memory: the value is looked through once, if none of them do. */
final class Sharing {
  private static final int SEVERAL = -1;

  private final AliasedValue value;

  /** Of each ref, the array that has it. */
  private final Map<Ref, Integer> arrays = new HashMap<>();

  Sharing(AliasedValue value) {
    this.value = value;
    List<Set<Ref>> leaves = value.leaves();
    for (int i = 0; i < leaves.size(); i++) {
      for (Ref ref : leaves.get(i)) arrays.merge(ref, i, (a, b) -> SEVERAL);
    }
  }

  /** Whether several arrays that exist at the same time share memory with one of these. */
  boolean isShared(Set<Ref> refs) {
    return !haveOneArray(refs) && value.sharing(refs) > 1;
  }

  private boolean haveOneArray(Set<Ref> refs) {
    Integer array = null;
    for (Ref ref : refs) {
      Integer its = arrays.get(ref);
      if (its == null) continue;
      if (its == SEVERAL || array != null && !array.equals(its)) return false;
      array = its;
    }
    return true;
  }
}
