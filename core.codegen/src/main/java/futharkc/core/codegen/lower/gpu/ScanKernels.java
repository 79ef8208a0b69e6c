package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A lowering of a scan of host code to kernels, and of a scan within a thread block. */
final class ScanKernels {
  private final GpuScan scan;
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final boolean segmented;
  private final Poly size;
  private final Poly total;
  private final int operands;
  private final List<PrimType> types;

  ScanKernels(GpuScan scan) {
    this.scan = scan;
    this.scope = scan.scope;
    this.kernels = scan.kernels;
    this.segmented = scan.segmented;
    this.size = scan.size;
    this.total = scan.total;
    this.operands = scan.operands;
    this.types = scan.types;
  }

  void onHost(List<Code> all) {
    List<Code> out = new ArrayList<>();
    SegStrategy.OnePass onePass = scan.onePass();
    boolean single = onePass != null;
    Kernels.Grid tuned = kernels.grid(scan.scan.level(), "segscan", !single || segmented, out);
    // With several elements per thread, only the last thread of a warp publishes one.
    boolean areFew = single && scan.items() > 1 && scope.number(KernelOptions.SHUFFLED) > 1;
    int each = scan.bytes() * (areFew ? scan.items() : 1 + scan.items());
    int enough = onePass != null ? onePass.bytes() : scan.twoPasses().bytes();
    Kernels.Grid grid = kernels.withShared(tuned, each, enough, out);
    Expr size = Expr.binary(BinOp.Kind.MUL, grid.threads(), Expr.i64(scan.items()));
    Poly window = Poly.of(kernels.let("window", size, out));
    if (onePass != null) {
      singlePass(grid, window, onePass.resident(), out);
    } else {
      twoPasses(grid, window, out);
    }
    all.add(new Code.Scope(out));
  }

