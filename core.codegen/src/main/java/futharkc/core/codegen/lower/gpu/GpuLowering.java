package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.AccumulatorUpdates;
import futharkc.core.codegen.lower.common.Accumulators;
import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.ControlFlow;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.ParallelOperations;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A lowering of the operations of GPU programs. Operations at thread or block level become kernels.
 * Operations within a thread block become loops with barriers around them.
 */
final class GpuLowering implements ParallelOperations {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final DeviceCopies copies;
  private final DeviceUpdates updates;
  private final Statements statements;
  private final LoopNest nest;
  private final Operators operators;
  private final GpuReductions reductions;
  private final GpuScans scans;
  private final GpuHistograms histograms;
  private final TiledMaps tiles;

  GpuLowering(
      FunctionSymbols scope,
      BlockLifetimes lifetimes,
      ArrayOps arrays,
      ControlFlow control,
      Accumulators accumulators,
      Statements statements) {
    this.scope = scope;
    this.kernels = new Kernels(scope, lifetimes);
    this.arrays = arrays;
    this.copies = new DeviceCopies(scope, kernels);
    this.updates =
        new DeviceUpdates(
            scope,
            kernels,
            arrays,
            new Operators(scope, lifetimes, arrays.copies(), statements),
            accumulators);
    this.statements = statements;
    this.nest = new LoopNest(scope, lifetimes, statements);
    this.operators = new Operators(scope, lifetimes, arrays.copies(), statements);
    this.reductions =
        new GpuReductions(scope, kernels, arrays, control, statements, nest, operators);
    this.scans = new GpuScans(scope, kernels, arrays, statements, nest, operators);
    this.tiles = new TiledMaps(scope, kernels, arrays, statements, nest);
    this.histograms = new GpuHistograms(scope, kernels, arrays, statements, nest, operators);
  }

  @Override
  public void parallel(Stm s, SegExp.ParOp p, List<Code> out) {
    throw new IllegalStateException("an operation of a CPU's cores in a program for a GPU");
  }

  @Override
  public AccumulatorUpdates updates() {
    return updates;
  }

  @Override
  public Expr isChosen(Expr condition, List<Code> version, List<Code> out) {
    return SharedMemoryLimit.fits(scope, condition, version, out);
  }

  // The host

  @Override
  public void host(Stm s, HostOp op, List<Code> out) {
    switch (op) {
      case HostOp.GetSize x -> out.add(new Code.GetSize(only(s), x.parameter()));
      case HostOp.GetSizeMax x -> out.add(new Code.GetSizeMax(only(s), x.sizeClass()));
      case HostOp.CmpSizeLe x -> {
        scope.choosesVersion(only(s));
        out.add(new Code.CompareSize(only(s), x.parameter(), scope.expr(x.value())));
      }
      case HostOp.CalcNumBlocks x -> {
        Name most = scope.names.fresh("most");
        out.add(new Code.GetSize(most, x.maxBlocks()));
        Expr needed =
            Expr.binary(BinOp.Kind.SDIV_UP, scope.expr(x.width()), scope.expr(x.blockSize()));
        Expr limited = Expr.binary(BinOp.Kind.SMIN, needed, Expr.i64(most));
        Expr blocks = Expr.binary(BinOp.Kind.SMAX, limited, Expr.i64(1));
        scope.declare(only(s), Type.I64, blocks, out);
      }
      case HostOp.Read x -> read(s, x, out);
      case HostOp.GpuBody x -> body(s, x, out);
    }
  }

  private static Name only(Stm s) {
    return s.pat().get(0).name();
  }

