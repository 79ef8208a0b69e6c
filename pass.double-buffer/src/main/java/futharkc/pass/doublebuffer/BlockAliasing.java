package futharkc.pass.doublebuffer;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which of some statements bind a name, mention one where they may give a block another name, or
 * bind arrays in a block: found once, for all of the blocks that are asked for.
 */
final class PassedOn {
  private final List<Stm> stms;
  private final Map<Name, Integer> binders = new HashMap<>();

  /** Statements that bind blocks, by what they mention. */
  private final Map<Name, List<Integer>> passing = new HashMap<>();

  /** By block, and by the statement that binds them. */
  private final Map<Name, NavigableMap<Integer, List<Name>>> arrays = new HashMap<>();

  PassedOn(List<Stm> stms) {
    this.stms = stms;
    for (int i = 0; i < stms.size(); i++) add(stms.get(i), i);
  }

  private void add(Stm s, int at) {
    boolean names = false;
    for (PatElem p : s.pat()) {
      binders.put(p.name(), at);
      names |= p.type() instanceof Type.Mem;
      ArrayMem m = p.type() instanceof Type.Array a ? a.mem() : null;
      if (m == null) continue;
      arrays
          .computeIfAbsent(m.block(), k -> new TreeMap<>())
          .computeIfAbsent(at, k -> new ArrayList<>(1))
          .add(p.name());
    }
    if (!names) return;
    for (Name n : FreeNames.of(s)) passing.computeIfAbsent(n, k -> new ArrayList<>(1)).add(at);
  }

  /** Which of the statements binds a name; -1 if none does. */
  int binder(Name n) {
    return binders.getOrDefault(n, -1);
  }

  /** The statement that binds a name; null if none does. */
  @Nullable Stm binding(Name n) {
    int at = binder(n);
    return at < 0 ? null : stms.get(at);
  }

  /**
   * Whether one of the statements between two positions may give a block another name.
   *
   * @param inBlock the block and the arrays in it; takes those that the statements bind
   * @param which of the statements to look at
   */
  boolean isPassedOn(Name block, Set<Name> inBlock, int from, int end, IntPredicate which) {
    if (from >= end) return false;
    int own = binder(block);
    IntPredicate looked = i -> from <= i && i < end && i != own && which.test(i);
    arrays
        .getOrDefault(block, new TreeMap<>())
        .subMap(from, end)
        .forEach(
            (i, names) -> {
              if (looked.test(i)) inBlock.addAll(names);
            });
    return inBlock.stream()
        .map(n -> passing.getOrDefault(n, List.of()))
        .flatMap(Collection::stream)
        .anyMatch(looked::test);
  }

  /** Likewise, of all statements. */
  boolean isPassedOn(Name block, Set<Name> inBlock) {
    return isPassedOn(block, inBlock, 0, stms.size(), i -> true);
  }
}
