package futharkc.pass.memorymerge;

import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.Accesses;
import futharkc.core.ir.memory.BlockUses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Where the statements of a list use blocks, by whatever name. */
final class Uses {
  private final List<Stm> stms;
  private final BlockUses blockUses;
  private final UnaryOperator<Name> classOf;
  private final Predicate<Name> isReplaced;
  private final Map<Stm, Integer> positions = new IdentityHashMap<>();
  private final Map<Name, Integer> made = new HashMap<>();
  private final Map<Name, Integer> named = new HashMap<>();
  private final Map<Name, Integer> last = new HashMap<>();

  /** The statements that may allocate something, inside of them or themselves. */
  private final TreeSet<Integer> allocating = new TreeSet<>();

  /** The classes of the blocks that they bind, and how many of them are used last where. */
  private final Set<Name> owned = new HashSet<>();

  private final NavigableMap<Integer, Integer> ends = new TreeMap<>();

  /** Which statement binds a name. */
  private final Map<Name, Integer> binders = new HashMap<>();

  /**
   * Of a body.
   *
   * @param results what is used after the statements
   * @param blockUses which blocks the statements mention
   * @param accesses what they touch
   * @param classOf one name for all of a block, by now: a {@link #join} comes before it changes
   * @param isReplaced whether a block is not allocated any more
   */
  Uses(
      List<Stm> stms,
      List<SubExp> results,
      BlockUses blockUses,
      Accesses accesses,
      UnaryOperator<Name> classOf,
      Predicate<Name> isReplaced) {
    this.stms = stms;
    this.blockUses = blockUses;
    this.classOf = classOf;
    this.isReplaced = isReplaced;
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      positions.put(s, i);
      BlockUses.OfStm all = blockUses.of(s);
      if (all.allocates()) allocating.add(i);
      for (Access a : accesses.of(s)) made.putIfAbsent(a.block(), i);
      for (PatElem p : s.pat()) {
        binders.put(p.name(), i);
        if (p.type() instanceof Type.Mem) owned.add(classOf.apply(p.name()));
      }
      if (s.exp() instanceof MemOp.Alloc) continue;
      for (Name b : all.blocks()) {
        named.putIfAbsent(b, i);
        last.put(classOf.apply(b), i);
      }
      for (Name b : all.passed()) made.putIfAbsent(b, i);
    }
    for (SubExp r : results) {
      if (!(r instanceof SubExp.Var v)) continue;
      Set<Name> mentioned = new HashSet<>();
      blockUses.addBlocks(v.name(), mentioned);
      for (Name b : mentioned) last.put(classOf.apply(b), stms.size());
    }
    for (Name all : owned) count(all, 1);
  }

  /** Which of the statements binds a name; -1 if none does. */
  int binder(Name n) {
    return binders.getOrDefault(n, -1);
  }

  /** The first statement that touches a block or passes it on; the number of them if none. */
  int made(Name block) {
    return made.getOrDefault(block, stms.size());
  }

  /** Where a statement is; -1 if it is none of these. */
  int position(Stm s) {
    return positions.getOrDefault(s, -1);
  }

  /** The first statement that mentions it. */
  int named(Name block) {
    return named.getOrDefault(block, stms.size());
  }

  /** The last statement that mentions it, by any name, or -1; the number of them if results do. */
  int last(Name block) {
    return last.getOrDefault(classOf.apply(block), -1);
  }

  /** The last statement that mentions it by this name, or -1. */
  int lastNamed(Name block) {
    for (int i = stms.size() - 1; i >= 0; i--) {
      if (blockUses.of(stms.get(i)).blocks().contains(block)) return i;
    }
    return -1;
  }

  /** The blocks of one class are put into those of another. */
  void join(Name from, Name into) {
    boolean own = count(from, -1);
    own |= count(into, -1);
    last.merge(into, last.getOrDefault(from, -1), Math::max);
    if (own) owned.add(into);
    count(into, 1);
  }

  /** Counts when a class is used last, if it has blocks that the statements bind. */
  private boolean count(Name all, int times) {
    if (!owned.contains(all)) return false;
    ends.merge(last.getOrDefault(all, -1), times, (n, more) -> n + more == 0 ? null : n + more);
    return true;
  }

  /**
   * Whether to hold on to dead room over some statements may take more memory than before and after
   * them: if something other than this block is allocated there, and something dies later.
   */
  boolean isAllocated(int from, int to, Name block) {
    for (var i = allocating.subSet(from, to).iterator(); i.hasNext(); ) {
      int at = i.next();
      Stm s = stms.get(at);
      if (isReplaced.test(s.names().get(0))) {
        i.remove();
        continue;
      }
      if (s.names().contains(block)) continue;
      if (!(s.exp() instanceof MemOp.Alloc)) return true;
      Integer end = ends.ceilingKey(at);
      return end != null && end < to;
    }
    return false;
  }
}
