package futharkc.pass.memorymerge;

import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.BlockUses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loops that compute an array in a new block in each iteration, for the next iteration, although
 * the previous iteration's block could be reused. Reuse is possible if no other variable names that
 * block, and its last use is before the computation of the new array or the computation itself.
 */
final class LoopCarriedBlocks {
  private final BlockUses uses;
  private final BlockAliases aliases;

  /**
   * A block that each iteration of a loop allocates for the next.
   *
   * @param loop the loop
   * @param param the loop parameter for the previous iteration's block
   * @param init the initial value of the parameter
   * @param alloc the allocation in the loop's body
   * @param next the variable for the new block at the end of the body
   * @param result the loop's result for the last block
   */
  record Next(Exp.Loop loop, Name param, Name init, Stm alloc, Name next, Name result) {
    Name block() {
      return alloc.names().get(0);
    }

    MemOp.Alloc size() {
      return (MemOp.Alloc) alloc.exp();
    }
  }

  LoopCarriedBlocks(BlockUses uses, BlockAliases aliases) {
    this.uses = uses;
    this.aliases = aliases;
  }

  /**
   * Returns the block of a loop parameter that each iteration allocates for the next.
   *
   * @param k the index of the parameter
   * @return null if the parameter is no block, or its next value is not allocated in the body
   */
  static @Nullable Next next(Stm s, Exp.Loop loop, int k) {
    Exp.LoopParam p = loop.params().get(k);
    if (!(p.param().type() instanceof Type.Mem)) {
      return null;
    }
    if (!(p.init() instanceof SubExp.Var init)) {
      return null;
    }
    SubExp result = loop.body().results().get(k);
    for (Stm t : loop.body().stms()) {
      if (t.exp() instanceof MemOp.Alloc && result.equals(SubExp.of(t.names().get(0)))) {
        Name block = t.names().get(0);
        return new Next(loop, p.param().name(), init.name(), t, block, s.pat().get(k).name());
      }
    }
    return null;
  }

  /**
   * Returns the block of a loop parameter whose next value is the result of an inner loop that
   * allocates it in each of its iterations; the inner loop may start with the parameter's block.
   */
  static @Nullable Next through(Stm s, Exp.Loop loop, int k) {
    Exp.LoopParam p = loop.params().get(k);
    if (!(p.param().type() instanceof Type.Mem)) {
      return null;
    }
    if (!(p.init() instanceof SubExp.Var init)) {
      return null;
    }
    for (Stm t : loop.body().stms()) {
      if (!(t.exp() instanceof Exp.Loop inner)) {
        continue;
      }
      for (int j = 0; j < inner.params().size(); j++) {
        Name result = t.pat().get(j).name();
        if (!loop.body().results().get(k).equals(SubExp.of(result))) {
          continue;
        }
        Next n = next(t, inner, j);
        if (n == null) {
          return null;
        }
        return new Next(
            loop, p.param().name(), init.name(), n.alloc, result, s.pat().get(k).name());
      }
    }
    return null;
  }

  /** The uses of blocks by the statements of a body, computed once for all of its loops. */
  final class Around {
    private final Map<Name, Integer> last;

    /** The first statement that may introduce an alias of a block. */
    private final Map<Name, Integer> renamed = new HashMap<>();

    /** Collects the uses of a body. */
    Around(Body b) {
      last = uses.last(b.stms());
      Set<Name> later = new HashSet<>();
      for (SubExp r : b.results()) {
        if (r instanceof SubExp.Var v) {
          uses.addBlocks(v.name(), later);
        }
      }
      for (Name n : later) {
        last.put(n, b.stms().size());
      }
      for (int i = 0; i < b.stms().size(); i++) {
        rename(b.stms().get(i), i);
      }
    }

    private void rename(Stm s, int at) {
      Map<Name, Set<Name>> names = new HashMap<>();
      for (PatElem p : s.pat()) {
        if (!(p.type() instanceof Type.Mem)) {
          continue;
        }
        Name all = aliases.representative(p.name());
        names.computeIfAbsent(all, k -> new HashSet<>()).add(p.name());
      }
      if (names.isEmpty()) {
        return;
      }
      for (Name n : uses.of(s).blocks()) {
        Set<Name> same = names.getOrDefault(aliases.representative(n), Set.of());
        if (same.size() > (same.contains(n) ? 1 : 0)) {
          renamed.putIfAbsent(n, at);
        }
      }
    }

    /** Tests whether the loop at a position is the only user of its initial block. */
    boolean isOwn(Next n, int at) {
      return renamed.getOrDefault(n.init, at) >= at && last.getOrDefault(n.init, -1) <= at;
    }
  }

  /**
   * Tests whether an iteration has no aliases of the two blocks, and returns only the new one,
   * once.
   */
  boolean isSimple(Next n) {
    Set<Name> both = Set.of(n.param, n.block());
    for (Stm t : n.loop.body().stms()) {
      for (Name b : uses.of(t).blocks()) {
        if (!both.contains(b) && aliases.maySame(b, n.param)) {
          return false;
        }
      }
    }
    return isPassedOnOnce(n);
  }

  private boolean isPassedOnOnce(Next n) {
    int kept = 0;
    for (SubExp r : n.loop.body().results()) {
      if (r instanceof SubExp.Var v && aliases.maySame(v.name(), n.param)) {
        kept++;
      }
    }
    return kept == 1;
  }

  /**
   * Tests whether only the inner loop introduces aliases of the previous iteration's block, and an
   * iteration returns only the new block, once. No later statement of the iteration uses the
   * previous block, or else the inner loop does not start with it alone. An inner loop that starts
   * with another block may return the same block, so that it cannot start with it in a second
   * parameter.
   */
  boolean isSimpleThrough(Next n) {
    for (Stm t : n.loop.body().stms()) {
      if (t.names().contains(n.next)) {
        continue;
      }
      for (Name b : uses.of(t).blocks()) {
        if (!b.equals(n.param) && aliases.maySame(b, n.param)) {
          return false;
        }
      }
    }
    return isPassedOnOnce(n);
  }

  /**
   * Tests whether no statement that returns blocks uses the two blocks. Otherwise, the loop would
   * alternate between two blocks and hold both.
   */
  boolean isPlain(Next n) {
    for (Stm t : n.loop.body().stms()) {
      if (t == n.alloc || t.pat().stream().noneMatch(p -> p.type() instanceof Type.Mem)) {
        continue;
      }
      Set<Name> blocks = uses.of(t).blocks();
      if (blocks.contains(n.param) || blocks.contains(n.block())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tests whether an iteration has no aliases of the two blocks, and returns only the new one,
   * once. The new block is allocated before the loop. Blocks from outside of the loop are different
   * blocks.
   *
   * @param s the statement of the loop
   */
  boolean isSimpleInside(Next n, Stm s) {
    Set<Name> inside = new HashSet<>(BoundNames.of(s));
    inside.removeAll(Set.of(n.param, n.block()));
    for (Stm t : n.loop.body().stms()) {
      for (Name b : uses.of(t).blocks()) {
        if (inside.contains(b) && aliases.maySame(b, n.param)) {
          return false;
        }
      }
    }
    int kept = 0;
    for (SubExp r : n.loop.body().results()) {
      if (r.equals(SubExp.of(n.param))) {
        return false;
      }
      if (r.equals(SubExp.of(n.block()))) {
        kept++;
      }
    }
    return kept == 1;
  }
}
