package futharkc.core.codegen.lower;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks' own copies of what a parallel region updates by an operator, in one block for each
 * destination: so far apart that threads do not write to the same cache line. Few bins are in a
 * block of their own while a chunk runs: how many there are is then the length of a Java array, and
 * one test of an index does for both. At the chunk's end they are copied there, or combined with
 * the destination at once if the operator gives the same in whatever order chunks come to their
 * end: then no copies are kept, however many chunks there are.
 */
final class HistogramPrivatisation {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final Operators operators;
  private final SegOp.SegHistOp op;
  private final List<SubExp> shape = new ArrayList<>();
  final List<Name> copies = new ArrayList<>();

  /** The blocks of the chunk that runs, if it has its own, likewise. */
  private final List<Name> own = new ArrayList<>();

  private Poly apart;

  HistogramPrivatisation(
      FunctionSymbols scope, BlockLifetimes blocks, Operators operators, SegOp.SegHistOp op) {
    this.scope = scope;
    this.blocks = blocks;
    this.operators = operators;
    this.op = op;
    shape.addAll(op.shape());
    shape.addAll(op.opShape());
    apart = Poly.of(scope.target.regions().apart());
    for (Name d : op.dests()) {
      Name block = scope.names.fresh("bins");
      scope.add(block, new Type.Mem(new Space.Elements(scope.type(d).elemPrim())));
      copies.add(block);
    }
  }

  /** The number of elements in one copy. */
  Poly size() {
    return operators.size(shape);
  }

  /** The number of elements in one copy, of all destinations. */
  Poly elements() {
    return size().times(op.dests().size());
  }

  /** Whether copies of so many elements are worth their while for so many updates. */
  static Expr pay(RegionBuilder region, Poly elements, Poly updates) {
    return Expr.atMost(
        new Expr.Index(elements.times(Poly.of(region.chunks))),
        new Expr.Index(updates.times(UpdateStrategy.ELEMENTS_PER_UPDATE)));
  }

  /** Where a chunk's copy begins. */
  private Poly start(Poly chunk) {
    return chunk.times(size().plus(apart));
  }

  /** Where an element is in a chunk's copy. */
  Poly at(Poly chunk, List<Poly> index) {
    return start(chunk).plus(inCopy(index));
  }

  private Poly inCopy(List<Poly> index) {
    Poly p = Poly.ZERO;
    for (int d = 0; d < shape.size(); d++) p = p.times(scope.poly(shape.get(d))).plus(index.get(d));
    return p;
  }

  /** How far apart copies are, in elements. */
  void apart(Poly elements) {
    apart = elements;
  }

  /** Whether a copy has at most so many elements. */
  Expr isAtMost(long elements) {
    return Expr.atMost(new Expr.Index(size()), Expr.i64(elements));
  }

  /** Makes the chunk's own blocks, with neutral elements wherever there is room. */
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

  /** The block of a destination: all copies, or the chunk's own. */
  Name block(int destination, boolean ofChunk) {
    return (ofChunk ? own : copies).get(destination);
  }

  /** Code that runs where the chunk's own block, the only one, has room for an index. */
  Code whereRoom(ArrayOps arrays, SubExp index, List<Code> body) {
    return arrays.whereRoom(index, own.get(0), elem(0), body);
  }

  /** Whether chunks may combine their blocks with the destinations as they come to their end. */
  boolean isInAnyOrder() {
    return UpdateStrategy.isExactInAnyOrder(op.op(), copies.size());
  }

  /** Combines the chunk's own blocks with the destinations while no other chunk does. */
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

  /** Copies the chunk's own blocks to where they are combined. */
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

  /** Makes room, once the number of chunks is known. */
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

  /** Gives a chunk's copy neutral elements. */
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

  /** Combines the chunks' copies into the destinations, in order of the chunks. */
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
    over.emit(scope.poly(shape.get(0)), cost, scope.target.regions().chunksOfBins(), body, out);
  }

  /** Combines an element of the destinations with that of other blocks. */
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
