package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Space;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A histogram whose thread blocks have private bins in shared memory, which are combined with the
 * destinations at the end.
 */
final class SharedMemoryHistogram {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final LoopNest nest;
  private final Operators operators;
  private final HistogramUpdates updates;
  private final AtomicUpdates atomics;
  private final SegOp.SegHist h;
  private final HistogramPasses.Plan plan;
  private final List<SegSpace.Dim> outer;
  private final SegSpace.Dim last;
  private final List<Poly> counts = new ArrayList<>();

  /** The locks of the destinations; null if the operator needs none. */
  private final @Nullable Name locks;

  /** The locks of a thread block's private bins; null if the operator needs none. */
  private @Nullable Name locksOfBlock;

  SharedMemoryHistogram(
      FunctionSymbols scope,
      Kernels kernels,
      LoopNest nest,
      Operators operators,
      HistogramUpdates updates,
      SegOp.SegHist h,
      HistogramPasses.Plan plan,
      @Nullable Name locks) {
    this.scope = scope;
    this.kernels = kernels;
    this.nest = nest;
    this.operators = operators;
    this.updates = updates;
    this.atomics = new AtomicUpdates(scope, operators);
    this.h = h;
    this.plan = plan;
    this.locks = locks;
    List<SegSpace.Dim> dims = h.space().dims();
    this.outer = dims.subList(0, dims.size() - 1);
    this.last = dims.get(dims.size() - 1);
    for (SegOp.SegHistOp op : h.ops()) {
      counts.add(plan.per() == null ? updates.bins(op) : plan.per());
    }
  }

