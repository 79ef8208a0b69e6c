package futharkc.pass.mergegpubodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Orders of random sequences of statements with aliases and consumption: each order is legal, and
 * no legal one has fewer kernels. {@code -Dmerge.sequences=N} sets how many sequences are tried.
 */
final class BucketsTest {
  private static final int SEQUENCES = Integer.getInteger("merge.sequences", 1500);

  /** A statement; {@code uses} without the roots of what is used. */
  private record Statement(Buckets.Item item, Set<Name> names, Set<Name> uses) {}

  private static Set<Name> meet(Set<Name> a, Set<Name> b) {
    Set<Name> both = new HashSet<>(a);
    both.retainAll(b);
    return both;
  }

  private static List<Statement> random(Random random) {
    List<Name> available = new ArrayList<>();
    Map<Name, Name> roots = new HashMap<>();
    Set<Name> ofKernels = new HashSet<>();
    Set<Name> dead = new HashSet<>();
    for (String base : List.of("A", "B", "p")) {
      Name n = new Name(base, available.size());
      available.add(n);
      if (!base.equals("p")) {
        roots.put(n, n);
      }
    }
    List<Statement> all = new ArrayList<>();
    int count = 2 + random.nextInt(5);
    for (int k = 0; k < count; k++) {
      List<Name> alive =
          available.stream().filter(n -> !dead.contains(roots.getOrDefault(n, n))).toList();
      List<Name> stored = alive.stream().filter(ofKernels::contains).toList();
      Name bound = new Name("x", 10 + k);
      int kind = random.nextInt(4);
      if (kind == 3 && !stored.isEmpty()) {
        Name array = stored.get(random.nextInt(stored.size()));
        Set<Name> uses = new HashSet<>(List.of(array, roots.get(array)));
        Set<Name> binds = new HashSet<>(Set.of(bound));
        all.add(
            new Statement(
                new Buckets.Item(false, binds, uses, NameSet.of(), array, false),
                binds,
                Set.of(array)));
        available.add(bound);
        continue;
      }
      boolean device = kind < 2;
      Set<Name> names = new HashSet<>();
      for (int i = random.nextInt(3); i > 0 && !alive.isEmpty(); i--) {
        names.add(alive.get(random.nextInt(alive.size())));
      }
      NameSet consumes = NameSet.of();
      List<Name> arrays = alive.stream().filter(roots::containsKey).toList();
      if (random.nextInt(3) == 0 && !arrays.isEmpty()) {
        Name array = arrays.get(random.nextInt(arrays.size()));
        names.add(array);
        consumes = NameSet.of(roots.get(array));
        dead.add(roots.get(array));
      }
      Set<Name> uses = new HashSet<>(names);
      for (Name n : names) {
        if (roots.containsKey(n)) {
          uses.add(roots.get(n));
        }
      }
      Set<Name> binds = new HashSet<>(Set.of(bound));
      if (device || random.nextInt(5) < 2) {
        roots.put(bound, bound);
      }
      if (device) {
        ofKernels.add(bound);
      }
      available.add(bound);
      all.add(
          new Statement(
              new Buckets.Item(device, binds, uses, consumes, null, false), binds, names));
    }
    return all;
  }

  /** Tests whether statements in these buckets do what they did in their order. */
  private static boolean isLegal(List<Statement> all, int[] at) {
    for (int k = 0; k < all.size(); k++) {
      Statement s = all.get(k);
      if (s.item.device() != (at[k] % 2 == 1)) {
        return false;
      }
      for (int j = 0; j < k; j++) {
        Statement t = all.get(j);
        if (at[k] < at[j] && !meet(t.names, s.uses).isEmpty() && !jumps(all, at, s, t, k, j)) {
          return false;
        }
        if (at[k] < at[j] && meets(s.item.consumes(), t.item.uses())) {
          return false;
        }
        if (at[k] < at[j] && meets(t.item.consumes(), s.item.uses())) {
          return false;
        }
      }
      if (!s.item.device()) {
        continue;
      }
      for (int j = 0; j < all.size(); j++) {
        if (j != k && at[j] == at[k] && meets(s.item.consumes(), all.get(j).names)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Tests whether code of the device may stand before the read of an element that it needs. */
  private static boolean jumps(
      List<Statement> all, int[] at, Statement user, Statement read, int k, int j) {
    if (!user.item.device() || read.item.rereads() == null || at[k] != at[j] - 1) {
      return false;
    }
    for (int i = 0; i < all.size(); i++) {
      boolean makes = all.get(i).item.device() && all.get(i).names.contains(read.item.rereads());
      if (makes && at[i] == at[k]) {
        return true;
      }
    }
    return false;
  }

  private static boolean meets(NameSet a, Set<Name> b) {
    return b.stream().anyMatch(a::contains);
  }

  private static int kernels(List<Statement> all, int[] at) {
    Set<Integer> odd = new HashSet<>();
    for (int k = 0; k < at.length; k++) {
      if (all.get(k).item.device()) {
        odd.add(at[k]);
      }
    }
    return odd.size();
  }

  private static int least(List<Statement> all, int[] at, int k) {
    if (k == at.length) {
      return isLegal(all, at) ? kernels(all, at) : Integer.MAX_VALUE;
    }
    int best = Integer.MAX_VALUE;
    for (int b = all.get(k).item.device() ? 1 : 0; b < 2 * at.length + 1; b += 2) {
      at[k] = b;
      best = Math.min(best, least(all, at, k + 1));
    }
    return best;
  }

  @Test
  void ordersAreLegalAndHaveTheFewestKernels() {
    Random random = new Random(7);
    int merged = 0;
    for (int i = 0; i < SEQUENCES; i++) {
      List<Statement> all = random(random);
      Buckets buckets = new Buckets();
      for (Statement s : all) {
        buckets.add(s.item);
      }
      int[] at = new int[all.size()];
      Arrays.fill(at, -1);
      List<List<Integer>> order = buckets.order();
      for (int b = 0; b < order.size(); b++) {
        for (int k : order.get(b)) {
          at[k] = b;
        }
      }
      String text = all + " at " + Arrays.toString(at);
      assertTrue(isLegal(all, at), text);
      int kernels = kernels(all, at);
      if (kernels < all.stream().filter(s -> s.item.device()).count()) {
        merged++;
      }
      if (all.size() <= 5) {
        assertEquals(least(all, new int[all.size()], 0), kernels, text);
      }
    }
    assertTrue(3 * merged > SEQUENCES / 2, () -> "few merged");
  }
}
