package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.symbolic.Bounds;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The sizes of what a statement concatenates. The place of one array is inside of the destination
 * only if none of the others has a negative size.
 */
final class ConcatSizeGuards {
  private final FunctionTable table;

  /** The sizes that may be negative for all that is known, and which arrays have them. */
  private final Map<SubExp, Set<Name>> unsure = new LinkedHashMap<>();

  /** Of the arrays that are concatenated with the one that a copy is of; itself included. */
  ConcatSizeGuards(Copy copy, FunctionTable table) {
    this.table = table;
    for (Name n : copy.concatenated()) {
      SubExp size = Objects.requireNonNull(table.type(n)).dims().get(copy.dim());
      unsure.computeIfAbsent(size, k -> new HashSet<>()).add(n);
    }
  }

  /** This much is known before any of the arrays. */
  void settle(Bounds known) {
    unsure.keySet().removeIf(size -> isSize(size, known));
  }

  /** Whether all are settled. */
  boolean areSettled() {
    return unsure.isEmpty();
  }

  /** Whether no other array has a negative size. */
  boolean areSizes(Name array, Bounds known) {
    Set<Name> alone = Set.of(array);
    for (Map.Entry<SubExp, Set<Name>> e : unsure.entrySet()) {
      if (!e.getValue().equals(alone) && !isSize(e.getKey(), known)) return false;
    }
    return true;
  }

  private boolean isSize(SubExp size, Bounds known) {
    return known.provesNonNegativeBriefly(table.values.expand(Poly.of(size)));
  }
}
