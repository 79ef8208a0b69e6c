package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;

/**
 * The loop of a thread over its elements of a tile of a matrix with a short side. A tile has the
 * whole short side, and a range of the long side. Elements along the short side are adjacent in
 * shared memory. A thread advances by additions only; indices within a tile have 32 bits.
 */
final class SkinnyTransposeTile {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final int most;
  private final int threads;
  private final Poly side;
  private final Poly pitch;
  private final Poly runs;
  private final Poly count;

  /**
   * Creates the loops of one copy.
   *
   * @param most the maximum number of elements per thread
   * @param threads the number of threads per thread block
   * @param side the length of the short side
   * @param pitch the distance in shared memory of elements that are adjacent along the long side
   * @param runs the number of positions of a thread along the long side
   */
  SkinnyTransposeTile(
      FunctionSymbols scope,
      Kernels kernels,
      int most,
      int threads,
      Poly side,
      Poly pitch,
      Poly runs) {
    this.scope = scope;
    this.kernels = kernels;
    this.most = most;
    this.threads = threads;
    this.side = side;
    this.pitch = pitch;
    this.runs = runs;
    this.count = runs.times(side);
  }

  /**
   * The code for the n-th element of a thread, given its offset in the array and in shared memory.
   */
  interface Element {
    Code of(Poly n, Poly at, Poly slot);
  }

  /** A thread's loop over its elements of a tile. */
  interface Walk {
    /**
     * Adds the loop.
     *
     * @param rest the number of positions along the long side, from the tile's first one to the end
     * @param start the offset of the tile in the array
     */
    void add(Name thread, Poly rest, Poly start, Element element, List<Code> out);
  }

