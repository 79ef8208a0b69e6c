package futharkc.core.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class NameSetTest {
  private record Pair(NameSet set, TreeSet<Name> model) {}

  private static Name name(int tag) {
    return new Name("x", tag);
  }

  /** Returns pairs of small and large, dense and sparse sets that are derived from each other. */
  private static List<Pair> pairs(Random random) {
    List<Pair> pairs = new ArrayList<>(List.of(new Pair(NameSet.of(), new TreeSet<>())));
    for (int step = 0; step < 60; step++) {
      Pair a = pairs.get(random.nextInt(pairs.size()));
      Pair b = pairs.get(random.nextInt(pairs.size()));
      TreeSet<Name> model = new TreeSet<>(a.model);
      NameSet set =
          switch (random.nextInt(4)) {
            case 0 -> {
              model.addAll(b.model);
              yield a.set.union(b.set);
            }
            case 1 -> {
              model.retainAll(b.model);
              yield a.set.intersect(b.set);
            }
            default -> {
              Name n = name(random.nextInt(1 << random.nextInt(1, 31)));
              model.add(n);
              yield a.set.with(n);
            }
          };
      pairs.add(new Pair(set, model));
    }
    return pairs;
  }

  @Test
  void equalsTreeSet() {
    for (int seed = 0; seed < 200; seed++) {
      List<Pair> pairs = pairs(new Random(seed));
      for (Pair a : pairs) {
        assertEquals(List.copyOf(a.model), List.copyOf(a.set));
        assertEquals(a.model.size(), a.set.size());
        for (Pair b : pairs) {
          assertEquals(!Collections.disjoint(a.model, b.model), a.set.meets(b.set));
          assertEquals(a.model.containsAll(b.model), a.set.includes(b.set));
          assertEquals(a.model.containsAll(b.model), a.set.containsAll(b.model));
          assertEquals(a.model.equals(b.model), a.set.equals(b.set));
        }
      }
    }
  }

  @Test
  void unionWithSubsetIsSameObject() {
    for (Pair a : pairs(new Random(1))) {
      for (Pair b : pairs(new Random(2))) {
        NameSet union = a.set.union(b.set);
        assertSame(union, union.union(b.set));
        assertSame(union, a.set.union(union));
        NameSet common = a.set.intersect(b.set);
        assertSame(common, common.intersect(b.set));
        assertSame(common, a.set.intersect(common));
      }
    }
  }

  @Test
  void comparesNamesNotNumbers() {
    NameSet set = NameSet.of(name(7));
    assertTrue(set.contains(name(7)));
    assertFalse(set.contains(name(71)));
    assertFalse(set.contains(new Name("y", 7)));
    assertThrows(UnsupportedOperationException.class, () -> set.add(name(8)));
  }
}
