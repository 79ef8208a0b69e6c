package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.CannotExpandException;
import futharkc.core.codegen.lower.common.EnclosingKernel;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kernel under construction: its grid, and the memory that the host allocates for it. A block
 * that a thread or thread block allocates is a slice of a block that the host allocates. Its size
 * must be known before the launch.
 */
final class KernelFrame implements EnclosingKernel {
  /** The number of thread blocks. */
  final Name blocks;

  /** The number of threads per thread block. */
  final Name threads;

  /** The index of the current thread block. */
  final Name block;

  /** The index of the current thread in its thread block. */
  final Name thread;

  /** The minimum number of threads per thread block. */
  private Poly fewestThreads = Poly.ONE;

  private final FunctionSymbols scope;
  private final List<Code> before = new ArrayList<>();
  private final List<Code> after = new ArrayList<>();
  private final List<Code.Shared> shared = new ArrayList<>();
  private List<Code.Dimension> space = List.of();
  private final Set<Name> inside = new HashSet<>();
  private final Set<Name> allocated = new HashSet<>();
  private final Map<Name, BasicOp> definitions = new HashMap<>();

  KernelFrame(FunctionSymbols scope) {
    this.scope = scope;
    blocks = scope.names.fresh("blocks");
    threads = scope.names.fresh("threads");
    block = scope.names.fresh("block");
    thread = scope.names.fresh("thread");
    for (Name n : List.of(blocks, threads, block, thread)) {
      scope.add(n, Type.I64);
    }
  }

  /** Returns the kernel of the code being lowered. */
  static KernelFrame of(FunctionSymbols scope) {
    return (KernelFrame) scope.kernel();
  }

  /**
   * The indices that a strided loop runs through.
   *
   * @param first the first index
   * @param step the distance to the next index
   * @param distribution the threads that share out the indices
   */
  record Stride(Poly first, Poly step, Code.Distribution distribution) {
    /** Returns the stride of a loop of one thread. */
    static Stride of(Poly first, Poly step) {
      return new Stride(first, step, Code.Distribution.NONE);
    }
  }

  /** Returns the stride of loops that the threads of the grid share out. */
  Stride acrossGrid() {
    return new Stride(id(), all(), Code.Distribution.GRID);
  }

  /** Returns the stride of loops that the threads of a thread block share out. */
  Stride acrossBlock() {
    return acrossBlock(Poly.of(threads));
  }

  /**
   * Returns the stride of loops that the threads of a thread block share out.
   *
   * @param size the number of threads per thread block
   */
  Stride acrossBlock(Poly size) {
    return new Stride(Poly.of(thread), size, Code.Distribution.BLOCK);
  }

  /** Records the dimensions of the index space that the threads of the grid share out. */
  void runsThrough(List<Code.Dimension> space) {
    this.space = space;
  }

  /** Returns the index of the thread among all threads of the grid. */
  Poly id() {
    return Poly.of(block).times(Poly.of(threads)).plus(Poly.of(thread));
  }

  /** Returns the number of threads of the grid. */
  Poly all() {
    return Poly.of(blocks).times(Poly.of(threads));
  }

  /** Records a minimum number of threads per thread block. */
  void hasThreads(Poly atLeast) {
    fewestThreads = atLeast;
  }

  /** Tests whether a thread block is known to have a thread for each of that many indices. */
  boolean hasThreadsFor(Poly indices) {
    return fewestThreads.equals(indices);
  }

  @Override
  public Expr isFirst() {
    return Expr.atMost(Expr.i64(thread), Expr.i64(0));
  }

  /** Emits the launch, and the host's allocations and releases around it. */
  void launch(String label, Code.Grid grid, List<Code> body, List<Code> out) {
    out.add(new Code.Declare(blocks, PrimType.I64, grid.blocks()));
    out.add(new Code.Declare(threads, PrimType.I64, grid.threads()));
    out.addAll(before);
    Expr size = grid.threads() instanceof Expr.Const c ? c : Expr.i64(threads);
    Code.Grid own = new Code.Grid(Expr.i64(blocks), size, grid.resident(), grid.covers());
    out.add(new Code.Launch(label, scope.loc(), block, thread, own, space, shared, body));
    out.addAll(after);
  }

  // Facts

  @Override
  public void binds(Name n) {
    inside.add(n);
  }

  @Override
  public void defines(Name n, BasicOp op) {
    definitions.put(n, op);
  }