  private void read(Stm s, HostOp.Read x, List<Code> out) {
    List<Code.AwaitedElement> awaited = new ArrayList<>();
    for (int k = 0; k < x.elements().size(); k++) {
      HostOp.Element e = x.elements().get(k);
      PatElem p = s.pat().get(k);
      if (FunctionSymbols.isUnit(p.type())) {
        continue;
      }
      Expr.Load l = (Expr.Load) arrays.element(e.array(), e.index());
      Name request = scope.names.fresh("request");
      out.add(new Code.AskElement(request, l.block(), l.type(), l.index(), s.aux().loc()));
      awaited.add(new Code.AwaitedElement(p.name(), l.type(), request));
    }
    if (!awaited.isEmpty()) {
      out.add(new Code.AwaitElements(awaited));
    }
  }

  private void body(Stm s, HostOp.GpuBody g, List<Code> out) {
    kernels.launch(
        "gpu_body",
        ExecutionUnit.THREAD,
        Expr.i64(1),
        Expr.i64(1),
        (k, code) ->
            kernels.attempt(
                c -> {
                  List<SubExp> results = g.body().results();
                  statements.lower(g.body().stms(), results, List.of(), c);
                  for (int j = 0; j < results.size(); j++) {
                    if (!(s.pat().get(j).type() instanceof Type.Array t)) {
                      continue;
                    }
                    boolean scalar = scope.type(results.get(j)) instanceof Type.Prim;
                    List<SubExp> index = scalar ? List.of(SubExp.i64(0)) : List.of();
                    arrays.store(t, index, results.get(j), c);
                  }
                },
                code),
        out);
  }

  // Operations

  @Override
  public void operation(Stm s, SegOp op, List<Code> out) {
    for (SegSpace.Dim d : op.space().dims()) {
      scope.add(d.index(), Type.I64);
    }
    nest.enter(op.space());
    boolean inBlock = op.level() instanceof SegLevel.ThreadInBlock;
    switch (op) {
      case SegOp.SegMap m -> {
        if (inBlock) {
          mapInBlock(s, m, out);
        } else if (m.level() instanceof SegLevel.Block) {
          blocks(s, m, out);
        } else {
          map(s, m, out);
        }
      }
      case SegOp.SegRed r -> {
        if (inBlock) {
          reductions.inBlock(s, r, out);
        } else {
          reductions.lower(s, r, out);
        }
      }
      case SegOp.SegScan c -> scans.lower(s, c, out);
      case SegOp.SegHist h -> {
        if (inBlock) {
          histograms.inBlock(h, out);
        } else {
          histograms.lower(s, h, out);
        }
      }
    }
  }

  private void map(Stm s, SegOp.SegMap m, List<Code> all) {
    List<SegSpace.Dim> dims = m.space().dims();
    List<SubExp> results = m.body().values();
    Poly total = nest.size(dims);
    List<Code> out = new ArrayList<>();
    boolean scalars = m.types().stream().allMatch(t -> t instanceof Type.Prim);
    boolean own = m.level() instanceof SegLevel.Thread t && t.grid() == null;
    Kernels.Grid grid =
        own && hasElementForEach(m)
            ? kernels.gridOfElements("segmap", out)
            : kernels.grid(m.level(), "segmap", !scalars, out);
    BiConsumer<Name, List<Code>> body =
        (i, one) -> {
          KernelFrame.of(scope).runsThrough(nest.decompose(dims, i, one));
          statements.lower(m.body().stms(), results, List.of(), one);
          results(s, m, one);
        };
    boolean turns = m.level() instanceof SegLevel.Thread t && t.grid() != null;
    if (turns) {
      kernels.forEachInTurn("segmap", grid, total, body, out);
    } else {
      kernels.forEach("segmap", grid, total, body, out);
    }
    List<Code> either = new ArrayList<>();
    all.add(new Code.Scope(tiles.lower(s, m, out, either) ? either : out));
  }

  /** Tests whether each index has at least one element of a result. */
  private static boolean hasElementForEach(SegOp.SegMap m) {
    for (int j = 0; j < m.types().size(); j++) {
      boolean sized =
          m.types().get(j).dims().stream()
              .allMatch(d -> d instanceof SubExp.Const c && c.value().asLong() > 0);
      boolean value =
          m.types().get(j) instanceof Type.Prim || m.types().get(j) instanceof Type.Array;
      if (value && sized && m.body().results().get(j) instanceof SegResult.Returns) {
        return true;
      }
    }
    return false;
  }

