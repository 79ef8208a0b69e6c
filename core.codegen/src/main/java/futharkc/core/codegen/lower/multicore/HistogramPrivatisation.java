package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;

/**
 * Private copies of a histogram's destinations, one copy per chunk of a parallel region. The copies
 * of a destination share one block, with gaps that prevent false sharing of cache lines.
 *
 * <p>Few bins are in a scratch block of their own while a chunk runs. The number of bins is then
 * the length of a Java array, so that one bounds check suffices. At the end of the chunk, its bins
 * are copied to the shared block. If the operator is commutative, they are combined with the
 * destination instead, and no copies are kept.
 */
final class HistogramPrivatisation {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final Operators operators;
  private final SegOp.SegHistOp op;
  private final List<SubExp> shape = new ArrayList<>();
  final List<Name> copies = new ArrayList<>();

  /** The scratch blocks of the current chunk, one for each destination, if the chunk has them. */
  private final List<Name> own = new ArrayList<>();

  private Poly apart;

  /**
   * Creates the names of the copies.
   *
   * @param apart the gap between the copies of chunks, in elements
   */
  HistogramPrivatisation(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      Operators operators,
      SegOp.SegHistOp op,
      int apart) {
    this.scope = scope;
    this.blocks = blocks;
    this.operators = operators;
    this.op = op;
    shape.addAll(op.shape());
    shape.addAll(op.opShape());
    this.apart = Poly.of(apart);
    for (Name d : op.dests()) {
      Name block = scope.names.fresh("bins");
      scope.add(block, new Type.Mem(new Space.Elements(scope.type(d).elemPrim())));
      copies.add(block);
    }
  }

  /** Returns the number of elements in one copy of a destination. */
  Poly size() {
    return operators.size(shape);
  }

  /** Returns the number of elements in one copy of all destinations. */
  Poly elements() {
    return size().times(op.dests().size());
  }

  /**
   * Returns an expression for whether private copies pay off for a number of updates.
   *
   * @param perUpdate the maximum number of elements of all copies per update
   */
  static Expr pay(RegionBuilder region, Poly elements, Poly updates, int perUpdate) {
    return Expr.atMost(
        new Expr.Index(elements.times(Poly.of(region.chunks))),
        new Expr.Index(updates.times(perUpdate)));
  }

  /** Returns the offset of a chunk's copy. */
  private Poly start(Poly chunk) {
    return chunk.times(size().plus(apart));
  }

  /** Returns the offset of an element in a chunk's copy. */
  Poly at(Poly chunk, List<Poly> index) {
    return start(chunk).plus(inCopy(index));
  }

  private Poly inCopy(List<Poly> index) {
    Poly p = Poly.ZERO;
    for (int d = 0; d < shape.size(); d++) {
      p = p.times(scope.poly(shape.get(d))).plus(index.get(d));
    }
    return p;
  }

  /** Sets the gap between copies, in elements. */
  void apart(Poly elements) {
    apart = elements;
  }

  /** Returns an expression for whether a copy has at most that many elements. */
  Expr isAtMost(long elements) {
    return Expr.atMost(new Expr.Index(size()), Expr.i64(elements));
  }

  /**
   * Allocates the chunk's scratch blocks, and fills them with neutral elements up to their
   * capacity.
   */
  void begin(List<Code> out) {
    own.clear();
    for (int j = 0; j < copies.size(); j++) {
      PrimType elem = elem(j);
      Name block = blocks.scratch("own", elem, new Expr.Index(size()), out);
      own.add(block);
      out.add(
          new Code.FillRun(
              block,
              elem,
              Poly.ZERO,
              new Expr.Capacity(block, elem),
              scope.expr(op.neutral().get(j))));
    }
  }

  /** Returns the block of a destination: the block of all copies, or the chunk's scratch block. */
  Name block(int destination, boolean ofChunk) {
    return (ofChunk ? own : copies).get(destination);
  }

  /**
   * Returns code that runs the body only if an index is below the capacity of the chunk's scratch
   * block.
   */
  Code whereRoom(ArrayOps arrays, SubExp index, List<Code> body) {
    return arrays.whereRoom(index, own.get(0), elem(0), body);
  }

  /** Combines the chunk's bins with the destinations, under a lock. */
  void addToDestinations(int operation, List<Code> out) {
    List<Code> all = new ArrayList<>();
    operators.elementwise(
        shape,
        index -> {
          List<Code> step = new ArrayList<>();
          combine(index, own, inCopy(index), step);
          return List.of(new Code.Scope(step));
        },
        all);
    out.add(new Code.Locked(Expr.i64(operation), all));
  }

