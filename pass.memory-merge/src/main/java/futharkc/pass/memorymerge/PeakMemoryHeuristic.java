package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.memory.Web;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A heuristic for whether coalescing increases peak memory. After coalescing, the destination is
 * live from the computation of the array on, not only from the copy on. Blocks that die in between
 * are then live together with the destination. Peak memory increases if they are larger than the
 * array, whose block was live together with the destination at the copy.
 *
 * <p>Sizes are compared as if every variable was {@value #VARIABLE}. This decides profitability,
 * not correctness.
 */
final class PeakMemoryHeuristic {
  private static final double VARIABLE = 1000;

  private final FunctionMemory table;
  private final BlockAliases aliases;

  /**
   * The bytes of arrays in each destination that are already coalesced, and that the copies needed
   * in addition to it.
   */
  private final Map<Name, Double> saved = new HashMap<>();

  private final Map<Name, Double> sizes = new HashMap<>();

  PeakMemoryHeuristic(FunctionMemory table, BlockAliases aliases) {
    this.table = table;
    this.aliases = aliases;
  }

  /**
   * Tests whether coalescing makes the destination live too early.
   *
   * @param first the position of the statement that computes the array
   * @param at the position of the copying statement
   */
  boolean costsMemory(StatementOrder order, int first, int at, Web web, ArrayMem to) {
    Name destination = to.block();
    if (order.bound(destination) < 0) {
      return false;
    }
    LiveRangeTable lives = order.lives(this::size);
    int from = lives.birth(destination);
    if (from <= first) {
      return false;
    }
    double beside = size(web.elem(), to.lmad()) + saved.getOrDefault(destination, 0.0);
    Set<Name> moving = new HashSet<>(web.blocks());
    moving.add(destination);
    return lives.mostBefore(first, Math.min(from, at), at, moving) > beside;
  }

  /** Records that an array has been coalesced with a destination. */
  void made(ArrayMem to, PrimType elem) {
    saved.merge(to.block(), size(elem, to.lmad()), Double::sum);
  }

  /** Returns the size of an allocated block with one name, else 0. */
  private double size(Name block) {
    Double known = sizes.get(block);
    if (known != null) {
      return known;
    }
    Stm s = table.statement(block);
    double size = 0;
    if (s != null && s.exp() instanceof MemOp.Alloc a && aliases.of(block).isEmpty()) {
      size = value(Poly.of(a.size()));
      if (a.space() instanceof Space.Elements e) {
        size *= e.elem().bytes();
      }
    }
    sizes.put(block, size);
    return size;
  }

  private double size(PrimType elem, Lmad l) {
    Poly n = Poly.of(elem.bytes());
    for (Lmad.Dim d : l.dims()) {
      n = n.times(Poly.of(d.size()));
    }
    return value(n);
  }

  private double value(Poly p) {
    double sum = 0;
    for (Map.Entry<Poly.Product, Long> t : table.values().expand(p).terms().entrySet()) {
      sum += t.getValue() * Math.pow(VARIABLE, t.getKey().factors().size());
    }
    return Math.max(0, sum);
  }
}