  /** Stores the results of a body at the indices of the space. */
  private void results(Stm s, SegOp.SegMap m, List<Code> out) {
    List<SegSpace.Dim> dims = m.space().dims();
    for (int j = 0; j < m.types().size(); j++) {
      PatElem p = s.pat().get(j);
      switch (m.body().results().get(j)) {
        case SegResult.Returns r -> arrays.storeAt(List.of(p), dims, List.of(r.value()), out);
        case SegResult.Checked r -> {}
        case SegResult.TileReturns r -> tile(p, dims, r, out);
        case SegResult.RegTileReturns r ->
            throw new IllegalStateException("a tile in registers of several threads");
      }
    }
  }

  /** Stores the tile of a thread block, as far as it is within the bounds of the result. */
  private void tile(PatElem p, List<SegSpace.Dim> dims, SegResult.TileReturns r, List<Code> out) {
    ArrayMem to = FunctionSymbols.mem(p.type());
    Name array = ((SubExp.Var) r.value()).name();
    ArrayMem from = scope.mem(array);
    PrimType elem = p.type().elemPrim();
    List<Poly> sizes = new ArrayList<>();
    for (SegResult.TileDim d : r.dims()) {
      sizes.add(scope.poly(d.tile()));
    }
    copies.each(
        "copy",
        sizes,
        (index, code) -> {
          List<Poly> place = new ArrayList<>();
          List<Expr> inside = new ArrayList<>();
          for (int d = 0; d < sizes.size(); d++) {
            Poly start = Poly.of(dims.get(d).index()).times(sizes.get(d));
            place.add(start.plus(index.get(d)));
            inside.add(Expr.less(new Expr.Index(place.get(d)), scope.expr(r.dims().get(d).size())));
          }
          Code store =
              new Code.Store(
                  to.block(),
                  elem,
                  scope.place(to.lmad().index(place)),
                  scope.load(from, elem, index));
          code.add(new Code.If(Expr.all(inside), List.of(store), List.of()));
        },
        out);
  }

  // Thread blocks

  /** Launches a kernel whose thread blocks each run a body. */
  private void blocks(Stm s, SegOp.SegMap m, List<Code> all) {
    List<SegSpace.Dim> dims = m.space().dims();
    Poly total = nest.size(dims);
    List<Code> out = new ArrayList<>();
    Kernels.Grid grid = kernels.grid(m.level(), "segblock", true, out);
    kernels.launch(
        "segblock",
        ExecutionUnit.BLOCK,
        grid.blocks(new Expr.Index(total)),
        grid.threads(),
        (k, code) -> {
          if (m.level() instanceof SegLevel.Block b && b.grid() != null) {
            k.hasThreads(scope.poly(b.grid().blockSize()));
          }
          kernels.forBlocks(
              k,
              total,
              (i, one) -> {
                nest.decompose(dims, i, one);
                statements.lower(m.body().stms(), m.body().values(), List.of(), one);
                results(s, m, one);
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
    all.add(new Code.Scope(out));
  }

  private void mapInBlock(Stm s, SegOp.SegMap m, List<Code> out) {
    KernelFrame k = KernelFrame.of(scope);
    List<SegSpace.Dim> dims = m.space().dims();
    kernels.together(
        code -> {
          ExecutionUnit block = scope.enter(ExecutionUnit.THREAD, k);
          Poly total = nest.size(dims);
          BiConsumer<Name, List<Code>> body =
              (i, one) -> {
                nest.decompose(dims, i, one);
                statements.lower(m.body().stms(), m.body().values(), List.of(), one);
                results(s, m, one);
              };
          if (k.hasThreadsFor(total)) {
            kernels.once(k.thread, total, body, code);
          } else {
            kernels.strided(k.acrossBlock(), total, body, code);
          }
          scope.leave(block);
        },
        out);
  }
}
