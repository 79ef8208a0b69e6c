package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Space;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The building blocks of kernels: grids, loops over the elements of threads or thread blocks, locks
 * and attempts.
 */
final class Kernels {
  private final FunctionSymbols scope;
  private final BlockLifetimes lifetimes;

  Kernels(FunctionSymbols scope, BlockLifetimes lifetimes) {
    this.scope = scope;
    this.lifetimes = lifetimes;
  }

  /** Launches a kernel. The body receives the kernel's frame and the list for its statements. */
  void launch(
      String kind,
      ExecutionUnit place,
      Expr blocks,
      Expr threads,
      BiConsumer<KernelFrame, List<Code>> body,
      List<Code> out) {
    launch(kind, place, new Code.Grid(blocks, threads, 0, false), body, out);
  }

  /** Launches a kernel on a grid. */
  void launch(
      String kind,
      ExecutionUnit place,
      Code.Grid grid,
      BiConsumer<KernelFrame, List<Code>> body,
      List<Code> out) {
    KernelFrame frame = new KernelFrame(scope);
    ExecutionUnit outside = scope.enter(place, frame);
    List<Code> code;
    try {
      code = lifetimes.kernel(k -> body.accept(frame, k));
    } finally {
      scope.leave(outside);
    }
    List<Code> launch = new ArrayList<>();
    frame.launch(scope.label(kind), grid, code, launch);
    out.add(new Code.Scope(launch));
  }

  // Grids

  /**
   * A grid: the number of threads per thread block, and a limit on the number of thread blocks.
   *
   * @param threads the number of threads per thread block
   * @param blocks the maximum number of thread blocks; null if no tuning parameter gives it
   * @param most the maximum number of thread blocks if {@code blocks} is null
   * @param covers true if each index has a thread
   */
  record Grid(Expr threads, @Nullable Expr blocks, long most, boolean covers) {
    /** Returns the number of thread blocks to launch if that many have work. */
    Expr blocks(Expr wanted) {
      return Expr.binary(BinOp.Kind.SMIN, wanted, blocks == null ? Expr.i64(most) : blocks);
    }

    /** Returns a grid with that many times the thread blocks. */
    Grid times(int n) {
      return blocks == null
          ? this
          : new Grid(threads, Expr.binary(BinOp.Kind.MUL, blocks, Expr.i64(n)), most, covers);
    }

