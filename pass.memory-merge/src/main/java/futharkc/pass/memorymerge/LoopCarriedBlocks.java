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
 * Loops that make an array in a new block in each iteration, for the next one, where the block of
 * the iteration before would do: nobody but the loop knows it, and the loop uses it for the last
 * time before, or while, the new array is made.
 */
final class LoopCarriedBlocks {
  private final BlockUses uses;
  private final BlockAliases aliases;

  /**
   * A block that each iteration of a loop makes for the next.
   *
   * @param param the parameter that stands for the one of the iteration before
   * @param alloc the statement of the loop's body that allocates it
   * @param next what the body calls it at the end
   * @param result what the loop calls the last one
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
   * The block of a parameter of a loop that each iteration allocates for the next.
   *
   * @param k which parameter
   * @return null if it is no block or comes from elsewhere
   */
  static @Nullable Next next(Stm s, Exp.Loop loop, int k) {
    Exp.LoopParam p = loop.params().get(k);
    if (!(p.param().type() instanceof Type.Mem)) return null;
    if (!(p.init() instanceof SubExp.Var init)) return null;
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
   * Likewise, where an inner loop allocates it in each of its iterations: the one that may start
   * with what this one has.
   */
  static @Nullable Next through(Stm s, Exp.Loop loop, int k) {
    Exp.LoopParam p = loop.params().get(k);
    if (!(p.param().type() instanceof Type.Mem)) return null;
    if (!(p.init() instanceof SubExp.Var init)) return null;
    for (Stm t : loop.body().stms()) {
      if (!(t.exp() instanceof Exp.Loop inner)) continue;
      for (int j = 0; j < inner.params().size(); j++) {
        Name result = t.pat().get(j).name();
        if (!loop.body().results().get(k).equals(SubExp.of(result))) continue;
        Next n = next(t, inner, j);
        if (n == null) return null;
        return new Next(
            loop, p.param().name(), init.name(), n.alloc, result, s.pat().get(k).name());
      }
    }
    return null;
  }

  /**
   * What some statements do with blocks, by their names: found once, for all of the loops there.
   */
  final class Around {
    private final Map<Name, Integer> last;

    /** The first statement that may give a block another name. */
    private final Map<Name, Integer> renamed = new HashMap<>();

    /** Of a body. */
    Around(Body b) {
      last = uses.last(b.stms());
      Set<Name> later = new HashSet<>();
      for (SubExp r : b.results()) if (r instanceof SubExp.Var v) uses.addBlocks(v.name(), later);
      for (Name n : later) last.put(n, b.stms().size());
      for (int i = 0; i < b.stms().size(); i++) rename(b.stms().get(i), i);
    }

    private void rename(Stm s, int at) {
      Map<Name, Set<Name>> names = new HashMap<>();
      for (PatElem p : s.pat()) {
        if (!(p.type() instanceof Type.Mem)) continue;
        Name all = aliases.representative(p.name());
        names.computeIfAbsent(all, k -> new HashSet<>()).add(p.name());
      }
      if (names.isEmpty()) return;
      for (Name n : uses.of(s).blocks()) {
        Set<Name> same = names.getOrDefault(aliases.representative(n), Set.of());
        if (same.size() > (same.contains(n) ? 1 : 0)) renamed.putIfAbsent(n, at);
      }
    }

    /** Whether the loop at a position is the only one that knows the block that it starts with. */
    boolean isOwn(Next n, int at) {
      return renamed.getOrDefault(n.init, at) >= at && last.getOrDefault(n.init, -1) <= at;
    }
  }

  /**
   * Whether an iteration knows the two blocks under no other names, and passes on the new one only,
   * once.
   */
  boolean isSimple(Next n) {
    Set<Name> both = Set.of(n.param, n.block());
    for (Stm t : n.loop.body().stms()) {
      for (Name b : uses.of(t).blocks()) {
        if (!both.contains(b) && aliases.maySame(b, n.param)) return false;
      }
    }
    return isPassedOnOnce(n);
  }

  private boolean isPassedOnOnce(Next n) {
    int kept = 0;
    for (SubExp r : n.loop.body().results()) {
      if (r instanceof SubExp.Var v && aliases.maySame(v.name(), n.param)) kept++;
    }
    return kept == 1;
  }

  /**
   * Whether nothing but the inner loop knows the block of the iteration before by another name, and
   * an iteration passes on the new one only, once. (By its own name nobody needs it later, or the
   * inner loop does not start with it alone. One that starts elsewhere makes a block that may be
   * the same, so it does not start with it in another parameter either.)
   */
  boolean isSimpleThrough(Next n) {
    for (Stm t : n.loop.body().stms()) {
      if (t.names().contains(n.next)) continue;
      for (Name b : uses.of(t).blocks()) {
        if (!b.equals(n.param) && aliases.maySame(b, n.param)) return false;
      }
    }
    return isPassedOnOnce(n);
  }

  /**
   * Whether only statements that pass on no blocks use the two: such a loop would go back and forth
   * between two blocks otherwise, and hold both all the time.
   */
  boolean isPlain(Next n) {
    for (Stm t : n.loop.body().stms()) {
      if (t == n.alloc || t.pat().stream().noneMatch(p -> p.type() instanceof Type.Mem)) continue;
      Set<Name> blocks = uses.of(t).blocks();
      if (blocks.contains(n.param) || blocks.contains(n.block())) return false;
    }
    return true;
  }

  /**
   * Likewise, where the new block is one from before the loop that nobody else knows: what comes
   * from outside is another one.
   *
   * @param s the loop
   */
  boolean isSimpleInside(Next n, Stm s) {
    Set<Name> inside = new HashSet<>(BoundNames.of(s));
    inside.removeAll(Set.of(n.param, n.block()));
    for (Stm t : n.loop.body().stms()) {
      for (Name b : uses.of(t).blocks()) {
        if (inside.contains(b) && aliases.maySame(b, n.param)) return false;
      }
    }
    int kept = 0;
    for (SubExp r : n.loop.body().results()) {
      if (r.equals(SubExp.of(n.param))) return false;
      if (r.equals(SubExp.of(n.block()))) kept++;
    }
    return kept == 1;
  }
}
