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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether a program would need more memory without a copy than with it. An array that is made in
 * its place needs the destination from then on, not only from the copy on; if blocks die in between
 * that take more than the array, which the copy needs beside the destination, they are there
 * together with the destination now.
 *
 * <p>Sizes are compared as if every variable was {@value #VARIABLE}: this says which is cheaper,
 * not what is right.
 */
final class PeakMemoryHeuristic {
  private static final double VARIABLE = 1000;

  private final FunctionTable table;
  private final BlockAliases aliases;

  /** What has been made in its place, which the copies needed beside the destination. */
  private final Map<Name, Double> saved = new HashMap<>();

  private final Map<Name, Double> sizes = new HashMap<>();

  PeakMemoryHeuristic(FunctionTable table, BlockAliases aliases) {
    this.table = table;
    this.aliases = aliases;
  }

  /**
   * Whether the destination would be there too early.
   *
   * @param first the statement that makes the array
   * @param at the one that copies it
   */
  boolean costsMemory(Order order, int first, int at, Web web, ArrayMem to) {
    Name destination = to.block();
    if (order.bound(destination) < 0) return false;
    LiveRangeTable lives = order.lives(this::size);
    int from = lives.birth(destination);
    if (from <= first) return false;
    double beside = size(web.elem(), to.lmad()) + saved.getOrDefault(destination, 0.0);
    Set<Name> moving = new HashSet<>(web.blocks());
    moving.add(destination);
    return lives.mostBefore(first, Math.min(from, at), at, moving) > beside;
  }

  /** An array is made in its place. */
  void made(ArrayMem to, PrimType elem) {
    saved.merge(to.block(), size(elem, to.lmad()), Double::sum);
  }

  /** Of a block that one variable alone stands for, and that an allocation makes; else 0. */
  private double size(Name block) {
    Double known = sizes.get(block);
    if (known != null) return known;
    Stm s = table.statement(block);
    double size = 0;
    if (s != null && s.exp() instanceof MemOp.Alloc a && aliases.of(block).isEmpty()) {
      size = value(Poly.of(a.size()));
      if (a.space() instanceof Space.Elements e) size *= e.elem().bytes();
    }
    sizes.put(block, size);
    return size;
  }

  private double size(PrimType elem, Lmad l) {
    Poly n = Poly.of(elem.bytes());
    for (Lmad.Dim d : l.dims()) n = n.times(Poly.of(d.size()));
    return value(n);
  }

  private double value(Poly p) {
    double sum = 0;
    for (Map.Entry<Poly.Product, Long> t : table.values.expand(p).terms().entrySet()) {
      sum += t.getValue() * Math.pow(VARIABLE, t.getKey().factors().size());
    }
    return Math.max(0, sum);
  }
}
