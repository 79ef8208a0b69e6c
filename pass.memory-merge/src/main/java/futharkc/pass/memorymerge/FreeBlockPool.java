package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a body that other blocks may share, in order of insertion. Blocks that are still
 * live are not considered.
 */
final class FreeBlockPool {
  /**
   * A block that other blocks may share.
   *
   * @param block the block
   * @param space its memory space
   * @param size its size
   * @param from the position from which the block exists; negative if it exists from the beginning
   */
  record FreeBlock(Name block, Space space, Poly size, int from) {}

  private final ToIntFunction<Name> last;
  private final UnaryOperator<Poly> value;
  private final List<Name> known;
  private final NavigableMap<Integer, FreeBlock> all = new TreeMap<>();
  private final Map<Name, List<Integer>> numbers = new HashMap<>();

  /** The blocks that were dead at the last query, keyed by size. */
  private final Map<Poly, NavigableMap<Integer, FreeBlock>> dead = new HashMap<>();

  /** The sizes that mention a name. */
  private final Map<Name, List<Poly>> mentioning = new HashMap<>();

  /** The number of known names at the last query. */
  private int knownThen;

  /**
   * The blocks that were live at the last query, ordered by their last use. Sharing a block delays
   * its last use.
   */
  private final PriorityQueue<Need> live = new PriorityQueue<>(Comparator.comparing(Need::last));

  private record Need(int number, int last) {}

  private int next;

  /**
   * Creates an empty pool.
   *
   * @param last returns the position of a block's last use, which only increases over time
   * @param value returns the normal form of a size; equal sizes have equal normal forms
   * @param known the names that normal forms no longer mention, the latest last; the list only
   *     grows
   */
  FreeBlockPool(ToIntFunction<Name> last, UnaryOperator<Poly> value, List<Name> known) {
    this.last = last;
    this.value = value;
    this.known = known;
    this.knownThen = known.size();
  }

  void add(FreeBlock r) {
    put(next++, r);
  }

  private void put(int number, FreeBlock r) {
    all.put(number, r);
    numbers.computeIfAbsent(r.block, k -> new ArrayList<>(1)).add(number);
    live.add(new Need(number, last.applyAsInt(r.block)));
  }

  /** Returns all blocks in order of insertion. */
  Collection<FreeBlock> all() {
    return all.values();
  }

  private NavigableMap<Integer, FreeBlock> dead(Poly size) {
    return dead.computeIfAbsent(
        size,
        k -> {
          for (Name n : k.variables()) {
            mentioning.computeIfAbsent(n, v -> new ArrayList<>()).add(k);
          }
          return new TreeMap<>();
        });
  }

  private void die(int number, FreeBlock r) {
    dead(value.apply(r.size)).put(number, r);
  }

  /** Recomputes the normal forms of sizes that mention newly known names. */
  private void refresh() {
    for (; knownThen < known.size(); knownThen++) {
      List<Poly> sizes = mentioning.remove(known.get(knownThen));
      if (sizes == null) {
        continue;
      }
      for (Poly size : sizes) {
        NavigableMap<Integer, FreeBlock> blocks = dead.remove(size);
        if (blocks != null) {
          blocks.forEach(this::die);
        }
      }
    }
  }

  /** Replaces some of the entries of a block. */
  void replace(Name block, Predicate<FreeBlock> which, UnaryOperator<FreeBlock> by) {
    refresh();
    for (int k : List.copyOf(numbers.getOrDefault(block, List.of()))) {
      FreeBlock r = all.get(k);
      if (r == null || !r.block.equals(block) || !which.test(r)) {
        continue;
      }
      dead(value.apply(r.size)).remove(k);
      put(k, by.apply(r));
    }
  }

  /**
   * Returns the most recently inserted block of a size that has no use after a position.
   *
   * @param size the normal form of the size
   * @param considered tests whether an entry is considered
   * @param gone tests whether an entry is to be removed from the pool
   * @param fits tests whether an entry is suitable
   */
  @Nullable FreeBlock latest(
      Poly size,
      int position,
      Predicate<FreeBlock> considered,
      Predicate<FreeBlock> gone,
      Predicate<FreeBlock> fits) {
    refresh();
    while (!live.isEmpty() && live.element().last <= position) {
      int number = live.remove().number;
      FreeBlock r = all.get(number);
      if (r != null) {
        die(number, r);
      }
    }
    var unused = dead(size).descendingMap().entrySet().iterator();
    while (unused.hasNext()) {
      Map.Entry<Integer, FreeBlock> e = unused.next();
      FreeBlock r = e.getValue();
      int now = last.applyAsInt(r.block);
      if (now > position) {
        live.add(new Need(e.getKey(), now));
        unused.remove();
      } else if (considered.test(r)) {
        if (gone.test(r)) {
          all.remove(e.getKey());
          unused.remove();
        } else if (fits.test(r)) {
          return r;
        }
      }
    }
    return null;
  }
}
