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
 * What statements of a body access of blocks that move and of the place where these go. Those that
 * access nothing of that are passed over: of many arrays that are copied into parts of one, each
 * would otherwise be looked for among all of them.
 */
final class RelevantAccesses {
  private final Order order;
  private final Map<Stm, List<Access>> moving;
  private final AccessedParts.Near there;

  /**
   * In a body.
   *
   * @param moving accesses of the blocks that move
   * @param there of the place
   */
  RelevantAccesses(Order order, Map<Stm, List<Access>> moving, AccessedParts.Near there) {
    this.order = order;
    this.moving = moving;
    this.there = there;
  }

  /** The accesses of a statement, or null if it has none. */
  @Nullable List<Access> by(Stm s) {
    List<Access> found = there.of(s);
    List<Access> more = moving.get(s);
    if (more == null) return found.isEmpty() ? null : found;
    List<Access> all = new ArrayList<>(found);
    all.addAll(more);
    return all;
  }

  /**
   * The statements of the body, in some order, from one position up to another, but for some that
   * have no accesses.
   */
  List<Stm> in(List<Stm> stms, int first, int end) {
    if (stms != order.stms()) return stms.subList(first, end);
    Set<Stm> found = Collections.newSetFromMap(new IdentityHashMap<>());
    found.addAll(moving.keySet());
    there.addTo(found);
    return found.stream()
        .filter(s -> order.position(s) >= first && order.position(s) < end)
        .sorted(Comparator.comparing(order::position))
        .toList();
  }
}
