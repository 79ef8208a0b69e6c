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

/** The uses of blocks by the statements of a list, under all aliases. */
final class BlockUseTable {
  private final List<Stm> stms;
  private final BlockUses blockUses;
  private final UnaryOperator<Name> classOf;
  private final Predicate<Name> isReplaced;
  private final Map<Stm, Integer> positions = new IdentityHashMap<>();
  private final Map<Name, Integer> made = new HashMap<>();
  private final Map<Name, Integer> named = new HashMap<>();
  private final Map<Name, Integer> last = new HashMap<>();

  /** The positions of statements that may allocate at any depth. */
  private final TreeSet<Integer> allocating = new TreeSet<>();

  /**
   * The classes of the blocks that the statements bind; {@code ends} counts them by the position of
   * their last use.
   */
  private final Set<Name> owned = new HashSet<>();

  private final NavigableMap<Integer, Integer> ends = new TreeMap<>();

  /** The position of the statement that binds each name. */
  private final Map<Name, Integer> binders = new HashMap<>();

  /**
   * Creates the uses of a body.
   *
   * @param results the operands that are used after the statements
   * @param blockUses the blocks that statements mention
   * @param accesses the accesses of statements
   * @param classOf returns the current class of a block; {@link #join} must precede a change
   * @param isReplaced tests whether the allocation of a block has been removed
   */
  BlockUseTable(
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
      if (all.allocates()) {
        allocating.add(i);
      }
      for (Access a : accesses.of(s)) {
        made.putIfAbsent(a.block(), i);
      }
      for (PatElem p : s.pat()) {
        binders.put(p.name(), i);
        if (p.type() instanceof Type.Mem) {
          owned.add(classOf.apply(p.name()));
        }
      }
      if (s.exp() instanceof MemOp.Alloc) {
        continue;
      }
      for (Name b : all.blocks()) {
        named.putIfAbsent(b, i);
        last.put(classOf.apply(b), i);
      }
      for (Name b : all.passed()) {
        made.putIfAbsent(b, i);
      }
    }
    for (SubExp r : results) {
      if (!(r instanceof SubExp.Var v)) {
        continue;
      }
      Set<Name> mentioned = new HashSet<>();
      blockUses.addBlocks(v.name(), mentioned);
      for (Name b : mentioned) {
        last.put(classOf.apply(b), stms.size());
      }
    }
    for (Name all : owned) {
      count(all, 1);
    }
  }

  /** Returns the position of the statement that binds a name; -1 if none does. */
  int binder(Name n) {
    return binders.getOrDefault(n, -1);
  }

  /**
   * Returns the position of the first statement that accesses a block or passes it on; the number
   * of statements if none does.
   */
  int made(Name block) {
    return made.getOrDefault(block, stms.size());
  }

  /** Returns the position of a statement; -1 if it is not in the list. */
  int position(Stm s) {
    return positions.getOrDefault(s, -1);
  }

  /**
   * Returns the position of the first statement that mentions a block; the number of statements if
   * none does.
   */
  int named(Name block) {
    return named.getOrDefault(block, stms.size());
  }

  /**
   * Returns the position of the last statement that mentions a block under any alias: -1 if none
   * does, the number of statements if a result does.
   */
  int last(Name block) {
    return last.getOrDefault(classOf.apply(block), -1);
  }

  /** Returns the position of the last statement that mentions a block under this name, or -1. */
  int lastNamed(Name block) {
    for (int i = stms.size() - 1; i >= 0; i--) {
      if (blockUses.of(stms.get(i)).blocks().contains(block)) {
        return i;
      }
    }
    return -1;
  }

  /** Merges a class of blocks into another. */
  void join(Name from, Name into) {
    boolean own = count(from, -1);
    own |= count(into, -1);
    last.merge(into, last.getOrDefault(from, -1), Math::max);
    if (own) {
      owned.add(into);
    }
    count(into, 1);
  }

  /**
   * Counts the last use of a class whose blocks the statements bind.
   *
   * @return true if the statements bind its blocks
   */
  private boolean count(Name all, int times) {
    if (!owned.contains(all)) {
      return false;
    }
    ends.merge(last.getOrDefault(all, -1), times, (n, more) -> n + more == 0 ? null : n + more);
    return true;
  }

  /**
   * Tests whether keeping a dead block over some statements may increase memory: another block is
   * allocated there, and one of the blocks dies before the end of the range.
   */
  boolean isAllocated(int from, int to, Name block) {
    for (var i = allocating.subSet(from, to).iterator(); i.hasNext(); ) {
      int at = i.next();
      Stm s = stms.get(at);
      if (isReplaced.test(s.names().get(0))) {
        i.remove();
        continue;
      }
      if (s.names().contains(block)) {
        continue;
      }
      if (!(s.exp() instanceof MemOp.Alloc)) {
        return true;
      }
      Integer end = ends.ceilingKey(at);
      return end != null && end < to;
    }
    return false;
  }
}
