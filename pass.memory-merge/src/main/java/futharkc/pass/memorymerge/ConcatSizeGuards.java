package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.Bounds;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The signs of the sizes in a concatenation. The region of one array is within the destination only
 * if no other array has a negative size.
 */
final class ConcatSizeGuards {
  private final FunctionMemory table;

  /** The arrays of each size that is not yet proved to be non-negative. */
  private final Map<SubExp, Set<Name>> unsure = new LinkedHashMap<>();

  /** Collects the sizes of the arrays of a concatenation. */
  ConcatSizeGuards(Copy copy, FunctionMemory table) {
    this.table = table;
    for (Name n : copy.concatenated()) {
      SubExp size = Objects.requireNonNull(table.type(n)).dims().get(copy.dim());
      unsure.computeIfAbsent(size, k -> new HashSet<>()).add(n);
    }
  }

  /** Records facts that hold before all of the arrays. */
  void settle(Bounds known) {
    unsure.keySet().removeIf(size -> isSize(size, known));
  }

  /** Tests whether all sizes are proved to be non-negative. */
  boolean areSettled() {
    return unsure.isEmpty();
  }

  /** Tests whether no other array has a negative size. */
  boolean areSizes(Name array, Bounds known) {
    Set<Name> alone = Set.of(array);
    for (Map.Entry<SubExp, Set<Name>> e : unsure.entrySet()) {
      if (!e.getValue().equals(alone) && !isSize(e.getKey(), known)) {
        return false;
      }
    }
    return true;
  }

  private boolean isSize(SubExp size, Bounds known) {
    return known.provesNonNegativeBriefly(table.values().expand(Poly.of(size)));
  }
}
