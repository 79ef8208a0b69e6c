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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
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

  /**
   * The parts of a block.
   *
   * @param dense of each kind, those longer than half of a length, and up to that, by where they
   *     start
   * @param of what each statement accesses, by kind, and what has none
   */
  private record Parts(
      Map<Kind, Map<Long, NavigableMap<Long, List<User>>>> dense,
      Map<Stm, Map<Optional<Kind>, List<Access>>> of) {

    void add(Stm s, Access a, int bytes, DenseParts.@Nullable Part p) {
      Optional<Kind> kind = Optional.ofNullable(p).map(q -> Kind.of(bytes, q));
      of.computeIfAbsent(s, k -> new LinkedHashMap<>(2))
          .computeIfAbsent(kind, k -> new ArrayList<>(1))
          .add(a);
      if (p == null) return;
      long length = Long.highestOneBit(Math.max(1, p.end() - p.start() - 1)) << 1;
      dense
          .computeIfAbsent(kind.orElseThrow(), k -> new HashMap<>(2))
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
   * Says which accesses of a statement may touch a part of a block, and maybe more.
   *
   * @param end only of statements before this position; later on, this may become less, not more
   */
  Function<Stm, List<Access>> touching(Name block, PrimType elem, Lmad region, int end) {
    Parts parts = blocks.computeIfAbsent(aliases.representative(block), b -> accessed(block, end));
    DenseParts.Part p = table.part(region);
    Optional<Kind> kind = Optional.ofNullable(p).map(q -> Kind.of(elem.bytes(), q));
    Map<Stm, List<Access>> near = p == null ? Map.of() : parts.near(p, kind.orElseThrow());
    return s -> {
      Map<Optional<Kind>, List<Access>> all = parts.of.get(s);
      if (all == null) return List.of();
      List<Access> found = new ArrayList<>(2);
      for (Map.Entry<Optional<Kind>, List<Access>> e : all.entrySet()) {
        if (e.getKey().isEmpty() || !e.getKey().equals(kind)) found.addAll(e.getValue());
      }
      found.addAll(near.getOrDefault(s, List.of()));
      return found;
    };
  }

  /** These arrays have moved to a block from others, which hold none any more. */
  void move(Collection<Name> arrays, Name to, int end) {
    Parts parts = blocks.get(aliases.representative(to));
    if (parts != null) add(arrays, end, parts);
  }

  private Parts accessed(Name block, int end) {
    Parts parts = new Parts(new HashMap<>(), new IdentityHashMap<>());
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
