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
 * An index of statements that bind a name, that may give a memory block another name, or that bind
 * arrays in a block. One traversal serves the queries on all blocks.
 */
final class BlockAliasing {
  private final List<Stm> stms;
  private final Map<Name, Integer> binders = new HashMap<>();

  /** The positions of statements that bind blocks, keyed by the names they use. */
  private final Map<Name, List<Integer>> passing = new HashMap<>();

  /** The arrays in each block, keyed by the position of the statement that binds them. */
  private final Map<Name, NavigableMap<Integer, List<Name>>> arrays = new HashMap<>();

  BlockAliasing(List<Stm> stms) {
    this.stms = stms;
    for (int i = 0; i < stms.size(); i++) {
      add(stms.get(i), i);
    }
  }

  private void add(Stm s, int at) {
    boolean names = false;
    for (PatElem p : s.pat()) {
      binders.put(p.name(), at);
      names |= p.type() instanceof Type.Mem;
      ArrayMem m = p.type() instanceof Type.Array a ? a.mem() : null;
      if (m == null) {
        continue;
      }
      arrays
          .computeIfAbsent(m.block(), k -> new TreeMap<>())
          .computeIfAbsent(at, k -> new ArrayList<>(1))
          .add(p.name());
    }
    if (!names) {
      return;
    }
    for (Name n : FreeNames.of(s)) {
      passing.computeIfAbsent(n, k -> new ArrayList<>(1)).add(at);
    }
  }

  /** Returns the position of the statement that binds a name; -1 if there is none. */
  int binder(Name n) {
    return binders.getOrDefault(n, -1);
  }

  /** Returns the statement that binds a name; null if there is none. */
  @Nullable Stm binding(Name n) {
    int at = binder(n);
    return at < 0 ? null : stms.get(at);
  }

  /**
   * Tests whether a statement between two positions may give a block another name.
   *
   * @param inBlock the block and its arrays, to which this method adds arrays that the statements
   *     bind
   * @param from the first position
   * @param end the position after the last one
   * @param which a test for the positions to visit
   */
  boolean isPassedOn(Name block, Set<Name> inBlock, int from, int end, IntPredicate which) {
    if (from >= end) {
      return false;
    }
    int own = binder(block);
    IntPredicate looked = i -> from <= i && i < end && i != own && which.test(i);
    arrays
        .getOrDefault(block, new TreeMap<>())
        .subMap(from, end)
        .forEach(
            (i, names) -> {
              if (looked.test(i)) {
                inBlock.addAll(names);
              }
            });
    return inBlock.stream()
        .map(n -> passing.getOrDefault(n, List.of()))
        .flatMap(Collection::stream)
        .anyMatch(looked::test);
  }

  /** Tests whether any statement may give a block another name. */
  boolean isPassedOn(Name block, Set<Name> inBlock) {
    return isPassedOn(block, inBlock, 0, stms.size(), i -> true);
  }
}