    /** Returns the number of thread blocks to launch if that many threads have work. */
    Expr blocksFor(Poly total) {
      return blocks(Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), threads));
    }

    /** Returns the grid of a launch whose threads share out that many indices. */
    Code.Grid of(Poly total) {
      return new Code.Grid(blocksFor(total), threads, 0, covers);
    }
  }

  /** Returns the grid of an operation, or the grid that tuning parameters give. */
  Grid grid(SegLevel level, String kind, boolean limited, List<Code> out) {
    SegLevel.Grid given =
        switch (level) {
          case SegLevel.Thread t -> t.grid();
          case SegLevel.Block b -> b.grid();
          case SegLevel.ThreadInBlock t -> null;
          case SegLevel.Cores c -> null;
        };
    if (given != null) {
      Expr threads = scope.expr(given.blockSize());
      // A thread block has at least one thread, even without work, because no device accepts none.
      boolean mayBeNone = level instanceof SegLevel.Block && !(threads instanceof Expr.Const);
      return grid(
          mayBeNone ? Expr.binary(BinOp.Kind.SMAX, threads, Expr.i64(1)) : threads,
          scope.expr(given.blocks()));
    }
    return grid(kind, limited, out);
  }

  /** Returns the grid that tuning parameters give. */
  Grid grid(String kind, boolean limited, List<Code> out) {
    int number = scope.parameter();
    Name threads =
        size(kind + "_tblock_size_" + number, SizeClass.Plain.THREAD_BLOCK_SIZE, "size", out);
    if (!limited) {
      return grid(Expr.i64(threads), null);
    }
    Name blocks = size(kind + "_num_tblocks_" + number, SizeClass.Plain.GRID_SIZE, "grid", out);
    return grid(Expr.i64(threads), Expr.i64(blocks));
  }

  /**
   * Returns a grid with a thread for each of the indices, each of which has an element of an array.
   * No device has memory for more elements than CUDA's limit on thread blocks allows.
   */
  Grid gridOfElements(String kind, List<Code> out) {
    return new Grid(grid(kind, false, out).threads(), null, Integer.MAX_VALUE, true);
  }

  /**
   * Returns a grid with smaller thread blocks if the shared memory of a device might not suffice
   * for the usual number of threads. An operator may thus accumulate tuples of any width.
   *
   * @param bytes the bytes of shared memory per thread
   * @param enough the bytes for which thread blocks have their usual size
   */
  Grid withShared(Grid grid, int bytes, int enough, List<Code> out) {
    if (bytes <= enough) {
      return grid;
    }
    Name most = scope.names.fresh("most");
    scope.add(most, Type.I64);
    out.add(new Code.GetSizeMax(most, SizeClass.Plain.SHARED_MEMORY));
    Expr rest = Expr.i64(scope.number(KernelOptions.RESERVED));
    Expr room = Expr.binary(BinOp.Kind.SUB, Expr.i64(most), rest);
    Expr fitting = Expr.binary(BinOp.Kind.SQUOT, room, Expr.i64(bytes));
    Expr some = Expr.binary(BinOp.Kind.SMAX, fitting, Expr.i64(1));
    Name threads = let("size", Expr.binary(BinOp.Kind.SMIN, grid.threads(), some), out);
    return new Grid(Expr.i64(threads), grid.blocks(), grid.most(), grid.covers());
  }

  /**
   * Returns a grid with these thread blocks.
   *
   * @param threads the number of threads per thread block
   * @param blocks the maximum number of thread blocks; null for the target's limit
   */
  Grid grid(Expr threads, @Nullable Expr blocks) {
    return new Grid(threads, blocks, scope.number(KernelOptions.BLOCKS), false);
  }

  private Name size(String name, SizeClass sizeClass, String base, List<Code> out) {
    Name n = scope.names.fresh(base);
    scope.add(n, Type.I64);
    out.add(new Code.GetSize(n, new TuningParameter(scope.function() + "." + name, sizeClass)));
    return n;
  }

  /** Declares an i64 variable. */
  Name let(String base, Expr value, List<Code> out) {
    Name n = scope.names.fresh(base);
    scope.declare(n, Type.I64, value, out);
    return n;
  }

  // Loops

  /** Runs code for the indices of a stride below the end, in independent iterations. */
  void strided(
      KernelFrame.Stride stride, Poly end, BiConsumer<Name, List<Code>> body, List<Code> out) {
    strided(stride, end, body, code -> {}, out);
  }

  /**
   * Runs code for the indices of a stride below the end.
   *
   * @param independent adds code that depends on no other iteration
   * @param inOrder adds the code after it, which runs in the order of iterations
   */
  void strided(
      KernelFrame.Stride stride,
      Poly end,
      BiConsumer<Name, List<Code>> independent,
      Consumer<List<Code>> inOrder,
      List<Code> out) {
    Name i = scope.names.fresh("i");
    scope.add(i, Type.I64);
    List<Code> code = new ArrayList<>();
    independent.accept(i, code);
    int count = code.size();
    inOrder.accept(code);
    Expr first = new Expr.Index(stride.first());
    Expr step = new Expr.Index(stride.step());
    out.add(
        new Code.Strided(i, first, new Expr.Index(end), step, stride.distribution(), count, code));
  }

  /** Runs code for an index, if the index is below the end. */
  void once(Name index, Poly end, BiConsumer<Name, List<Code>> body, List<Code> out) {
    List<Code> code = new ArrayList<>();
    body.accept(index, code);
    out.add(new Code.If(Expr.less(Expr.i64(index), new Expr.Index(end)), code, List.of()));
  }

  /** Runs code as {@link #strided} does, in iterations that may depend on earlier ones. */
  void inSteps(
      KernelFrame.Stride stride, Poly end, BiConsumer<Name, List<Code>> body, List<Code> out) {
    Name[] index = new Name[1];
    strided(stride, end, (i, none) -> index[0] = i, c -> body.accept(index[0], c), out);
  }

  /** Runs code for 1, 2, 4 and so on below the end. */
  void doubling(Poly end, BiConsumer<Name, List<Code>> body, List<Code> out) {
    Name s = let("stride", Expr.i64(1), out);
    Name more = scope.names.fresh("more");
    Expr goesOn = Expr.less(Expr.i64(s), new Expr.Index(end));
    out.add(new Code.Declare(more, PrimType.BOOL, goesOn));
    List<Code> code = new ArrayList<>();
    body.accept(s, code);
    code.add(new Code.Assign(s, new Expr.Index(Poly.of(s).times(2))));
    code.add(new Code.Assign(more, goesOn));
    out.add(new Code.While(more, code));
  }

  /** Launches a kernel with a thread for each index, and one warp per thread block. */
  void forEach(String kind, Poly total, BiConsumer<Name, List<Code>> body, List<Code> out) {
    forEach(kind, grid(Expr.i64(scope.number(KernelOptions.WARP)), null), total, body, out);
  }

  /**
   * Launches a kernel whose threads divide the indices below a total. Each thread runs its indices
   * as an attempt.
   */
  void forEach(
      String kind, Grid grid, Poly total, BiConsumer<Name, List<Code>> body, List<Code> out) {
    launch(
        kind,
        ExecutionUnit.THREAD,
        grid.of(total),
        (k, code) ->
            attempt(
                c -> strided(k.acrossGrid(), total, (i, one) -> one(k, i, total, body, one), c),
                code),
        out);
  }

  /** Launches a kernel with a grid-stride loop whose iterations reuse thread-private memory. */
  void forEachInTurn(
      String kind, Grid grid, Poly total, BiConsumer<Name, List<Code>> body, List<Code> out) {
    launch(
        kind,
        ExecutionUnit.THREAD,
        grid.of(total),
        (k, code) ->
            attempt(
                c -> inSteps(k.acrossGrid(), total, (i, one) -> one(k, i, total, body, one), c),
                code),
        out);
  }

  /** Runs code for an index of a kernel's only dimension. */
  private static void one(
      KernelFrame k, Name index, Poly total, BiConsumer<Name, List<Code>> body, List<Code> out) {
    k.runsThrough(List.of(new Code.Dimension(index, index, total)));
    body.accept(index, out);
  }

  /** Divides iterations among the thread blocks of a kernel. */
  void forBlocks(KernelFrame k, Poly total, BiConsumer<Name, List<Code>> body, List<Code> out) {
    inSteps(KernelFrame.Stride.of(Poly.of(k.block), Poly.of(k.blocks)), total, body, out);
  }

  // Locks

  /** Allocates free locks in device memory; the caller releases the block. */
  Name locks(List<Code> out) {
    Name locks = scope.names.fresh("locks");
    scope.add(locks, new Type.Mem(new Space.Device()));
    Expr bytes = Expr.i64(4L * scope.number(KernelOptions.LOCKS));
    out.add(new Code.Alloc(locks, PrimType.I8, bytes, scope.loc()));
    forEach(
        "locks",
        Poly.of(scope.number(KernelOptions.LOCKS)),
        (i, one) -> one.add(unlocked(locks, i)),
        out);
    return locks;
  }

  private static Code unlocked(Name locks, Name i) {
    return new Code.Store(locks, PrimType.I32, Poly.of(i), Expr.zero(PrimType.I32));
  }

  /** Allocates free locks in shared memory for the threads of a thread block. */
  Name locksInBlock(KernelFrame k, List<Code> out) {
    Name locks = k.shared("locks", Poly.of(4L * scope.number(KernelOptions.BLOCK_LOCKS)));
    together(
        code ->
            strided(
                k.acrossBlock(),
                Poly.of(scope.number(KernelOptions.BLOCK_LOCKS)),
                (i, one) -> one.add(unlocked(locks, i)),
                code),
        out);
    return locks;
  }

  // Attempts

  /** Adds code of one thread, as an attempt if the code may fail. */
  void attempt(Consumer<List<Code>> body, List<Code> out) {
    List<Code> code = new ArrayList<>();
    body.accept(code);
    if (Failures.arePossible(code)) {
      out.add(new Code.Attempt(code));
    } else {
      out.add(new Code.Scope(code));
    }
  }

  /** Adds code that the threads of a thread block run in parallel, between barriers. */
  void together(Consumer<List<Code>> body, List<Code> out) {
    out.add(new Code.Barrier());
    List<Code> code = new ArrayList<>();
    body.accept(code);
    if (Failures.arePossible(code)) {
      out.add(new Code.Attempt(code));
      out.add(new Code.LeaveIfFailed());
    } else {
      out.add(new Code.Scope(code));
      out.add(new Code.Barrier());
    }
  }
}
