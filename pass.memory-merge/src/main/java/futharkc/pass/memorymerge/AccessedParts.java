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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
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

  /** Parts that are told apart by numbers: those longer than half of a length, and up to that. */
  private record Kind(int bytes, Poly base, Poly.Product unit, long period, long length) {
    static Kind of(int bytes, DenseParts.Part p) {
      long length = Long.highestOneBit(Math.max(1, p.end() - p.start() - 1)) << 1;
      return new Kind(bytes, p.base(), p.unit(), p.period(), length);
    }

    boolean isOf(int bytes, DenseParts.Part p) {
      return this.bytes == bytes && base == p.base() && unit == p.unit() && period == p.period();
    }
  }

  /** A statement's access of a part that ends before a number. */
  private record User(long end, Stm stm, Access access) {}

  /** The parts of a block: of each kind by where they start; and accesses of others. */
  private record Parts(Map<Kind, NavigableMap<Long, List<User>>> dense, List<User> others) {
    void add(User user, int bytes, DenseParts.@Nullable Part p) {
      if (p == null) {
        others.add(user);
        return;
      }
      dense
          .computeIfAbsent(Kind.of(bytes, p), k -> new TreeMap<>())
          .computeIfAbsent(p.start(), k -> new ArrayList<>(1))
          .add(user);
    }
  }

  /**
   * Passes on the accesses of statements that may touch a part of a block, and maybe more.
   *
   * @param end only statements before this position; later on, this may become less, not more
   */
  void touching(Name block, PrimType elem, Lmad region, int end, BiConsumer<Stm, Access> found) {
    Parts parts = blocks.computeIfAbsent(aliases.representative(block), b -> accessed(block, end));
    List<User> users = new ArrayList<>(parts.others);
    DenseParts.Part p = table.part(region);
    parts.dense.forEach(
        (kind, all) -> {
          if (p == null || !kind.isOf(elem.bytes(), p)) {
            all.values().forEach(users::addAll);
            return;
          }
          for (List<User> near : all.subMap(p.start() - kind.length, p.end()).values()) {
            for (User u : near) if (u.end > p.start()) users.add(u);
          }
        });
    for (User u : users) found.accept(u.stm, u.access);
  }

  /** These arrays have moved to a block from others, which hold none any more. */
  void move(Collection<Name> arrays, Name to, int end) {
    Parts parts = blocks.get(aliases.representative(to));
    if (parts != null) add(arrays, end, parts);
  }

  private Parts accessed(Name block, int end) {
    Parts parts = new Parts(new HashMap<>(), new ArrayList<>());
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
          DenseParts.Part p = region == null ? null : table.part(region);
          parts.add(new User(p == null ? 0 : p.end(), s, a), bytes, p);
        }
      }
    }
  }
}
