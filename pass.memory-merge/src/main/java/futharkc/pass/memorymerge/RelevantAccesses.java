package futharkc.pass.memorymerge;

import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.Access;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The accesses of statements to the moving blocks and the destination. Statements without such
 * accesses are skipped, so that the cost does not grow with the number of arrays that are copied
 * into other regions.
 */
final class RelevantAccesses {
  private final StatementOrder order;
  private final Map<Stm, List<Access>> moving;
  private final AccessIndex.Near there;

  /**
   * Creates the accesses of a body.
   *
   * @param moving the accesses to the moving blocks
   * @param there the accesses to the destination
   */
  RelevantAccesses(StatementOrder order, Map<Stm, List<Access>> moving, AccessIndex.Near there) {
    this.order = order;
    this.moving = moving;
    this.there = there;
  }

  /** Returns the accesses of a statement; null if it has none. */
  @Nullable List<Access> by(Stm s) {
    List<Access> found = there.of(s);
    List<Access> more = moving.get(s);
    if (more == null) {
      return found.isEmpty() ? null : found;
    }
    List<Access> all = new ArrayList<>(found);
    all.addAll(more);
    return all;
  }

  /** Returns the statements from one position of an order to another that may have accesses. */
  List<Stm> in(List<Stm> stms, int first, int end) {
    if (stms != order.stms()) {
      return stms.subList(first, end);
    }
    Set<Stm> found = Collections.newSetFromMap(new IdentityHashMap<>());
    found.addAll(moving.keySet());
    there.addTo(found);
    return found.stream()
        .filter(s -> order.position(s) >= first && order.position(s) < end)
        .sorted(Comparator.comparing(order::position))
        .toList();
  }
}
