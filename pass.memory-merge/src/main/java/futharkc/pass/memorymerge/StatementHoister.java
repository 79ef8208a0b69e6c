package futharkc.pass.memorymerge;

import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A motion of statements that bind names which are needed earlier, together with the statements
 * that they need. A statement may pass another one only if it writes nothing that the other one
 * accesses, and a check of the device may not pass another check. The statements that write its
 * operands are needed by it, and stay before it.
 */
final class StatementHoister {
  private final FunctionMemory table;
  private final BlockAliases aliases;
  private final NonOverlap prover;

  /** True if no choice of further names could succeed. */
  private boolean isHopeless;

  StatementHoister(FunctionMemory table, BlockAliases aliases, NonOverlap prover) {
    this.table = table;
    this.aliases = aliases;
    this.prover = prover;
  }

  /**
   * Returns an order of the statements that binds these names before a position; null if there is
   * none.
   *
   * @param at the position; all arrays of the fixed blocks are computed from here on
   * @param fixed the blocks to be moved; moved statements may neither compute nor need their
   *     arrays, whose new memory is known only after the moved statements
   */
  @Nullable List<Stm> before(
      StatementOrder order, int at, Collection<Name> needed, Set<Name> fixed) {
    return before(order, at, needed, fixed, s -> true);
  }

  /**
   * Returns such an order that moves only some statements.
   *
   * @param movable tests whether a statement may move
   */
  @Nullable List<Stm> before(
      StatementOrder order,
      int at,
      Collection<Name> needed,
      Set<Name> fixed,
      Predicate<Stm> movable) {
    List<Stm> stms = order.stms();
    Set<Stm> makers = makers(order, fixed);
    TreeSet<Integer> moved = new TreeSet<>();
    Deque<Name> open = new ArrayDeque<>(needed);
    Set<Name> seen = new HashSet<>();
    while (!open.isEmpty()) {
      Name n = open.pop();
      int i = seen.add(n) ? order.bound(n) : -1;
      if (i < at || !moved.add(i)) {
        continue;
      }
      Stm s = stms.get(i);
      if (makers.contains(s) || !movable.test(s) || !table.mayMove(s)) {
        isHopeless = true;
        return null;
      }
      for (Name array : table.bound(s)) {
        for (Name part : table.names(array)) {
          if (order.binder(part) != s) {
            open.push(part);
          }
        }
      }
      open.addAll(order.needed(s));
    }
    if (moved.isEmpty()) {
      return stms;
    }
    if (passesConflict(stms, at, moved) || passesCheck(stms, at, moved)) {
      return null;
    }
    List<Stm> out = new ArrayList<>(stms.size());
    out.addAll(stms.subList(0, at));
    for (int i : moved) {
      out.add(stms.get(i));
    }
    int rest = at;
    for (int i : moved) {
      out.addAll(stms.subList(rest, i));
      rest = i + 1;
    }
    out.addAll(stms.subList(rest, stms.size()));
    return out;
  }

  /**
   * Tests whether the last failure was a statement that cannot move at all, so that further names
   * would fail as well.
   */
  boolean isHopeless() {
    return isHopeless;
  }

  /** Returns the statements that bind arrays in some blocks. */
  private Set<Stm> makers(StatementOrder order, Set<Name> blocks) {
    Set<Stm> makers = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Name b : blocks) {
      for (Name array : table.arraysIn(b)) {
        makers.add(order.binder(array));
      }
    }
    return makers;
  }

  /** A write of a moving statement, and the statement's position. */
  private record Moved(int at, Access access) {}

  /**
   * Tests whether a statement that moves to a position passes one that it conflicts with. Only
   * accesses to the same block are compared.
   */
  private boolean passesConflict(List<Stm> stms, int to, NavigableSet<Integer> moved) {
    Map<Name, List<Moved>> writes = new HashMap<>();
    for (int i : moved) {
      for (Access a : table.accesses().of(stms.get(i))) {
        if (!a.write()) {
          continue;
        }
        Name block = aliases.representative(a.block());
        writes.computeIfAbsent(block, b -> new ArrayList<>()).add(new Moved(i, a));
      }
    }
    if (writes.isEmpty()) {
      return false;
    }
    for (int k = to; k < moved.last(); k++) {
      if (moved.contains(k)) {
        continue;
      }
      for (Access passed : table.accesses().of(stms.get(k))) {
        Name block = aliases.representative(passed.block());
        for (Moved m : writes.getOrDefault(block, List.of())) {
          if (m.at > k && !areDisjoint(m.access, passed)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Tests whether a check that moves to a position passes another check, one of them in code of the
   * device. That code has been a check of the host, and the user would see another message.
   */
  private boolean passesCheck(List<Stm> stms, int to, NavigableSet<Integer> moved) {
    boolean host = false;
    boolean device = false;
    for (int k = moved.last(); k >= to; k--) {
      Stm s = stms.get(k);
      if (!table.hasCheck(s)) {
        continue;
      }
      boolean isDevice = s.exp() instanceof HostOp.GpuBody;
      if (!moved.contains(k)) {
        if (device || host && isDevice) {
          return true;
        }
        continue;
      }
      device |= isDevice;
      host |= !isDevice;
    }
    return false;
  }

  private boolean areDisjoint(Access a, Access b) {
    Lmad x = a.region();
    Lmad y = b.region();
    return x != null && y != null && table.areDisjoint(prover, a, x, b, y);
  }
}