  @Override
  public @Nullable BasicOp definition(SubExp e) {
    return e instanceof SubExp.Var v ? definitions.get(v.name()) : null;
  }

  /** Returns a scalar of the kernel as an expression that the host evaluates. */
  private Expr onHost(SubExp e) {
    if (!(e instanceof SubExp.Var v) || !inside.contains(v.name())) {
      return scope.expr(e);
    }
    BasicOp op = definitions.get(v.name());
    if (op == null) {
      throw unknown(v.name());
    }
    return switch (op) {
      case BasicOp.SubExpOp x -> onHost(x.value());
      case BasicOp.Opaque x -> onHost(x.value());
      case BasicOp.BinOpExp x -> new Expr.Binary(x.op(), onHost(x.left()), onHost(x.right()));
      case BasicOp.UnOpExp x -> new Expr.Unary(x.op(), onHost(x.operand()));
      case BasicOp.ConvOpExp x -> new Expr.Convert(x.op(), onHost(x.operand()));
      case BasicOp.ArrayVal _,
          BasicOp.ArrayLit _,
          BasicOp.CmpOpExp _,
          BasicOp.PrimFunExp _,
          BasicOp.Assert _,
          BasicOp.Index _,
          BasicOp.Update _,
          BasicOp.FlatIndex _,
          BasicOp.FlatUpdate _,
          BasicOp.Concat _,
          BasicOp.Manifest _,
          BasicOp.Iota _,
          BasicOp.Replicate _,
          BasicOp.Scratch _,
          BasicOp.Reshape _,
          BasicOp.Rearrange _,
          BasicOp.UpdateAcc _,
          BasicOp.UserParam _ ->
          throw unknown(v.name());
    };
  }

  private CannotExpandException unknown(Name size) {
    return new CannotExpandException(
        scope.loc(),
        "a thread allocates an array whose size, "
            + size
            + ", is not known before the kernel starts");
  }

  // Memory

  /** Declares shared memory of that many bytes. */
  Name shared(String base, Poly bytes) {
    Name n = scope.names.fresh(base);
    scope.add(n, new Type.Mem(new Space.Shared()));
    shared.add(new Code.Shared(n, new Expr.Index(bytes)));
    return n;
  }

  /** Declares device memory that the host allocates before the launch and releases after it. */
  Name device(String base, Poly bytes) {
    Name n = scope.names.fresh(base);
    before.add(new Code.Alloc(n, PrimType.I8, new Expr.Index(bytes), scope.loc()));
    after.add(new Code.Free(n, PrimType.I8, List.of()));
    return n;
  }

  @Override
  public void allocate(Name name, MemOp.Alloc a, List<Code> declarations) {
    if (!allocated.add(name)) {
      return;
    }
    switch (a.space()) {
      case Space.Scalar s -> {
        long n = 1;
        for (SubExp d : s.shape()) {
          n *= ((SubExp.Const) d).value().asLong();
        }
        declarations.add(new Code.Private(name, s.elem(), n));
      }
      case Space.Shared s ->
          shared.add(new Code.Shared(name, new Expr.Index(Poly.of(roundedUp(a.size())))));
      case Space.Device d -> {
        boolean one = scope.place() == ExecutionUnit.THREAD;
        Poly size = Poly.of(roundedUp(a.size()));
        Poly users = one ? all() : Poly.of(blocks);
        Poly user = one ? id() : Poly.of(block);
        Name all = device(name.base(), size.times(users));
        declarations.add(
            new Code.DeclarePointer(name, Code.Memory.DEVICE, PrimType.I8, all, user.times(size)));
      }
      case Space.Elements e -> throw new IllegalStateException("host memory in a kernel");
      case Space.Named n ->
          throw new CannotExpandException(scope.loc(), "a kernel has no memory space " + n.name());
    }
  }

  /**
   * Returns a number of bytes, computed by the host and rounded up to the alignment of every
   * element type.
   */
  private Name roundedUp(SubExp bytes) {
    Expr size = Expr.binary(BinOp.Kind.SMAX, onHost(bytes), Expr.i64(0));
    Expr up = Expr.binary(BinOp.Kind.ADD, size, Expr.i64(7));
    Name n = scope.names.fresh("bytes");
    before.add(new Code.Declare(n, PrimType.I64, Expr.binary(BinOp.Kind.AND, up, Expr.i64(-8))));
    return n;
  }
}
