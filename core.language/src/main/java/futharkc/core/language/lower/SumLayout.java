package futharkc.core.language.lower;

import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The layout of a sum's payloads. Variants share scalar slots of the same primitive type. Each
 * array has its own slot, since variants' arrays can differ in size.
 *
 * @param slots the types of the slots, which follow the tag
 * @param places the slots that hold the leaves of each payload type, by constructor
 */
record SumLayout(List<Type> slots, SortedMap<String, List<List<Integer>>> places) {
  /** Returns the slots of each payload type of a constructor. */
  List<List<Integer>> of(String constructor) {
    return Objects.requireNonNull(places.get(constructor));
  }

  static SumLayout of(Ty.Sum sum) {
    List<Type> slots = new ArrayList<>();
    TreeMap<String, List<List<Integer>>> places = new TreeMap<>();
    sum.variants()
        .forEach(
            (name, payload) -> {
              Set<Integer> used = new HashSet<>();
              List<List<Integer>> mine = new ArrayList<>();
              for (Ty t : payload) {
                List<Integer> at = new ArrayList<>();
                for (Type leaf : t.leaves()) {
                  at.add(slot(slots, used, leaf));
                }
                mine.add(at);
              }
              places.put(name, mine);
            });
    return new SumLayout(slots, places);
  }

  private static int slot(List<Type> slots, Set<Integer> used, Type leaf) {
    if (leaf instanceof Type.Prim) {
      for (int i = 0; i < slots.size(); i++) {
        if (slots.get(i).equals(leaf) && used.add(i)) {
          return i;
        }
      }
    }
    slots.add(leaf);
    used.add(slots.size() - 1);
    return slots.size() - 1;
  }
}
