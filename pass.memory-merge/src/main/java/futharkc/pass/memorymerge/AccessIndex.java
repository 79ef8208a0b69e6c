package futharkc.pass.memorymerge;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.DenseParts;
import futharkc.core.ir.memory.FunctionMemory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An index of the accesses of a body's statements by block and region, for regions that {@link
 * DenseParts} can number. It finds the accesses that may touch a region without a comparison with
 * each of many disjoint accesses.
 */
final class AccessIndex {
  private final StatementOrder order;
  private final FunctionMemory table;
  private final BlockAliases aliases;

  /** The accesses of each requested block, keyed by the representative of its aliases. */
  private final Map<Name, Parts> blocks = new HashMap<>();

  AccessIndex(StatementOrder order, FunctionMemory table, BlockAliases aliases) {
    this.order = order;
    this.table = table;
    this.aliases = aliases;
  }

  /** A class of regions that are comparable by their numbers. */
  private record Kind(int bytes, Poly base, Poly.Product unit, long period) {
    static Kind of(int bytes, DenseParts.Part p) {
      return new Kind(bytes, p.base(), p.unit(), p.period());
    }
  }

  /** An access by a statement of a region that ends before {@code end}. */
  private record User(long end, Stm stm, Access access) {}

  /** An access and the class of its region; null if the region has no numbers. */
  private record Use(@Nullable Kind kind, Access access) {}

  /**
   * The accesses of a block.
   *
   * @param kinds the classes of regions, each once, so that they are compared by identity
   * @param dense the accesses of each class by length class (a power of two) and start
   * @param uses the accesses of each statement
   * @param users the statements that access regions of a class, or regions without numbers
   */
  private record Parts(
      Map<Kind, Kind> kinds,
      Map<Kind, Map<Long, NavigableMap<Long, List<User>>>> dense,
      Map<Stm, List<Use>> uses,
      Map<@Nullable Kind, Set<Stm>> users) {

    @Nullable Kind kind(int bytes, DenseParts.@Nullable Part p) {
      return p == null ? null : kinds.computeIfAbsent(Kind.of(bytes, p), k -> k);
    }

    void add(Stm s, Access a, int bytes, DenseParts.@Nullable Part p) {
      Kind kind = kind(bytes, p);
      uses.computeIfAbsent(s, k -> new ArrayList<>(1)).add(new Use(kind, a));
      users.computeIfAbsent(kind, k -> Collections.newSetFromMap(new IdentityHashMap<>())).add(s);
      if (p == null || kind == null) {
        return;
      }
      long length = Long.highestOneBit(Math.max(1, p.end() - p.start() - 1)) << 1;
      dense
          .computeIfAbsent(kind, k -> new HashMap<>(2))
          .computeIfAbsent(length, k -> new TreeMap<>())
          .computeIfAbsent(p.start(), k -> new ArrayList<>(1))
          .add(new User(p.end(), s, a));
    }

    /** Returns the accesses of the same class whose regions may overlap a region. */
    Map<Stm, List<Access>> near(DenseParts.Part p, Kind kind) {
      Map<Stm, List<Access>> found = new IdentityHashMap<>();
      dense
          .getOrDefault(kind, Map.of())
          .forEach(
              (length, all) -> {
                for (List<User> users : all.subMap(p.start() - length, p.end()).values()) {
                  for (User u : users) {
                    if (u.end <= p.start()) {
                      continue;
                    }
                    found.computeIfAbsent(u.stm, k -> new ArrayList<>(1)).add(u.access);
                  }
                }
              });
      return found;
    }
  }

  /**
   * The accesses that may touch a region of a block; the set may be too large.
   *
   * @param parts the accesses of the block
   * @param kind the class of the region; null if the region has no numbers
   * @param near the accesses of regions of that class
   */
  record Near(Parts parts, @Nullable Kind kind, Map<Stm, List<Access>> near) {
    /** Returns the accesses of a statement. */
    List<Access> of(Stm s) {
      List<Use> uses = parts.uses.get(s);
      if (uses == null) {
        return List.of();
      }
      List<Access> found = near.getOrDefault(s, List.of());
      for (int i = 0, copied = 0; i < uses.size(); i++) {
        Use u = uses.get(i);
        if (kind != null && u.kind == kind) {
          continue;
        }
        if (copied++ == 0) {
          found = new ArrayList<>(found);
        }
        found.add(u.access);
      }
      return found;
    }

    /** Adds the statements with such accesses. */
    void addTo(Set<Stm> stms) {
      stms.addAll(near.keySet());
      parts.users.forEach(
          (k, users) -> {
            if (kind == null || k != kind) {
              stms.addAll(users);
            }
          });
    }
  }

  /**
   * Returns the accesses that may touch a region of a block.
   *
   * @param end the position of the first statement that is ignored; later calls may only decrease
   *     it
   */
  Near near(Name block, PrimType elem, Lmad region, int end) {
    Parts parts = blocks.computeIfAbsent(aliases.representative(block), b -> accessed(block, end));
    DenseParts.Part p = table.part(region);
    Kind kind = parts.kind(elem.bytes(), p);
    return new Near(parts, kind, p == null || kind == null ? Map.of() : parts.near(p, kind));
  }

  /**
   * Records that arrays have moved to a block, and that their former blocks hold no array any
   * longer.
   */
  void move(Collection<Name> arrays, Name to, int end) {
    Parts parts = blocks.get(aliases.representative(to));
    if (parts != null) {
      add(arrays, end, parts);
    }
  }

  private Parts accessed(Name block, int end) {
    Parts parts =
        new Parts(new HashMap<>(), new HashMap<>(), new IdentityHashMap<>(), new HashMap<>());
    add(table.arraysIn(block), end, parts);
    for (Name alias : aliases.of(block)) {
      add(table.arraysIn(alias), end, parts);
    }
    return parts;
  }

  private void add(Collection<Name> arrays, int end, Parts parts) {
    for (Name array : arrays) {
      int bytes = table.elem(array).bytes();
      for (Stm s : order.mentioning(array)) {
        if (order.position(s) >= end) {
          continue;
        }
        for (Access a : table.accesses().of(s, array)) {
          Lmad region = a.region();
          parts.add(s, a, bytes, region == null ? null : table.part(region));
        }
      }
    }
  }
}
