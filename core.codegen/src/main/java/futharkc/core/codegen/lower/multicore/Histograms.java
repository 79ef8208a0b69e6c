package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of histograms on a CPU. Each chunk has a private copy of the bins, and the copies are
 * combined afterwards. If there are so many bins that combining would dominate, all chunks update
 * one histogram and lock bins.
 */
final class Histograms {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final Statements statements;
  private final LoopNest nest;
  private final Operators operators;

  Histograms(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest,
      Operators operators) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
  }

  private enum Mode {
    /** Updates the destination, which no other thread updates. */
    DIRECT,
    /** Updates the chunk's private bins. */
    PRIVATE,
    /** Updates a scratch block that holds a few bins of the chunk; its end copies them. */
    OWN,
    /**
     * Updates a scratch block that holds a few bins of the chunk; its end combines them with the
     * destination.
     */
    OWN_IN_ANY_ORDER,
    /** Updates the destination, as other threads do concurrently. */
    SHARED;

    /** Tests whether a chunk has a scratch block of its own. */
    boolean isOwn() {
      return this == OWN || this == OWN_IN_ANY_ORDER;
    }
  }

  void lower(Stm s, SegOp.SegHist h, List<Code> out) {
    List<SegSpace.Dim> dims = h.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    if (outer.isEmpty()) {
      whole(s, h, out);
      return;
    }
    RegionBuilder region = new RegionBuilder(scope, "seghist", s.aux().loc());
    SegSpace.Dim last = dims.get(dims.size() - 1);
    List<List<Code>> inner = new ArrayList<>();
    List<Code> body =
        region.kernel(
            blocks,
            nest,
            outer,
            code -> {
              List<Code> loop = new ArrayList<>();
              statements.lower(h.body().stms(), h.body().values(), List.of(), loop);
              updates(h, Mode.DIRECT, List.of(), region, loop);
              inner.add(loop);
              code.add(
                  new Code.For(
                      last.index(), PrimType.I64, Expr.i64(0), scope.expr(last.size()), loop));
            });
    Poly cost = scope.costs.costOfIndex(inner.get(0), h.space()).times(scope.poly(last.size()));
    region.emit(nest.size(outer), cost, scope.number(RegionOptions.CHUNKS), body, out);
  }

  private void whole(Stm s, SegOp.SegHist h, List<Code> out) {
    RegionBuilder region = new RegionBuilder(scope, "seghist", s.aux().loc());
    SegSpace.Dim dim = h.space().dims().get(0);
    Poly total = scope.poly(dim.size());
    Expr one = Expr.atMost(Expr.i64(region.chunks), Expr.i64(1));
    List<Poly> cost = new ArrayList<>();
    if (!(h.strategy() instanceof HistStrategy.Cores strategy)) {
      List<Code> direct = kernel(h, Mode.DIRECT, List.of(), region, dim, cost);
      Poly each = scope.costs.outside(cost.get(0).plus(Poly.of(4)), direct);
      region.count(total, each, 1, out);
      List<Code> alone = new ArrayList<>();
      region.run(total, direct, alone);
      List<Code> together = new ArrayList<>();
      region.run(total, kernel(h, Mode.SHARED, List.of(), region, dim, cost), together);
      out.add(new Code.If(one, alone, together));
      return;
    }
    List<HistogramPrivatisation> bins = new ArrayList<>();
    Poly binCount = Poly.ZERO;
    for (SegOp.SegHistOp op : h.ops()) {
      HistogramPrivatisation b =
          new HistogramPrivatisation(scope, blocks, operators, op, strategy.apart());
      bins.add(b);
      binCount = binCount.plus(b.elements());
    }
    List<Code> direct = kernel(h, Mode.DIRECT, bins, region, dim, cost);
    Poly each = scope.costs.outside(cost.get(0).plus(Poly.of(4)), direct);
    Poly copy = binCount.plus(Poly.of(strategy.apart()));
    boolean inAnyOrder = strategy.inAnyOrder();
    region.count(total, each, 1, out);
    Expr few = few(bins, strategy.own(), out);
    List<Code> more = new ArrayList<>();
    Poly bin = copy.times(strategy.perBin());
    Expr rounds = rounds(region, total, each, bin, perThread(h, direct), more);
    Expr fewBins = HistogramPrivatisation.pay(region, binCount, total, strategy.perUpdate());
    if (inAnyOrder) {
      moreChunks(region, atLeastOne(rounds), more);
      out.addAll(either(few, more, List.of()));
    } else if (mayBeSeveral(bins, strategy.apart())) {
      out.addAll(more);
      Expr.Var pay = new Expr.Var(scope.names.fresh("pay"), PrimType.BOOL);
      out.add(new Code.Declare(pay.name(), PrimType.BOOL, fewBins));
      fewBins = pay;
      severalCopies(region, rounds, bins, binCount, strategy.apart(), few, out);
    } else {
      apart(bins, few, strategy.apart(), Expr.i64(strategy.apart()), out);
    }
    List<Code> alone = new ArrayList<>();
    region.run(total, direct, alone);
    List<Code> privately = new ArrayList<>();
    List<Code> own = new ArrayList<>();
    if (!few.equals(Expr.bool(false))) {
      Mode mode = inAnyOrder ? Mode.OWN_IN_ANY_ORDER : Mode.OWN;
      region.run(total, kernel(h, mode, bins, region, dim, cost), own);
    }
    List<Code> many = new ArrayList<>();
    if (!few.equals(Expr.bool(true))) {
      region.run(total, kernel(h, Mode.PRIVATE, bins, region, dim, cost), many);
    }
    if (inAnyOrder) {
      many = many.isEmpty() ? many : copied(region, bins, many);
      privately.addAll(either(few, own, many));
    } else {
      privately.addAll(copied(region, bins, either(few, own, many)));
    }
    List<Code> shared = kernel(h, Mode.SHARED, bins, region, dim, cost);
    List<Code> together = new ArrayList<>();
    region.run(total, shared, together);
    out.add(new Code.If(one, alone, List.of(new Code.If(fewBins, privately, together))));
  }

  private static List<Code> either(Expr condition, List<Code> then, List<Code> otherwise) {
    if (condition.equals(Expr.bool(true))) {
      return then;
    }
    if (condition.equals(Expr.bool(false))) {
      return otherwise;
    }
    return List.of(new Code.If(condition, then, otherwise));
  }

  /** Returns updates of private copies, between their allocation and their combination. */
  private static List<Code> copied(
      RegionBuilder region, List<HistogramPrivatisation> bins, List<Code> updates) {
    List<Code> out = new ArrayList<>();
    for (HistogramPrivatisation b : bins) {
      b.alloc(region, out);
    }
    out.addAll(updates);
    for (HistogramPrivatisation b : bins) {
      b.merge(region, out);
    }
    for (HistogramPrivatisation b : bins) {
      b.free(out);
    }
    return out;
  }

  /**
   * Returns an expression for whether bins are so few that chunks keep them in scratch blocks. A
   * chunk writes its copy only at its end, so that the copies need no gaps.
   *
   * @param most the maximum number of bins in a scratch block; 0 for none
   */
  private Expr few(List<HistogramPrivatisation> bins, int most, List<Code> out) {
    if (most == 0) {
      return Expr.bool(false);
    }
    Long largest = largest(bins);
    if (largest != null) {
      return Expr.bool(largest <= most);
    }
    Expr few = Expr.all(bins.stream().map(b -> b.isAtMost(most)).toList());
    Expr.Var small = new Expr.Var(scope.names.fresh("few"), PrimType.BOOL);
    out.add(new Code.Declare(small.name(), PrimType.BOOL, few));
    return small;
  }

  /** Returns the size of the largest copy; null if a size is unknown. */
  private static @Nullable Long largest(List<HistogramPrivatisation> bins) {
    long largest = 0;
    for (HistogramPrivatisation b : bins) {
      Long size = b.size().constant();
      if (size == null) {
        return null;
      }
      largest = Math.max(largest, size);
    }
    return largest;
  }

  /**
   * Sets the gaps between copies: none for few bins.
   *
   * @param usual the gap that the copies have already
   */
  private void apart(
      List<HistogramPrivatisation> bins, Expr few, int usual, Expr elements, List<Code> out) {
    if (few.equals(Expr.bool(true))) {
      for (HistogramPrivatisation b : bins) {
        b.apart(Poly.ZERO);
      }
      return;
    }
    if (few.equals(Expr.bool(false)) && elements.equals(Expr.i64(usual))) {
      return;
    }
    Name apart = scope.names.fresh("apart");
    scope.add(apart, Type.I64);
    out.add(new Code.Declare(apart, PrimType.I64, elements));
    List<Code> none = List.of(new Code.Assign(apart, Expr.i64(0)));
    out.addAll(either(few, none, List.of()));
    for (HistogramPrivatisation b : bins) {
      b.apart(Poly.of(apart));
    }
  }

  private int perThread(SegOp.SegHist h, List<Code> chunk) {
    for (Code c : chunk) {
      boolean uneven = c instanceof Code.For f && scope.costs.isUneven(f.body(), h.space());
      if (uneven) {
        return scope.number(RegionOptions.UNEVEN_CHUNKS);
      }
    }
    return scope.number(RegionOptions.CHUNKS);
  }

  /**
   * Returns the affordable number of chunks per thread. Several chunks per thread balance the load.
   * Each thread gets the same number, since most iterations cost the same.
   *
   * @param each the cost of an iteration
   * @param copy the minimum number of operations for a copy of all bins
   */
  private Expr rounds(
      RegionBuilder region, Poly total, Poly each, Poly copy, int perThread, List<Code> out) {
    Name most = scope.names.fresh("chunks");
    out.add(new Code.ChunkCount(most, new Expr.Index(total), each, perThread));
    Expr affordable =
        Expr.binary(BinOp.Kind.SQUOT, new Expr.Index(total.times(each)), new Expr.Index(copy));
    Expr some = Expr.binary(BinOp.Kind.SMIN, Expr.i64(most), affordable);
    return Expr.binary(BinOp.Kind.SQUOT, some, atLeastOne(Expr.i64(region.chunks)));
  }

  private static Expr atLeastOne(Expr e) {
    return Expr.binary(BinOp.Kind.SMAX, Expr.i64(1), e);
  }

  private static void moreChunks(RegionBuilder region, Expr rounds, List<Code> out) {
    Expr chunks = Expr.binary(BinOp.Kind.MUL, Expr.i64(region.chunks), rounds);
    out.add(new Code.Assign(region.chunks, chunks));
  }

  /** Tests whether several copies per thread may fit in the gap between copies. */
  private static boolean mayBeSeveral(List<HistogramPrivatisation> bins, int apart) {
    Long largest = largest(bins);
    return largest == null || 2 * largest <= apart;
  }

  /**
   * Multiplies the number of chunks, and thus of copies, only as far as the copies fit in the gap
   * that separates the copies of threads. The gap is divided among them: a thread runs adjacent
   * chunks, so that only its last copy is adjacent to another thread's.
   */
  private void severalCopies(
      RegionBuilder region,
      Expr rounds,
      List<HistogramPrivatisation> bins,
      Poly binCount,
      int gap,
      Expr few,
      List<Code> out) {
    long room = 0;
    for (HistogramPrivatisation b : bins) {
      room += gap * (long) b.copies.size();
    }
    Expr most = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(room), atLeastOne(new Expr.Index(binCount)));
    Expr some = Expr.binary(BinOp.Kind.SMIN, rounds, most);
    Name times = scope.names.fresh("rounds");
    scope.add(times, Type.I64);
    out.add(new Code.Declare(times, PrimType.I64, atLeastOne(some)));
    moreChunks(region, Expr.i64(times), out);
    Expr share = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(gap), Expr.i64(times));
    apart(bins, few, gap, share, out);
  }

  private List<Code> kernel(
      SegOp.SegHist h,
      Mode mode,
      List<HistogramPrivatisation> bins,
      RegionBuilder region,
      SegSpace.Dim dim,
      List<Poly> cost) {
    return blocks.kernel(
        k -> {
          if (mode == Mode.PRIVATE) {
            for (HistogramPrivatisation b : bins) {
              b.clear(region, k);
            }
          }
          if (mode.isOwn()) {
            for (HistogramPrivatisation b : bins) {
              b.begin(k);
            }
          }
          List<Code> body = new ArrayList<>();
          statements.lower(h.body().stms(), h.body().values(), List.of(), body);
          int independent = body.size();
          updates(h, mode, bins, region, body);
          cost.add(scope.costs.costOfIndex(body, h.space()));
          Code.Order order = new Code.Order.Sequential(independent, List.of());
          Expr from = Expr.i64(region.from);
          Expr to = Expr.i64(region.to);
          k.add(new Code.For(dim.index(), PrimType.I64, from, to, 0, order, body));
          for (int o = 0; o < bins.size() && mode.isOwn(); o++) {
            if (mode == Mode.OWN) {
              bins.get(o).end(region, k);
            } else {
              bins.get(o).addToDestinations(o, k);
            }
          }
        });
  }

  /** Lowers the update of the bins by the results of an iteration's body. */
  private void updates(
      SegOp.SegHist h,
      Mode mode,
      List<HistogramPrivatisation> bins,
      RegionBuilder region,
      List<Code> body) {
    List<SubExp> results = h.body().values();
    int indices = 0;
    for (SegOp.SegHistOp op : h.ops()) {
      indices += op.shape().size();
    }
    int at = 0;
    int value = indices;
    List<Poly> outer =
        h.space().dims().subList(0, h.space().dims().size() - 1).stream()
            .map(d -> Poly.of(d.index()))
            .toList();
    for (int o = 0; o < h.ops().size(); o++) {
      SegOp.SegHistOp op = h.ops().get(o);
      List<SubExp> index = results.subList(at, at + op.shape().size());
      at += op.shape().size();
      List<SubExp> values = results.subList(value, value + op.dests().size());
      value += op.dests().size();
      List<Poly> bin = new ArrayList<>();
      for (int d = 0; d < index.size(); d++) {
        bin.add(scope.poly(index.get(d)));
      }
      List<Code> update = new ArrayList<>();
      HistogramPrivatisation own = mode == Mode.PRIVATE || mode.isOwn() ? bins.get(o) : null;
      operators.elementwise(
          op.opShape(),
          v -> {
            List<Poly> place = new ArrayList<>(own == null ? outer : List.of());
            place.addAll(bin);
            place.addAll(v);
            List<Code> step = new ArrayList<>();
            update(op, values, v, own, mode, place, region, step);
            return List.of(new Code.Scope(step));
          },
          update);
      if (mode == Mode.SHARED) {
        Poly key = Poly.of(o);
        for (Poly b : bin) {
          key = key.times(31).plus(b);
        }
        update = List.of(new Code.Locked(new Expr.Index(key), update));
      }
      body.add(
          own != null && mode.isOwn()
              ? own.whereRoom(arrays, index.get(0), update)
              : arrays.whereInside(index, op.shape(), update));
    }
  }

  private void update(
      SegOp.SegHistOp op,
      List<SubExp> values,
      List<Poly> v,
      @Nullable HistogramPrivatisation own,
      Mode mode,
      List<Poly> place,
      RegionBuilder region,
      List<Code> out) {
    List<Expr> left = new ArrayList<>();
    List<Expr> right = new ArrayList<>();
    List<Poly> at = new ArrayList<>();
    List<Name> in = new ArrayList<>();
    for (int j = 0; j < op.dests().size(); j++) {
      PrimType elem = scope.type(op.dests().get(j)).elemPrim();
      ArrayMem m = scope.mem(op.dests().get(j));
      Poly p;
      if (own == null) {
        p = scope.place(m.lmad().index(place));
      } else if (mode.isOwn()) {
        p = place.get(0);
      } else {
        p = own.at(Poly.of(region.chunk), place);
      }
      at.add(p);
      in.add(own == null ? m.block() : own.block(j, mode.isOwn()));
      left.add(new Expr.Load(in.get(j), elem, p));
      SubExp x = values.get(j);
      right.add(
          v.isEmpty() ? scope.expr(x) : scope.load(scope.mem(((SubExp.Var) x).name()), elem, v));
    }
    operators.apply(
        op.op(),
        left,
        right,
        results -> {
          for (int j = 0; j < op.dests().size(); j++) {
            PrimType elem = scope.type(op.dests().get(j)).elemPrim();
            out.add(new Code.Store(in.get(j), elem, at.get(j), scope.expr(results.get(j))));
          }
        },
        out);
  }
}