  /**
   * Lowers a scan in one pass. Each thread block scans one tile, and obtains its prefix by looking
   * back. A tile is a window. If a segment fits in a window, a tile consists of whole segments
   * instead, and needs no prefix. Such tiles are as small as a grid of one tile per thread block
   * allows, with at least one element per thread.
   */
  private void singlePass(Kernels.Grid grid, Poly window, int resident, List<Code> out) {
    Poly step = window;
    Expr whole = null;
    if (segmented) {
      Expr length = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(size), Expr.i64(1));
      Name segment = kernels.let("segment", length, out);
      Name isWhole = scope.names.fresh("whole");
      Expr fits = Expr.atMost(Expr.i64(segment), new Expr.Index(window));
      scope.declare(isWhole, Type.BOOL, fits, out);
      whole = new Expr.Var(isWhole, PrimType.BOOL);
      Name some = kernels.let("step", new Expr.Index(window), out);
      Expr blocks = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
      Expr each = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), blocks);
      Expr least = Expr.binary(BinOp.Kind.SMAX, each, grid.threads());
      Expr most = Expr.binary(BinOp.Kind.SMIN, least, new Expr.Index(window));
      Expr count = Expr.binary(BinOp.Kind.SQUOT, most, Expr.i64(segment));
      Expr one = Expr.binary(BinOp.Kind.SMAX, count, Expr.i64(1));
      Expr together = Expr.binary(BinOp.Kind.MUL, one, Expr.i64(segment));
      out.add(new Code.If(whole, List.of(new Code.Assign(some, together)), List.of()));
      step = Poly.of(some);
    }
    Expr count = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), new Expr.Index(step));
    Name tiles = kernels.let("tiles", count, out);
    int width = scope.number(KernelOptions.SHUFFLED);
    Expr groups = Expr.binary(BinOp.Kind.SDIV_UP, grid.threads(), Expr.i64(width));
    Poly room = Poly.of(kernels.let("groups", groups, out));
    LookBack others = new LookBack(scope, kernels, types, Poly.of(tiles), whole, out);
    Poly tile = step;
    kernels.launch(
        "segscan",
        ExecutionUnit.THREAD,
        new Code.Grid(Expr.i64(tiles), grid.threads(), resident, false),
        (k, code) -> new ScanWindows(scan, k, scan.items(), room, code).tile(others, tile, code),
        out);
    others.free(out);
  }

  private void twoPasses(Kernels.Grid grid, Poly window, List<Code> out) {
    int items = scan.items();
    Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
    Expr atOnce = Expr.binary(BinOp.Kind.MUL, new Expr.Index(window), most);
    Expr windows = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), atOnce);
    Expr some = Expr.binary(BinOp.Kind.SMAX, windows, Expr.i64(1));
    Poly chunk =
        Poly.of(
            kernels.let("chunk", Expr.binary(BinOp.Kind.MUL, new Expr.Index(window), some), out));
    Name used =
        kernels.let(
            "used",
            Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), new Expr.Index(chunk)),
            out);
    List<Name> partials = new ArrayList<>();
    for (PrimType t : types) {
      Name n = scope.names.fresh("partials");
      Expr bytes = new Expr.Index(Poly.of(used).times(t.bytes()));
      out.add(new Code.Alloc(n, PrimType.I8, bytes, scope.loc()));
      partials.add(n);
    }
    List<Code> before = new ArrayList<>();
    kernels.launch(
        "segscan_reduce",
        ExecutionUnit.THREAD,
        Expr.i64(used),
        grid.threads(),
        (k, code) -> {
          ScanWindows w = new ScanWindows(scan, k, items, code);
          Poly start = Poly.of(k.block).times(chunk);
          Expr end = Reduction.smaller(start.plus(chunk), total);
          w.run(start, Poly.of(kernels.let("end", end, code)), false, code);
          List<Code> save = new ArrayList<>();
          for (int j = 0; j < operands; j++) {
            save.add(new Code.Store(partials.get(j), types.get(j), Poly.of(k.block), w.carry(j)));
          }
          code.add(new Code.If(k.isFirst(), save, List.of()));
        },
        before);
    kernels.launch(
        "segscan_chunks",
        ExecutionUnit.THREAD,
        Expr.i64(1),
        grid.threads(),
        (k, code) -> chunks(k, partials, Poly.of(used), chunk, code),
        before);
    out.add(new Code.If(Expr.less(Expr.i64(1), Expr.i64(used)), before, List.of()));
    kernels.launch(
        "segscan",
        ExecutionUnit.THREAD,
        Expr.i64(used),
        grid.threads(),
        (k, code) -> {
          ScanWindows w = new ScanWindows(scan, k, items, code);
          List<Code> load = new ArrayList<>();
          w.begin(ThreadAccumulators.load(partials, types, t -> Poly.of(k.block)), load);
          code.add(new Code.If(Expr.less(Expr.i64(0), Expr.i64(k.block)), load, List.of()));
          Poly start = Poly.of(k.block).times(chunk);
          Expr end = Reduction.smaller(start.plus(chunk), total);
          w.run(start, Poly.of(kernels.let("end", end, code)), true, code);
        },
        out);
    for (Name p : partials) {
      out.add(new Code.Free(p, PrimType.I8, List.of()));
    }
  }

  /** Replaces the reduction of each chunk by the exclusive prefix of the chunk. */
  private void chunks(KernelFrame k, List<Name> partials, Poly used, Poly chunk, List<Code> out) {
    ScanWindows w = new ScanWindows(scan, k, 1, out);
    kernels.inSteps(
        KernelFrame.Stride.of(Poly.ZERO, Poly.of(k.threads)),
        used,
        (first, code) -> {
          Poly base = Poly.of(first);
          Name number = kernels.let("number", new Expr.Index(base.plus(Poly.of(k.thread))), code);
          w.accs().reset(code);
          List<Expr> loaded = ThreadAccumulators.load(partials, types, t -> Poly.of(number));
          List<Code> load = new ArrayList<>();
          w.accs().set(loaded, load);
          Expr isOne = Expr.less(Expr.i64(number), new Expr.Index(used));
          code.add(new Code.If(isOne, load, List.of()));
          Function<Poly, Poly> place =
              t -> base.plus(t).plus(Poly.ONE).times(chunk).minus(Poly.ONE);
          w.advance(place, code);
          List<Code> save = new ArrayList<>();
          for (int j = 0; j < operands; j++) {
            save.add(new Code.Store(partials.get(j), types.get(j), Poly.of(number), w.prefix(j)));
          }
          code.add(new Code.If(isOne, save, List.of()));
          code.add(new Code.Barrier());
        },
        out);
  }

  void inBlock(List<Code> out) {
    KernelFrame k = KernelFrame.of(scope);
    List<Code> code = new ArrayList<>();
    ExecutionUnit block = scope.enter(ExecutionUnit.THREAD, k);
    code.add(new Code.Barrier());
    new ScanWindows(scan, k, 1, code).run(Poly.ZERO, total, true, code);
    scope.leave(block);
    out.add(new Code.Scope(code));
    if (Failures.arePossible(code)) {
      out.add(new Code.LeaveIfFailed());
    }
  }
}
