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
 * The blocks that others may be put into, in the order in which they came up. Those that are needed
 * for long are not looked at before.
 */
final class FreeBlockPool {
  /** A block, which is there from a position on; from the beginning, if that is negative. */
  record Room(Name block, Space space, Poly size, int from) {}

  private final ToIntFunction<Name> last;
  private final UnaryOperator<Poly> value;
  private final List<Name> known;
  private final NavigableMap<Integer, Room> all = new TreeMap<>();
  private final Map<Name, List<Integer>> numbers = new HashMap<>();

  /** Those of which nothing was needed any more when that was last asked, by the sizes' values. */
  private final Map<Poly, NavigableMap<Integer, Room>> dead = new HashMap<>();

  /** Which of the values mention a name. */
  private final Map<Name, List<Poly>> mentioning = new HashMap<>();

  /** How many names were known then. */
  private int knownThen;

  /** The others, by how long they were needed then; what is put into one needs it for longer. */
  private final PriorityQueue<Need> live = new PriorityQueue<>(Comparator.comparing(Need::last));

  private record Need(int number, int last) {}

  private int next;

  /**
   * None yet.
   *
   * @param last how long a block is needed, by now: this only grows
   * @param value what a size is, in names by which equal ones are the same
   * @param known the names that these do not mention any more, the latest last: this only grows
   */
  FreeBlockPool(ToIntFunction<Name> last, UnaryOperator<Poly> value, List<Name> known) {
    this.last = last;
    this.value = value;
    this.known = known;
    this.knownThen = known.size();
  }

  void add(Room r) {
    put(next++, r);
  }

  private void put(int number, Room r) {
    all.put(number, r);
    numbers.computeIfAbsent(r.block, k -> new ArrayList<>(1)).add(number);
    live.add(new Need(number, last.applyAsInt(r.block)));
  }

  /** All, the first one first. */
  Collection<Room> all() {
    return all.values();
  }

  private NavigableMap<Integer, Room> dead(Poly size) {
    return dead.computeIfAbsent(
        size,
        k -> {
          for (Name n : k.variables()) {
            mentioning.computeIfAbsent(n, v -> new ArrayList<>()).add(k);
          }
          return new TreeMap<>();
        });
  }

  private void die(int number, Room r) {
    dead(value.apply(r.size)).put(number, r);
  }

  /** Sizes that were different before may be known to be the same now. */
  private void refresh() {
    for (; knownThen < known.size(); knownThen++) {
      List<Poly> sizes = mentioning.remove(known.get(knownThen));
      if (sizes == null) continue;
      for (Poly size : sizes) {
        NavigableMap<Integer, Room> rooms = dead.remove(size);
        if (rooms != null) rooms.forEach(this::die);
      }
    }
  }

  /** Puts others in the place of those with a block. */
  void replace(Name block, Predicate<Room> which, UnaryOperator<Room> by) {
    refresh();
    for (int k : List.copyOf(numbers.getOrDefault(block, List.of()))) {
      Room r = all.get(k);
      if (r == null || !r.block.equals(block) || !which.test(r)) continue;
      dead(value.apply(r.size)).remove(k);
      put(k, by.apply(r));
    }
  }

  /**
   * The latest of those of a size that nothing needs after a position.
   *
   * @param size the size's value
   * @param considered which of them
   * @param gone whether one of these is not to be considered any more, from now on
   * @param fits whether it is the one
   */
  @Nullable Room latest(
      Poly size,
      int position,
      Predicate<Room> considered,
      Predicate<Room> gone,
      Predicate<Room> fits) {
    refresh();
    while (!live.isEmpty() && live.element().last <= position) {
      int number = live.remove().number;
      Room r = all.get(number);
      if (r != null) die(number, r);
    }
    var unused = dead(size).descendingMap().entrySet().iterator();
    while (unused.hasNext()) {
      Map.Entry<Integer, Room> e = unused.next();
      Room r = e.getValue();
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
