package futharkc.pass.mergegpubodies;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An order of statements in which those of the device follow each other where dependences allow it.
 * Buckets with odd numbers hold statements of the device, those with even numbers statements of the
 * host; each bucket keeps the order in which statements were added. The number of odd buckets in
 * use is the least possible.
 */
final class Buckets {
  /**
   * A statement as far as the order depends on it.
   *
   * @param device the statement is code of the device
   * @param binds the names that it binds, and their roots
   * @param uses the names that it uses, and their roots
   * @param consumes the roots of the arrays that it consumes
   * @param rereads the array of which the one element is what the statement binds, or null
   * @param ordered the statement has an effect besides its values, and stays behind others that do
   */
  record Item(
      boolean device,
      Set<Name> binds,
      Set<Name> uses,
      NameSet consumes,
      @org.jspecify.annotations.Nullable Name rereads,
      boolean ordered) {}

  private static final class Bucket {
    final List<Integer> items = new ArrayList<>();
    final Set<Name> binds = new HashSet<>();
    final Set<Name> uses = new HashSet<>();
  }

  private final List<Bucket> buckets = new ArrayList<>();
  private final Map<Name, Name> reread = new HashMap<>();
  private final Map<Name, Integer> where = new HashMap<>();
  private int lastOrdered = -1;
  private int count;

  /** Adds the next statement; statements count from 0. */
  void add(Item item) {
    Set<Name> uses = new HashSet<>();
    for (Name n : item.uses) {
      uses.add(item.device ? reread.getOrDefault(n, n) : n);
    }
    int last = -1;
    for (int i = buckets.size() - 1; i >= 0 && last < 0; i--) {
      Bucket b = buckets.get(i);
      if (meets(b.binds, uses) || meets(item.consumes, b.uses)) {
        last = i;
      }
    }
    if (item.ordered) {
      last = Math.max(last, lastOrdered);
    }
    int at;
    if (!item.device) {
      at = last < 0 ? 0 : 2 * ((last + 1) / 2);
    } else if (last < 0) {
      at = 1;
    } else if (last % 2 == 0) {
      at = last + 1;
    } else {
      at = meets(item.consumes, buckets.get(last).binds) ? last + 2 : last;
    }
    if (item.ordered) {
      lastOrdered = at;
    }
    while (buckets.size() <= at) {
      buckets.add(new Bucket());
    }
    Bucket b = buckets.get(at);
    b.items.add(count++);
    b.binds.addAll(item.binds);
    b.uses.addAll(item.uses);
    for (Name n : item.binds) {
      where.put(n, at);
    }
    if (item.rereads != null && where.getOrDefault(item.rereads, -2) == at - 1) {
      for (Name n : item.binds) {
        reread.put(n, item.rereads);
      }
    }
  }

  private static boolean meets(Set<Name> a, Set<Name> b) {
    Set<Name> few = a.size() < b.size() ? a : b;
    Set<Name> many = few == a ? b : a;
    for (Name n : few) {
      if (many.contains(n)) {
        return true;
      }
    }
    return false;
  }

  private static boolean meets(NameSet a, Set<Name> b) {
    for (Name n : b) {
      if (a.contains(n)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the positions of the statements, bucket by bucket. A bucket may be empty. */
  List<List<Integer>> order() {
    List<List<Integer>> all = new ArrayList<>();
    for (Bucket b : buckets) {
      all.add(b.items);
    }
    return all;
  }

  /** Returns the array of one element from which device code reads a name, or null. */
  @org.jspecify.annotations.Nullable
  Name rereads(Name n) {
    return reread.get(n);
  }
}
