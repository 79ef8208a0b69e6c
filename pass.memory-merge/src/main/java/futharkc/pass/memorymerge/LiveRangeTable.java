package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.FunctionMemory;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The live ranges and sizes of the blocks that a body allocates. Changes are recorded by statement,
 * so that a moved statement or array requires few updates.
 */
final class LiveRangeTable {
  private final StatementOrder order;
  private final FunctionMemory table;
  private final ToDoubleFunction<Name> size;
  private final Map<Name, Life> lives = new HashMap<>();

  private final Map<Stm, Change> changes = new IdentityHashMap<>();

  /** The amounts of memory that become live and dead at a statement. */
  private static final class Change {
    private static final Change NONE = new Change();

    private double born;
    private double dead;
  }

  /** A live range from a statement to another statement, or to the end of the body. */
  private record Life(Stm birth, @Nullable Stm death) {}

  /**
   * Creates the table of a body.
   *
   * @param size returns the size of a block; 0 if the block is to be ignored
   */
  LiveRangeTable(StatementOrder order, FunctionMemory table, ToDoubleFunction<Name> size) {
    this.order = order;
    this.table = table;
    this.size = size;
    Set<Name> blocks = new LinkedHashSet<>();
    for (Stm s : order.stms()) {
      for (Name b : table.mentioned(s)) {
        blocks.add(table.now(b));
      }
    }
    for (Name b : blocks) {
      put(b, life(b));
    }
  }

  private @Nullable Life life(Name block) {
    Stm birth = null;
    Stm death = null;
    boolean ends = true;
    for (Name n : table.arraysIn(block)) {
      ends &= !order.isResult(n);
      for (Stm s : order.mentioning(n)) {
        death = later(death, s);
      }
      Stm s = order.binder(n);
      if (s != null) {
        birth = birth == null || isBefore(s, birth) ? s : birth;
      }
    }
    return birth == null ? null : new Life(birth, ends ? death : null);
  }

  private void put(Name block, @Nullable Life life) {
    add(block, -1);
    if (life == null) {
      lives.remove(block);
    } else {
      lives.put(block, life);
    }
    add(block, 1);
  }

  /** Adds or removes a block's live range. */
  private void add(Name block, int times) {
    Life life = lives.get(block);
    if (life == null || order.bound(block) < 0) {
      return;
    }
    double bytes = times * size.applyAsDouble(block);
    changes.computeIfAbsent(life.birth, s -> new Change()).born += bytes;
    if (life.death != null) {
      changes.computeIfAbsent(life.death, s -> new Change()).dead += bytes;
    }
  }

  private boolean isBefore(Stm s, Stm t) {
    return order.position(s) < order.position(t);
  }

  private Stm later(@Nullable Stm s, Stm t) {
    return s == null || isBefore(s, t) ? t : s;
  }

  /** Returns the position at which a block becomes live; after all statements if it never does. */
  int birth(Name block) {
    Life life = lives.get(block);
    return life == null ? Integer.MAX_VALUE : order.position(life.birth);
  }

  /** Records that a statement has moved up. */
  void moved(Stm s) {
    for (Name b : table.mentioned(s)) {
      Name block = table.now(b);
      Life life = lives.get(block);
      if (life == null) {
        continue;
      }
      if (life.death == s) {
        put(block, life(block));
      } else if (isBefore(s, life.birth) && binds(s, block)) {
        put(block, new Life(s, life.death));
      }
    }
  }

  private boolean binds(Stm s, Name block) {
    return s.names().stream().map(table::place).anyMatch(m -> m != null && m.block().equals(block));
  }

  /** Records that the arrays of some blocks are now in another block. */
  void merged(Collection<Name> from, Name to) {
    Life all = lives.get(to);
    for (Name b : from) {
      Life life = lives.get(b);
      put(b, null);
      if (life != null) {
        all = all == null ? life : both(all, life);
      }
    }
    put(to, all);
  }

  private Life both(Life a, Life b) {
    Stm birth = isBefore(a.birth, b.birth) ? a.birth : b.birth;
    Stm death = a.death == null || b.death == null ? null : later(a.death, b.death);
    return new Life(birth, death);
  }

  /**
   * Returns the largest amount by which memory at a statement from {@code first} to before {@code
   * end} exceeds memory at a later statement, ignoring some blocks.
   */
  double mostBefore(int first, int end, int at, Collection<Name> without) {
    for (Name b : without) {
      add(b, -1);
    }
    double more = 0;
    double most = 0;
    double born = at(order.stms().get(at)).born;
    for (int p = at - 1; p >= first; p--) {
      Change c = at(order.stms().get(p));
      more += c.dead - born;
      born = c.born;
      if (p < end) {
        most = Math.max(most, more);
      }
    }
    for (Name b : without) {
      add(b, 1);
    }
    return most;
  }

  private Change at(Stm s) {
    return changes.getOrDefault(s, Change.NONE);
  }
}
