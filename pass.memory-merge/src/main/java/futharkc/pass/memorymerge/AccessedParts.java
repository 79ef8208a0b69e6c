package futharkc.pass.memorymerge;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
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
 * Which statements of a body access which parts of a block, by the numbers of {@link DenseParts}:
 * of many statements that each access a part of their own, this finds those that access a certain
 * one.
 */
final class AccessedParts {
  private final Order order;
  private final FunctionTable table;
  private final BlockAliases aliases;

  /** Of blocks up to aliases, as far as it has been asked for. */
  private final Map<Name, Parts> blocks = new HashMap<>();

  AccessedParts(Order order, FunctionTable table, BlockAliases aliases) {
    this.order = order;
    this.table = table;
    this.aliases = aliases;
  }

  /** Parts that are told apart by numbers. */
  private record Kind(int bytes, Poly base, Poly.Product unit, long period) {
    static Kind of(int bytes, DenseParts.Part p) {
      return new Kind(bytes, p.base(), p.unit(), p.period());
    }
  }

  /** A statement's access of a part that ends before a number. */
  private record User(long end, Stm stm, Access access) {}

  /** An access of a part of a kind; null if it has no numbers. */
  private record Use(@Nullable Kind kind, Access access) {}

  /**
   * The parts of a block.
   *
   * @param kinds each once: they are compared by identity
   * @param dense of each kind, those longer than half of a length, and up to that, by where they
   *     start
   * @param uses what each statement accesses
   * @param users the statements that access parts of a kind, or parts without numbers
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
      if (p == null || kind == null) return;
      long length = Long.highestOneBit(Math.max(1, p.end() - p.start() - 1)) << 1;
      dense
          .computeIfAbsent(kind, k -> new HashMap<>(2))
          .computeIfAbsent(length, k -> new TreeMap<>())
          .computeIfAbsent(p.start(), k -> new ArrayList<>(1))
          .add(new User(p.end(), s, a));
    }

    /** Those of a kind that numbers do not tell apart from one of them. */
    Map<Stm, List<Access>> near(DenseParts.Part p, Kind kind) {
      Map<Stm, List<Access>> found = new IdentityHashMap<>();
      dense
          .getOrDefault(kind, Map.of())
          .forEach(
              (length, all) -> {
                for (List<User> users : all.subMap(p.start() - length, p.end()).values()) {
                  for (User u : users) {
                    if (u.end <= p.start()) continue;
                    found.computeIfAbsent(u.stm, k -> new ArrayList<>(1)).add(u.access);
                  }
                }
              });
      return found;
    }
  }

  /**
   * Which accesses may touch a part of a block, and maybe more.
   *
   * @param kind of the part, if it has numbers
   * @param near those of parts of that kind
   */
  record Near(Parts parts, @Nullable Kind kind, Map<Stm, List<Access>> near) {
    /** Those of a statement. */
    List<Access> of(Stm s) {
      List<Use> uses = parts.uses.get(s);
      if (uses == null) return List.of();
      List<Access> found = near.getOrDefault(s, List.of());
      for (int i = 0, copied = 0; i < uses.size(); i++) {
        Use u = uses.get(i);
        if (kind != null && u.kind == kind) continue;
        if (copied++ == 0) found = new ArrayList<>(found);
        found.add(u.access);
      }
      return found;
    }

    /** Adds the statements that have some. */
    void addTo(Set<Stm> stms) {
      stms.addAll(near.keySet());
      parts.users.forEach(
          (k, users) -> {
            if (kind == null || k != kind) stms.addAll(users);
          });
    }
  }

  /**
   * What may touch a part of a block.
   *
   * @param end only statements before this position; later on, these may become less, not more
   */
  Near near(Name block, PrimType elem, Lmad region, int end) {
    Parts parts = blocks.computeIfAbsent(aliases.representative(block), b -> accessed(block, end));
    DenseParts.Part p = table.part(region);
    Kind kind = parts.kind(elem.bytes(), p);
    return new Near(parts, kind, p == null || kind == null ? Map.of() : parts.near(p, kind));
  }

  /** These arrays have moved to a block from others, which hold none any more. */
  void move(Collection<Name> arrays, Name to, int end) {
    Parts parts = blocks.get(aliases.representative(to));
    if (parts != null) add(arrays, end, parts);
  }

  private Parts accessed(Name block, int end) {
    Parts parts =
        new Parts(new HashMap<>(), new HashMap<>(), new IdentityHashMap<>(), new HashMap<>());
    add(table.arraysIn(block), end, parts);
    for (Name alias : aliases.of(block)) add(table.arraysIn(alias), end, parts);
    return parts;
  }

  private void add(Collection<Name> arrays, int end, Parts parts) {
    for (Name array : arrays) {
      int bytes = table.elem(array).bytes();
      for (Stm s : order.mentioning(array)) {
        if (order.position(s) >= end) continue;
        for (Access a : table.accesses.of(s, array)) {
          Lmad region = a.region();
          parts.add(s, a, bytes, region == null ? null : table.part(region));
        }
      }
    }
  }
}
