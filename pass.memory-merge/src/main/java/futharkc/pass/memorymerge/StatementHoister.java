package futharkc.pass.memorymerge;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
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
 * Moves statements of a list up: those that bind names which are needed earlier, and what these
 * need in turn. A statement passes another only if it writes nothing that the other touches; what
 * it reads was written by what it needs, which stays before it.
 */
final class StatementHoister {
  private final FunctionTable table;
  private final BlockAliases aliases;
  private final NonOverlap prover;

  /** Whether nothing else that is needed could help. */
  private boolean isHopeless;

  StatementHoister(FunctionTable table, BlockAliases aliases, NonOverlap prover) {
    this.table = table;
    this.aliases = aliases;
    this.prover = prover;
  }

  /**
   * The statements in an order in which these names are bound before a position; null if there is
   * none.
   *
   * @param at from here on all arrays in the fixed blocks are made
   * @param fixed blocks whose arrays must not be made by what moves, nor be needed by it, which
   *     would have to be made before: these are to be made in a place that is known only after it
   */
  @Nullable List<Stm> before(Order order, int at, Collection<Name> needed, Set<Name> fixed) {
    return before(order, at, needed, fixed, s -> true);
  }

  /** Likewise, moving only statements of some kind. */
  @Nullable List<Stm> before(
      Order order, int at, Collection<Name> needed, Set<Name> fixed, Predicate<Stm> movable) {
    List<Stm> stms = order.stms();
    Set<Stm> makers = makers(order, fixed);
    TreeSet<Integer> moved = new TreeSet<>();
    Deque<Name> open = new ArrayDeque<>(needed);
    Set<Name> seen = new HashSet<>();
    while (!open.isEmpty()) {
      Name n = open.pop();
      int i = seen.add(n) ? order.bound(n) : -1;
      if (i < at || !moved.add(i)) continue;
      Stm s = stms.get(i);
      if (makers.contains(s) || !movable.test(s) || !table.mayMove(s)) {
        isHopeless = true;
        return null;
      }
      for (Name array : table.bound(s)) {
        for (Name part : table.names(array)) if (order.binder(part) != s) open.push(part);
      }
      open.addAll(order.needed(s));
    }
    if (moved.isEmpty()) return stms;
    if (passesConflict(stms, at, moved)) return null;
    List<Stm> out = new ArrayList<>(stms.size());
    out.addAll(stms.subList(0, at));
    for (int i : moved) out.add(stms.get(i));
    int rest = at;
    for (int i : moved) {
      out.addAll(stms.subList(rest, i));
      rest = i + 1;
    }
    out.addAll(stms.subList(rest, stms.size()));
    return out;
  }

  /**
   * Whether the names could not be bound before because something cannot move at all: then more
   * names cannot, either.
   */
  boolean isHopeless() {
    return isHopeless;
  }

  /** The statements that bind arrays in some blocks. */
  private Set<Stm> makers(Order order, Set<Name> blocks) {
    Set<Stm> makers = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Name b : blocks) {
      for (Name array : table.arraysIn(b)) makers.add(order.binder(array));
    }
    return makers;
  }

  /** What a statement that moves writes, and where the statement is. */
  private record Moved(int at, Access access) {}

  /**
   * Whether a statement that moves to a position passes one that it conflicts with: of all accesses
   * only those of one block are compared.
   */
  private boolean passesConflict(List<Stm> stms, int to, NavigableSet<Integer> moved) {
    Map<Name, List<Moved>> writes = new HashMap<>();
    for (int i : moved) {
      for (Access a : table.accesses.of(stms.get(i))) {
        if (!a.write()) continue;
        Name block = aliases.representative(a.block());
        writes.computeIfAbsent(block, b -> new ArrayList<>()).add(new Moved(i, a));
      }
    }
    if (writes.isEmpty()) return false;
    for (int k = to; k < moved.last(); k++) {
      if (moved.contains(k)) continue;
      for (Access passed : table.accesses.of(stms.get(k))) {
        Name block = aliases.representative(passed.block());
        for (Moved m : writes.getOrDefault(block, List.of())) {
          if (m.at > k && !areDisjoint(m.access, passed)) return true;
        }
      }
    }
    return false;
  }

  private boolean areDisjoint(Access a, Access b) {
    Lmad x = a.region();
    Lmad y = b.region();
    return x != null && y != null && table.areDisjoint(prover, a, x, b, y);
  }
}