  /**
   * Divides segments among thread blocks; several thread blocks share a segment if segments are
   * few.
   *
   * @param mostPartials the maximum number of bins of all thread blocks that a separate kernel
   *     combines; 0 for none
   */
  void lower(Kernels.Grid grid, long mostPartials, List<Code> out) {
    Poly segments = nest.size(outer);
    Poly inputs = scope.poly(last.size());
    Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
    Expr all = Expr.binary(BinOp.Kind.MUL, most, grid.threads());
    Expr resident = Expr.binary(BinOp.Kind.SDIV_UP, all, plan.threads());
    Expr some = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(segments), Expr.i64(1));
    Expr shared = Expr.binary(BinOp.Kind.SQUOT, resident, some);
    Expr useful = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(inputs), plan.threads());
    Expr parts = Expr.binary(BinOp.Kind.SMIN, shared, useful);
    Poly each =
        Poly.of(kernels.let("parts", Expr.binary(BinOp.Kind.SMAX, parts, Expr.i64(1)), out));
    Poly total = segments.times(each);
    Name blocks =
        kernels.let("blocks", Expr.binary(BinOp.Kind.SMIN, new Expr.Index(total), resident), out);
    if (mostPartials == 0) {
      kernel(each, total, blocks, List.of(), out);
      return;
    }
    Poly found = total.times(updates.bins(h.ops().get(0)));
    List<Code> inParts = new ArrayList<>();
    List<Name> partials = partials(found, inParts);
    kernel(each, total, blocks, partials, inParts);
    finish(each, partials, grid, inParts);
    for (Name p : partials) {
      inParts.add(new Code.Free(p, PrimType.I8, List.of()));
    }
    List<Code> locked = new ArrayList<>();
    kernel(each, total, blocks, List.of(), locked);
    Expr areFew = Expr.atMost(new Expr.Index(found), Expr.i64(mostPartials));
    out.add(new Code.If(areFew, inParts, locked));
  }

  private List<Name> partials(Poly count, List<Code> out) {
    List<Name> all = new ArrayList<>();
    for (Name d : h.ops().get(0).dests()) {
      Name n = scope.names.fresh("partials");
      scope.add(n, new Type.Mem(new Space.Device()));
      Expr bytes = new Expr.Index(count.times(scope.type(d).elemPrim().bytes()));
      out.add(new Code.Alloc(n, PrimType.I8, bytes, scope.loc()));
      all.add(n);
    }
    return all;
  }

  /**
   * Combines each bin of the destinations with the partial bins of all thread blocks: one thread
   * block per bin.
   */
  private void finish(Poly parts, List<Name> partials, Kernels.Grid grid, List<Code> out) {
    SegOp.SegHistOp op = h.ops().get(0);
    Poly each = updates.bins(op);
    Poly all = nest.size(outer).times(each);
    SegOp.SegBinOp operator = new SegOp.SegBinOp(true, op.op(), op.neutral(), List.of());
    kernels.launch(
        "seghist_parts",
        ExecutionUnit.THREAD,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          ThreadAccumulators accs =
              new ThreadAccumulators(scope, kernels, operators, k, List.of(operator), code);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                Expr of = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(each));
                Name segment = kernels.let("segment", of, one);
                Poly which = Poly.of(number).minus(Poly.of(segment).times(each));
                Name bin = kernels.let("bin", new Expr.Index(which), one);
                Poly first = Poly.of(segment).times(parts);
                accs.reset(one);
                kernels.attempt(
                    c -> found(partials, first, parts, each, bin, k.acrossBlock(), accs, c), one);
                accs.reduce(one);
                List<Code> end = new ArrayList<>();
                kernels.attempt(c -> add(op, segment, bin, accs, c), end);
                one.add(new Code.If(k.isFirst(), end, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
  }

  /** Accumulates some of the partial bins of one bin. */
  private void found(
      List<Name> partials,
      Poly first,
      Poly parts,
      Poly each,
      Name bin,
      KernelFrame.Stride stride,
      ThreadAccumulators accs,
      List<Code> out) {
    List<PrimType> types = accs.types();
    List<Expr> values = new ArrayList<>();
    kernels.strided(
        stride,
        parts,
        (i, body) -> {
          Poly at = first.plus(Poly.of(i)).times(each).plus(Poly.of(bin));
          for (int j = 0; j < partials.size(); j++) {
            Name n = scope.names.fresh("found");
            Expr load = new Expr.Load(partials.get(j), types.get(j), at);
            scope.declare(n, Type.prim(types.get(j)), load, body);
            values.add(new Expr.Var(n, types.get(j)));
          }
        },
        body -> accs.append(values, body),
        out);
  }

  /** Combines a bin of the destinations with the accumulated value. */
  private void add(
      SegOp.SegHistOp op, Name segment, Name bin, ThreadAccumulators accs, List<Code> out) {
    nest.decompose(outer, segment, out);
    List<Poly> place = new ArrayList<>();
    for (SegSpace.Dim d : outer) {
      place.add(Poly.of(d.index()));
    }
    place.addAll(nest.indices(bin, HistogramUpdates.shape(op), out));
    List<AtomicUpdates.Target> targets = updates.destinations(op, place);
    List<Expr> old = new ArrayList<>();
    for (AtomicUpdates.Target t : targets) {
      old.add(new Expr.Load(t.block(), t.elem(), t.at()));
    }
    accs.prepend(old, out);
    for (int j = 0; j < targets.size(); j++) {
      AtomicUpdates.Target t = targets.get(j);
      out.add(new Code.Store(t.block(), t.elem(), t.at(), accs.values().get(j)));
    }
  }

  /**
   * Launches the kernel that reads the inputs.
   *
   * @param partials the blocks for the thread blocks' bins, one for each operand; empty if thread
   *     blocks update the destinations
   */
  private void kernel(Poly each, Poly total, Name blocks, List<Name> partials, List<Code> out) {
    locksOfBlock = null;
    kernels.launch(
        "seghist_shared",
        ExecutionUnit.THREAD,
        Expr.i64(blocks),
        plan.threads(),
        (k, code) -> {
          List<List<AtomicUpdates.Target>> bins = new ArrayList<>();
          for (int o = 0; o < h.ops().size(); o++) {
            List<AtomicUpdates.Target> mine = new ArrayList<>();
            for (Name d : h.ops().get(o).dests()) {
              PrimType elem = scope.type(d).elemPrim();
              Poly size = counts.get(o).times(plan.copies()).times(elem.bytes());
              mine.add(new AtomicUpdates.Target(k.shared("bins", size), elem, Poly.ZERO));
            }
            bins.add(mine);
          }
          if (locks != null) {
            locksOfBlock = kernels.locksInBlock(k, code);
          }
          Expr which =
              Expr.binary(BinOp.Kind.SREM, Expr.i64(k.thread), new Expr.Index(plan.copies()));
          Poly copy = Poly.of(kernels.let("copy", which, code));
          kernels.forBlocks(
              k,
              total,
              (v, one) -> {
                Expr of = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(v), new Expr.Index(each));
                Name segment = kernels.let("segment", of, one);
                Poly part = Poly.of(v).minus(Poly.of(segment).times(each));
                nest.decompose(outer, segment, one);
                if (!plan.inSeveralPasses()) {
                  pass(
                      k,
                      new HistogramUpdates.Own(bins, copy, counts, null),
                      part,
                      each,
                      v,
                      partials,
                      one);
                  return;
                }
                kernels.inSteps(
                    KernelFrame.Stride.of(Poly.ZERO, counts.get(0)),
                    updates.bins(h.ops().get(0)),
                    (from, c) -> {
                      HistogramUpdates.Pass now = pass(Poly.of(from), c);
                      HistogramUpdates.Own own = new HistogramUpdates.Own(bins, copy, counts, now);
                      pass(k, own, part, each, v, partials, c);
                    },
                    one);
              },
              code);
        },
        out);
  }

  /** Returns the pass that begins at a bin. */
  private HistogramUpdates.Pass pass(Poly from, List<Code> out) {
    Expr rest = new Expr.Index(updates.bins(h.ops().get(0)).minus(from));
    Expr some = Expr.binary(BinOp.Kind.SMIN, rest, new Expr.Index(counts.get(0)));
    return new HistogramUpdates.Pass(from, Poly.of(kernels.let("some", some, out)));
  }

  private void pass(
      KernelFrame k,
      HistogramUpdates.Own own,
      Poly part,
      Poly parts,
      Name number,
      List<Name> partials,
      List<Code> out) {
    Poly thread = Poly.of(k.thread);
    Poly threads = Poly.of(k.threads);
    for (int o = 0; o < h.ops().size(); o++) {
      SegOp.SegHistOp op = h.ops().get(o);
      Poly all = counts.get(o).times(plan.copies());
      for (int j = 0; j < op.dests().size(); j++) {
        AtomicUpdates.Target t = own.blocks().get(o).get(j);
        Expr neutral = scope.expr(op.neutral().get(j));
        kernels.strided(
            k.acrossBlock(),
            all,
            (i, c) -> c.add(new Code.Store(t.block(), t.elem(), Poly.of(i), neutral)),
            out);
      }
    }
    out.add(new Code.Barrier());
    kernels.attempt(
        c ->
            kernels.strided(
                KernelFrame.Stride.of(part.times(threads).plus(thread), parts.times(threads)),
                scope.poly(last.size()),
                (i, one) -> {
                  scope.declare(last.index(), Type.I64, Expr.i64(i), one);
                  updates.element(h, own, own.pass(), locksOfBlock, one);
                },
                c),
        out);
    out.add(new Code.Barrier());
    if (!partials.isEmpty()) {
      keep(k, own, Poly.of(number).times(updates.bins(h.ops().get(0))), partials, out);
    } else {
      for (int o = 0; o < h.ops().size(); o++) {
        combine(k, own, o, out);
      }
    }
    out.add(new Code.Barrier());
  }

  /**
   * Combines the copies of a thread block's private bins, and stores the result for another kernel.
   */
  private void keep(
      KernelFrame k, HistogramUpdates.Own own, Poly first, List<Name> partials, List<Code> out) {
    SegOp.SegHistOp op = h.ops().get(0);
    Poly count = counts.get(0);
    Poly at = own.pass() == null ? first : first.plus(own.pass().from());
    List<AtomicUpdates.Target> bins = own.blocks().get(0);
    kernels.attempt(
        c ->
            kernels.strided(
                k.acrossBlock(),
                own.pass() == null ? count : own.pass().count(),
                (i, one) -> {
                  List<Expr> sums = combined(bins, op, Poly.of(i), count, one);
                  for (int j = 0; j < partials.size(); j++) {
                    PrimType elem = bins.get(j).elem();
                    Poly place = at.plus(Poly.of(i));
                    one.add(new Code.Store(partials.get(j), elem, place, sums.get(j)));
                  }
                },
                c),
        out);
  }

  /** Combines the copies of a thread block's private bins, and the result with the destinations. */
  private void combine(KernelFrame k, HistogramUpdates.Own own, int number, List<Code> out) {
    SegOp.SegHistOp op = h.ops().get(number);
    Poly from = own.pass() == null ? Poly.ZERO : own.pass().from();
    Poly count = counts.get(number);
    Poly last = own.pass() == null ? count : own.pass().count();
    List<Poly> segment = outer.stream().map(d -> Poly.of(d.index())).toList();
    kernels.attempt(
        c ->
            kernels.strided(
                k.acrossBlock(),
                last,
                (i, one) -> {
                  Name bin = kernels.let("bin", new Expr.Index(from.plus(Poly.of(i))), one);
                  List<Poly> place = new ArrayList<>(segment);
                  place.addAll(nest.indices(bin, HistogramUpdates.shape(op), one));
                  atomics.combine(
                      op.op(),
                      updates.destinations(op, place),
                      combined(own.blocks().get(number), op, Poly.of(i), count, one),
                      HistogramUpdates.key(number, Poly.of(bin), segment),
                      locks,
                      one);
                },
                c),
        out);
  }

  private List<Expr> combined(
      List<AtomicUpdates.Target> bins, SegOp.SegHistOp op, Poly at, Poly apart, List<Code> out) {
    List<Name> names = new ArrayList<>();
    List<Expr> sum = new ArrayList<>();
    for (AtomicUpdates.Target t : bins) {
      Name n = scope.names.fresh("sum");
      scope.declare(n, Type.prim(t.elem()), new Expr.Load(t.block(), t.elem(), at), out);
      names.add(n);
      sum.add(new Expr.Var(n, t.elem()));
    }
    Name copy = scope.names.fresh("copy");
    scope.add(copy, Type.I64);
    List<Expr> next = new ArrayList<>();
    for (AtomicUpdates.Target t : bins) {
      Poly there = at.plus(Poly.of(copy).times(apart));
      next.add(new Expr.Load(t.block(), t.elem(), there));
    }
    List<Code> body = new ArrayList<>();
    operators.apply(
        op.op(),
        sum,
        next,
        results -> {
          for (int j = 0; j < names.size(); j++) {
            body.add(new Code.Assign(names.get(j), scope.expr(results.get(j))));
          }
        },
        body);
    Expr end = new Expr.Index(plan.copies());
    out.add(new Code.For(copy, PrimType.I64, Expr.i64(1), end, body));
    return sum;
  }
}