  /** Copies the chunk's bins to the block of all copies. */
  void end(RegionBuilder region, List<Code> out) {
    for (int j = 0; j < copies.size(); j++) {
      out.add(
          new Code.CopyRun(
              copies.get(j),
              start(Poly.of(region.chunk)),
              own.get(j),
              Poly.ZERO,
              elem(j),
              new Expr.Index(size())));
    }
  }

  private PrimType elem(int destination) {
    return scope.type(op.dests().get(destination)).elemPrim();
  }

  /** Allocates the blocks of all copies; the number of chunks is known by then. */
  void alloc(RegionBuilder region, List<Code> out) {
    Expr size = new Expr.Index(start(Poly.of(region.chunks)));
    for (int j = 0; j < copies.size(); j++) {
      out.add(
          new Code.Alloc(
              copies.get(j), scope.type(op.dests().get(j)).elemPrim(), size, scope.loc()));
    }
  }

  void free(List<Code> out) {
    for (int j = 0; j < copies.size(); j++) {
      out.add(new Code.Free(copies.get(j), scope.type(op.dests().get(j)).elemPrim(), List.of()));
    }
  }

  /** Fills a chunk's copy with neutral elements. */
  void clear(RegionBuilder region, List<Code> out) {
    for (int j = 0; j < copies.size(); j++) {
      out.add(
          new Code.FillRun(
              copies.get(j),
              scope.type(op.dests().get(j)).elemPrim(),
              start(Poly.of(region.chunk)),
              new Expr.Index(size()),
              scope.expr(op.neutral().get(j))));
    }
  }

  /** Combines the destinations with the copies of all chunks, in order of the chunks. */
  void merge(RegionBuilder region, List<Code> out) {
    RegionBuilder over = new RegionBuilder(scope, "merge", Loc.NONE);
    Name c = scope.names.fresh("c");
    Name first = scope.names.fresh("bin");
    scope.add(c, Type.I64);
    scope.add(first, Type.I64);
    List<Code> body =
        blocks.kernel(
            k -> {
              List<Code> loop = new ArrayList<>();
              operators.elementwise(
                  shape.subList(1, shape.size()),
                  rest -> {
                    List<Poly> index = new ArrayList<>();
                    index.add(Poly.of(first));
                    index.addAll(rest);
                    List<Code> step = new ArrayList<>();
                    combine(index, copies, at(Poly.of(c), index), step);
                    return List.of(new Code.Scope(step));
                  },
                  loop);
              List<Code> bins =
                  List.of(
                      new Code.For(
                          first, PrimType.I64, Expr.i64(over.from), Expr.i64(over.to), loop));
              k.add(new Code.For(c, PrimType.I64, Expr.i64(0), Expr.i64(region.chunks), bins));
            });
    Poly cost =
        operators.size(shape.subList(1, shape.size())).times(Poly.of(region.chunks)).times(4);
    over.emit(scope.poly(shape.get(0)), cost, scope.number(RegionOptions.BIN_CHUNKS), body, out);
  }

  /** Combines an element of the destinations with an element of other blocks. */
  private void combine(List<Poly> index, List<Name> others, Poly at, List<Code> out) {
    List<Expr> left = new ArrayList<>();
    List<Expr> right = new ArrayList<>();
    for (int j = 0; j < copies.size(); j++) {
      PrimType elem = scope.type(op.dests().get(j)).elemPrim();
      ArrayMem m = scope.mem(op.dests().get(j));
      left.add(scope.load(m, elem, index));
      right.add(new Expr.Load(others.get(j), elem, at));
    }
    operators.apply(
        op.op(),
        left,
        right,
        results -> {
          for (int j = 0; j < copies.size(); j++) {
            PrimType elem = scope.type(op.dests().get(j)).elemPrim();
            ArrayMem m = scope.mem(op.dests().get(j));
            out.add(
                new Code.Store(
                    m.block(),
                    elem,
                    scope.place(m.lmad().index(index)),
                    scope.expr(results.get(j))));
          }
        },
        out);
  }

  /** Combines an element of a chunk's copy with values. */
  void combine(Poly at, List<Expr> values, List<Code> out) {
    List<Expr> left = new ArrayList<>();
    for (int j = 0; j < copies.size(); j++) {
      left.add(new Expr.Load(copies.get(j), scope.type(op.dests().get(j)).elemPrim(), at));
    }
    operators.apply(
        op.op(),
        left,
        values,
        results -> {
          for (int j = 0; j < copies.size(); j++) {
            PrimType elem = scope.type(op.dests().get(j)).elemPrim();
            out.add(new Code.Store(copies.get(j), elem, at, scope.expr(results.get(j))));
          }
        },
        out);
  }
}
