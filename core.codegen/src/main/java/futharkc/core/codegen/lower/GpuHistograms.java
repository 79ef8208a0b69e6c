package futharkc.core.codegen.lower;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lowers histograms on a GPU: all threads update the destinations. Where the bins fit in shared
 * memory and there are more inputs than those, each block has its own, which are combined with the
 * destinations in the end.
 */
final class GpuHistograms {
  private final Scope scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final Nest nest;
  private final Operators operators;
  private final AtomicUpdates atomics;

  GpuHistograms(
      Scope scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      Nest nest,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
    this.atomics = new AtomicUpdates(scope, operators);
  }

  /** Whether some operator needs locks. */
  static boolean needsLocks(SegOp.SegHist h) {
    return h.ops().stream().anyMatch(o -> AtomicUpdates.needsLock(o.op(), o.dests().size(), 0));
  }

  void lower(Stm s, SegOp.SegHist h, List<Code> all) {
    List<Code> out = new ArrayList<>();
    Name locks = needsLocks(h) ? kernels.locks(out) : null;
    Kernels.Grid grid = kernels.grid(h.level(), "seghist", true, out);
    List<Code> global = new ArrayList<>();
    global(h, grid, locks, global);
    if (h.space().dims().size() == 1 && locks == null) {
      List<Code> shared = new ArrayList<>();
      shared(h, grid, shared);
      Name most = scope.names.fresh("most");
      out.add(new Code.GetSizeMax(most, SizeClass.Plain.SHARED_MEMORY));
      Poly bytes = Poly.ZERO;
      Poly bins = Poly.ZERO;
      for (SegOp.SegHistOp o : h.ops()) {
        bins = bins.plus(bins(o));
        for (Name d : o.dests())
          bytes = bytes.plus(bins(o).times(scope.type(d).elemPrim().bytes()));
      }
      // Of the shared memory, a half: so that two blocks can run on a multiprocessor.
      Expr fits = Expr.atMost(new Expr.Index(bytes.times(2)), Expr.i64(most));
      Poly inputs = nest.size(h.space().dims());
      Expr worthIt = Expr.atMost(new Expr.Index(bins), new Expr.Index(inputs));
      out.add(new Code.If(Expr.and(fits, worthIt), shared, global));
    } else {
      out.addAll(global);
    }
    if (locks != null) out.add(new Code.Free(locks, PrimType.I8, List.of()));
    all.add(new Code.Scope(out));
  }

  /** Updates by the threads of a block. */
  void inBlock(SegOp.SegHist h, List<Code> out) {
    KernelFrame k = scope.frame();
    List<SegSpace.Dim> dims = h.space().dims();
    Name locks = needsLocks(h) ? kernels.locksInBlock(k, out) : null;
    kernels.together(
        code -> {
          Place block = scope.enter(Place.THREAD, k);
          kernels.strided(
              Poly.of(k.thread),
              Poly.of(k.threads),
              nest.size(dims),
              (i, one) -> {
                nest.decompose(dims, i, one);
                element(h, null, locks, one);
              },
              code);
          scope.leave(block);
        },
        out);
  }

  private void global(SegOp.SegHist h, Kernels.Grid grid, @Nullable Name locks, List<Code> out) {
    List<SegSpace.Dim> dims = h.space().dims();
    Poly total = nest.size(dims);
    kernels.forEach(
        "seghist_global",
        grid,
        total,
        (i, one) -> {
          nest.decompose(dims, i, one);
          element(h, null, locks, one);
        },
        out);
  }

