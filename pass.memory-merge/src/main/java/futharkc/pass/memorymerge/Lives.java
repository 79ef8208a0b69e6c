package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * From which statement of a body to which the blocks are live that it allocates, and how much
 * memory that is: by statement, so that little changes when statements or arrays move.
 */
final class Lives {
  private final Order order;
  private final FunctionTable table;
  private final ToDoubleFunction<Name> size;
  private final Map<Name, Life> lives = new HashMap<>();

  /** How much memory is live from a statement on, and how much up to it. */
  private final Map<Stm, Double> born = new IdentityHashMap<>();

  private final Map<Stm, Double> dead = new IdentityHashMap<>();

  /** Up to a statement, or the end of the body. */
  private record Life(Stm birth, @Nullable Stm death) {}

  /**
   * Of a body.
   *
   * @param size that of a block; 0 if that is not of interest
   */
  Lives(Order order, FunctionTable table, ToDoubleFunction<Name> size) {
    this.order = order;
    this.table = table;
    this.size = size;
    for (Stm s : order.stms()) {
      for (Name b : table.mentioned(s)) {
        Name now = table.now(b);
        if (!lives.containsKey(now)) put(now, life(now));
      }
    }
  }

  private @Nullable Life life(Name block) {
    Stm birth = null;
    Stm death = null;
    boolean ends = true;
    for (Name n : table.arraysIn(block)) {
      ends &= !order.isResult(n);
      for (Stm s : order.mentioning(n)) death = later(death, s);
      Stm s = order.binder(n);
      if (s != null) birth = birth == null || isBefore(s, birth) ? s : birth;
    }
    return birth == null ? null : new Life(birth, ends ? death : null);
  }

  private void put(Name block, @Nullable Life life) {
    Life before = life == null ? lives.remove(block) : lives.put(block, life);
    if (order.bound(block) < 0) return;
    if (before != null) add(before, -size.applyAsDouble(block));
    if (life != null) add(life, size.applyAsDouble(block));
  }

  private void add(Life life, double size) {
    born.merge(life.birth, size, Double::sum);
    if (life.death != null) dead.merge(life.death, size, Double::sum);
  }

  private boolean isBefore(Stm s, Stm t) {
    return order.position(s) < order.position(t);
  }

  private Stm later(@Nullable Stm s, Stm t) {
    return s == null || isBefore(s, t) ? t : s;
  }

  /** Where a block is born; after all statements if it is not. */
  int birth(Name block) {
    Life life = lives.get(block);
    return life == null ? Integer.MAX_VALUE : order.position(life.birth);
  }

  /** A statement has moved up. */
  void moved(Stm s) {
    for (Name b : table.mentioned(s)) {
      Name block = table.now(b);
      Life life = lives.get(block);
      if (life == null) continue;
      if (life.death == s) put(block, life(block));
      else if (isBefore(s, life.birth) && binds(s, block)) put(block, new Life(s, life.death));
    }
  }

  private boolean binds(Stm s, Name block) {
    return s.names().stream().map(table::place).anyMatch(m -> m != null && m.block().equals(block));
  }

  /** What is in some blocks is in another one now. */
  void merged(Collection<Name> from, Name to) {
    Life all = lives.get(to);
    for (Name b : from) {
      Life life = lives.get(b);
      put(b, null);
      if (life != null) all = all == null ? life : both(all, life);
    }
    put(to, all);
  }

  private Life both(Life a, Life b) {
    Stm birth = isBefore(a.birth, b.birth) ? a.birth : b.birth;
    Stm death = a.death == null || b.death == null ? null : later(a.death, b.death);
    return new Life(birth, death);
  }

  /**
   * How much more is live at one of the statements from a position up to before another than at a
   * later one, at most: without some blocks.
   */
  double mostBefore(int first, int end, int at, Collection<Name> without) {
    Map<Stm, Double> bornWithout = new IdentityHashMap<>();
    Map<Stm, Double> deadWithout = new IdentityHashMap<>();
    for (Name b : without) {
      Life life = lives.get(b);
      if (life == null || order.bound(b) < 0) continue;
      bornWithout.merge(life.birth, size.applyAsDouble(b), Double::sum);
      if (life.death != null) deadWithout.merge(life.death, size.applyAsDouble(b), Double::sum);
    }
    double more = 0;
    double most = 0;
    Stm next = order.stms().get(at);
    for (int p = at - 1; p >= first; p--) {
      Stm s = order.stms().get(p);
      more += at(dead, s) - at(deadWithout, s) - at(born, next) + at(bornWithout, next);
      if (p < end) most = Math.max(most, more);
      next = s;
    }
    return most;
  }

  private static double at(Map<Stm, Double> sizes, Stm s) {
    return sizes.getOrDefault(s, 0.0);
  }
}
