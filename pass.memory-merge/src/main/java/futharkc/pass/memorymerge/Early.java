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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a program would need more memory without a copy than with it. An array that is made in
 * its place needs the destination from then on, not only from the copy on; if blocks die in between
 * that take more than the array, which the copy needs beside the destination, they are there
 * together with the destination now.
 *
 * <p>Sizes are compared as if every variable was {@value #VARIABLE}: this says which is cheaper,
 * not what is right.
 */
final class Early {
  private static final double VARIABLE = 1000;

  private final FunctionTable table;
  private final BlockAliases aliases;

  /** What has been made in its place, which the copies needed beside the destination. */
  private final Map<Name, Double> saved = new HashMap<>();

  Early(FunctionTable table, BlockAliases aliases) {
    this.table = table;
    this.aliases = aliases;
  }

  private final Map<Name, Double> sizes = new HashMap<>();

  /** A block that is used between the array and its copy, but not all the time. */
  private record Life(double size, int from, int to) {}

  /**
   * Whether the destination would be there too early.
   *
   * @param first the statement that makes the array
   * @param at the one that copies it
   */
  boolean costsMemory(Order order, int first, int at, Web web, ArrayMem to) {
    Name destination = to.block();
    int from = birth(order, destination);
    if (order.bound(destination) < 0 || from <= first) return false;
    int end = Math.min(from, at);
    Map<Name, Integer> used = new HashMap<>();
    for (int i = first; i < at; i++) {
      for (Name mentioned : table.mentioned(order.stms().get(i))) {
        Name b = table.now(mentioned);
        if (size(b) > 0 && !b.equals(destination) && !web.blocks().contains(b)) used.put(b, i);
      }
    }
    used.keySet().removeIf(b -> order.bound(b) < 0);
    List<Life> lives = new ArrayList<>();
    for (Map.Entry<Name, Integer> e : used.entrySet()) {
      int birth = birth(order, e.getKey());
      if (birth >= end) continue;
      int death = e.getValue() < end && isKept(e.getKey(), order, at) ? at : e.getValue();
      lives.add(new Life(size(e.getKey()), birth, death));
    }
    double beside = size(web.elem(), to.lmad()) + saved.getOrDefault(destination, 0.0);
    double most = mostLive(lives, first, end);
    if (most <= beside) return false;
    for (Name b : used.keySet()) if (isKept(b, order, at)) beside += size(b);
    return most > beside;
  }

  private boolean isKept(Name block, Order order, int at) {
    for (Name n : table.arraysIn(block)) if (order.isNeededAfter(at - 1, n)) return true;
    return false;
  }

  /** How much is live at most at one of some statements. */
  private static double mostLive(List<Life> lives, int first, int end) {
    double[] change = new double[Math.max(0, end - first) + 1];
    for (Life l : lives) {
      if (l.to < first || l.from >= end) continue;
      change[Math.max(l.from, first) - first] += l.size;
      change[Math.min(l.to + 1, end) - first] -= l.size;
    }
    double live = 0;
    double most = 0;
    for (double c : change) {
      live += c;
      most = Math.max(most, live);
    }
    return most;
  }

  /** An array is made in its place. */
  void made(ArrayMem to, PrimType elem) {
    saved.merge(to.block(), size(elem, to.lmad()), Double::sum);
  }

  /** The first statement that makes something in a block. */
  private int birth(Order order, Name block) {
    int first = Integer.MAX_VALUE;
    for (Name n : table.arraysIn(block)) {
      int at = order.bound(n);
      if (at >= 0) first = Math.min(first, at);
    }
    return first;
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