  /** Returns a loop in which adjacent threads are adjacent along the short side. */
  Walk across(Poly longStride, Poly shortStride, List<Code> out) {
    Expr whole = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(threads), new Expr.Index(side));
    Poly rows = Poly.of(kernels.let("rows", whole, out));
    Poly rest = Poly.of(threads).minus(rows.times(side));
    Poly by = known("by", rows.times(longStride).plus(rest.times(shortStride)), out);
    Poly wrap = known("wrap", longStride.minus(side.times(shortStride)), out);
    return (thread, left, start, element, code) -> {
      Expr row =
          new Expr.Binary(
              new BinOp(BinOp.Kind.SQUOT, PrimType.I32), narrow(Poly.of(thread)), narrow(side));
      Poly begin = wide(let("row", row, code), code);
      Poly low = Poly.of(thread).minus(begin.times(side));
      walk(
          new State(low, begin, begin.times(pitch).plus(low)),
          start.plus(begin.times(longStride)).plus(low.times(shortStride)),
          new State(rest, rows, rows.times(pitch).plus(rest)),
          by,
          side,
          new State(Poly.ZERO.minus(side), Poly.ONE, pitch.minus(side)),
          wrap,
          left,
          element,
          code);
    };
  }

  /** Returns a loop in which adjacent threads are adjacent along the long side. */
  Walk along(Poly longStride, Poly shortStride, List<Code> out) {
    Poly all = runs.times(threads);
    Poly by = known("by", longStride.times(threads), out);
    Poly wrap = known("wrap", shortStride.minus(all.times(longStride)), out);
    return (thread, left, start, element, code) -> {
      Poly t = Poly.of(thread);
      walk(
          new State(Poly.ZERO, t, t.times(pitch)),
          start.plus(t.times(longStride)),
          new State(Poly.ONE, Poly.of(threads), pitch.times(threads)),
          by,
          runs,
          new State(Poly.ZERO.minus(runs), Poly.ZERO.minus(all), Poly.ONE.minus(all.times(pitch))),
          wrap,
          left,
          element,
          code);
    };
  }

  /**
   * A loop state: a cyclic counter, the position along the long side, and the offset in shared
   * memory, all relative to the tile.
   */
  private record State(Poly number, Poly place, Poly slot) {
    List<Poly> all() {
      return List.of(number, place, slot);
    }
  }

  /**
   * Adds a loop.
   *
   * @param first the initial state
   * @param at the initial offset in the array
   * @param steps the increment of the state
   * @param by the increment of the offset in the array
   * @param limit the number at which the cyclic counter wraps
   * @param wraps the further increment of the state when it wraps
   * @param wrap the further increment of the offset in the array when it wraps
   */
  private void walk(
      State first,
      Poly at,
      State steps,
      Poly by,
      Poly limit,
      State wraps,
      Poly wrap,
      Poly left,
      Element element,
      List<Code> out) {
    List<Code> code = new ArrayList<>();
    List<Expr.Var> states = new ArrayList<>();
    for (Poly p : first.all()) {
      states.add(let("walk", narrow(p), code));
    }
    Name place = kernels.let("at", new Expr.Index(at), code);
    Poly width = runs.times(threads);
    Expr.Var end =
        let("end", narrow(new Expr.Binary(i64(BinOp.Kind.SMIN), index(left), index(width))), code);
    List<Expr> stepped = narrowed("step", steps, code);
    List<Expr> wrapped = narrowed("wrap", wraps, code);
    Expr.Var last = let("limit", narrow(limit), code);
    Expr.Var some = let("count", narrow(count), code);
    Name n = scope.names.fresh("n");
    scope.add(n, Type.I64);
    List<Code> one = new ArrayList<>();
    List<Code> access = new ArrayList<>();
    Poly slot = wide(states.get(2), access);
    access.add(element.of(Poly.of(n), Poly.of(place), slot));
    one.add(new Code.If(less(states.get(1), end), access, List.of()));
    advance(states, stepped, place, by, one);
    List<Code> again = new ArrayList<>();
    advance(states, wrapped, place, wrap, again);
    Expr isEnd = new Expr.Compare(new CmpOp(CmpOp.Kind.SLE, PrimType.I32), last, states.get(0));
    one.add(new Code.If(isEnd, again, List.of()));
    Code.If guarded = new Code.If(less(narrow(Poly.of(n)), some), one, List.of());
    code.add(new Code.For(n, PrimType.I64, Expr.i64(0), Expr.i64(most), List.of(guarded)));
    out.add(new Code.Scope(code));
  }

  private void advance(
      List<Expr.Var> states, List<Expr> by, Name place, Poly there, List<Code> out) {
    for (int i = 0; i < states.size(); i++) {
      Expr sum = new Expr.Binary(new BinOp(BinOp.Kind.ADD, PrimType.I32), states.get(i), by.get(i));
      out.add(new Code.Assign(states.get(i).name(), sum));
    }
    out.add(new Code.Assign(place, index(Poly.of(place).plus(there))));
  }

  private List<Expr> narrowed(String base, State s, List<Code> out) {
    List<Expr> all = new ArrayList<>();
    for (Poly p : s.all()) {
      all.add(let(base, narrow(p), out));
    }
    return all;
  }

  // Types

  private static Expr index(Poly p) {
    return new Expr.Index(p);
  }

  private static BinOp i64(BinOp.Kind kind) {
    return new BinOp(kind, PrimType.I64);
  }

  private Poly known(String base, Poly value, List<Code> out) {
    return Poly.of(kernels.let(base, index(value), out));
  }

  private static Expr narrow(Poly p) {
    return narrow(index(p));
  }

  private static Expr narrow(Expr e) {
    return new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, PrimType.I32), e);
  }

  private static Expr less(Expr x, Expr y) {
    return new Expr.Compare(new CmpOp(CmpOp.Kind.SLT, PrimType.I32), x, y);
  }

  private Expr.Var let(String base, Expr value, List<Code> out) {
    Name n = scope.names.fresh(base);
    scope.declare(n, Type.prim(PrimType.I32), value, out);
    return new Expr.Var(n, PrimType.I32);
  }

  private Poly wide(Expr.Var v, List<Code> out) {
    Expr e = new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, PrimType.I64), v);
    return Poly.of(kernels.let("wide", e, out));
  }
}