  /** Evaluates the body, and updates the destinations or a block's own bins. */
  void element(
      SegOp.SegHist h, @Nullable List<List<Name>> own, @Nullable Name locks, List<Code> out) {
    List<SubExp> results = h.body().values();
    statements.lower(h.body().stms(), results, List.of(), out);
    int indices = h.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int at = 0;
    int value = indices;
    List<SegSpace.Dim> dims = h.space().dims();
    List<Poly> outer =
        dims.subList(0, dims.size() - 1).stream().map(d -> Poly.of(d.index())).toList();
    for (int o = 0; o < h.ops().size(); o++) {
      SegOp.SegHistOp op = h.ops().get(o);
      List<SubExp> bin = results.subList(at, at + op.shape().size());
      List<SubExp> values = results.subList(value, value + op.dests().size());
      at += bin.size();
      value += values.size();
      List<Name> mine = own == null ? null : own.get(o);
      int number = o;
      List<Code> update = new ArrayList<>();
      operators.elementwise(
          op.opShape(),
          v -> {
            List<Poly> place = new ArrayList<>(outer);
            for (SubExp b : bin) place.add(scope.poly(b));
            place.addAll(v);
            List<Expr> added = new ArrayList<>();
            for (SubExp x : values) added.add(operators.value(x, v));
            List<Code> step = new ArrayList<>();
            Poly flat = Poly.ZERO;
            List<SubExp> shape = shape(op);
            List<Poly> inBins = place.subList(outer.size(), place.size());
            for (int d = 0; d < shape.size(); d++) {
              flat = flat.times(scope.poly(shape.get(d))).plus(inBins.get(d));
            }
            List<AtomicUpdates.Target> targets =
                mine == null ? destinations(op, place) : inShared(op, mine, flat);
            Poly key = Poly.of(number).times(7919).plus(flat);
            for (Poly p : outer) key = key.times(31).plus(p);
            atomics.combine(op.op(), targets, added, key, locks, step);
            return List.of(new Code.Scope(step));
          },
          update);
      out.add(new Code.If(arrays.isInside(bin, op.shape()), update, List.of()));
    }
  }

  private static List<SubExp> shape(SegOp.SegHistOp op) {
    List<SubExp> shape = new ArrayList<>(op.shape());
    shape.addAll(op.opShape());
    return shape;
  }

  private Poly bins(SegOp.SegHistOp op) {
    return operators.size(shape(op));
  }

  private List<AtomicUpdates.Target> destinations(SegOp.SegHistOp op, List<Poly> place) {
    List<AtomicUpdates.Target> targets = new ArrayList<>();
    for (Name d : op.dests()) {
      ArrayMem m = scope.mem(d);
      Poly at = scope.place(m.lmad().index(place));
      targets.add(new AtomicUpdates.Target(m.block(), scope.type(d).elemPrim(), at));
    }
    return targets;
  }

  private List<AtomicUpdates.Target> inShared(SegOp.SegHistOp op, List<Name> own, Poly at) {
    List<AtomicUpdates.Target> targets = new ArrayList<>();
    for (int j = 0; j < own.size(); j++) {
      PrimType elem = scope.type(op.dests().get(j)).elemPrim();
      targets.add(new AtomicUpdates.Target(own.get(j), elem, at));
    }
    return targets;
  }

  private void shared(SegOp.SegHist h, Kernels.Grid grid, List<Code> out) {
    List<SegSpace.Dim> dims = h.space().dims();
    Poly total = nest.size(dims);
    kernels.launch(
        "seghist_shared",
        Place.THREAD,
        grid.blocksFor(total),
        grid.threads(),
        (k, code) -> {
          List<List<Name>> own = new ArrayList<>();
          for (SegOp.SegHistOp op : h.ops()) {
            List<Name> mine = new ArrayList<>();
            for (int j = 0; j < op.dests().size(); j++) {
              PrimType elem = scope.type(op.dests().get(j)).elemPrim();
              Name n = k.shared("bins", bins(op).times(elem.bytes()));
              mine.add(n);
              Expr neutral = scope.expr(op.neutral().get(j));
              kernels.strided(
                  Poly.of(k.thread),
                  Poly.of(k.threads),
                  bins(op),
                  (i, c) -> c.add(new Code.Store(n, elem, Poly.of(i), neutral)),
                  code);
            }
            own.add(mine);
          }
          code.add(new Code.Barrier());
          kernels.attempt(
              c ->
                  kernels.forThreads(
                      k,
                      total,
                      (i, one) -> {
                        nest.decompose(dims, i, one);
                        element(h, own, null, one);
                      },
                      c),
              code);
          code.add(new Code.Barrier());
          for (int o = 0; o < h.ops().size(); o++) {
            SegOp.SegHistOp op = h.ops().get(o);
            List<Name> mine = own.get(o);
            kernels.attempt(
                c ->
                    kernels.strided(
                        Poly.of(k.thread),
                        Poly.of(k.threads),
                        bins(op),
                        (i, one) -> {
                          List<Poly> place = nest.indices(i, shape(op), one);
                          List<Expr> added = new ArrayList<>();
                          for (int j = 0; j < mine.size(); j++) {
                            PrimType elem = scope.type(op.dests().get(j)).elemPrim();
                            added.add(new Expr.Load(mine.get(j), elem, Poly.of(i)));
                          }
                          atomics.combine(
                              op.op(), destinations(op, place), added, Poly.ZERO, null, one);
                        },
                        c),
                code);
          }
        },
        out);
  }
}
