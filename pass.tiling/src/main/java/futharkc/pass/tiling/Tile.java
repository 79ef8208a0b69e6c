package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The results in a tile that a thread computes, and the elements that it copies to shared memory.
 */
final class Tile {
  private final TileShape shape;
  private final Sides<ResultSpace.Dimension> sides;
  private final NameSource names;

  /** The first index of the thread block's results on each side. */
  private final Sides<Name> first;

  /** The position in the tile of the thread's first result on each side. */
  private final Sides<Poly> own;

  private final Name thread;
  private final List<Code> declarations = new ArrayList<>();
  private final Map<Fetch, Poly> indices = new HashMap<>();
  private final Map<Integer, Poly> low = new HashMap<>();
  private final Map<Integer, Poly> high = new HashMap<>();

  /** The key of an element that a thread copies. */
  private record Fetch(Side side, boolean neighbours, int number) {}

  /**
   * Creates the tile of a thread.
   *
   * @param shape the shape of the tile
   * @param sides the dimensions of the tile's sides
   * @param first the names bound to the first index of the thread block's results
   * @param thread the name bound to the thread's number
   * @param names the source of fresh names
   */
  Tile(
      TileShape shape,
      Sides<ResultSpace.Dimension> sides,
      Sides<Name> first,
      Name thread,
      NameSource names) {
    this.shape = shape;
    this.sides = sides;
    this.first = first;
    this.thread = thread;
    this.names = names;
    own = shape.across() == shape.threads() ? new Sides<>(Poly.ZERO, Poly.of(thread)) : own();
  }

  /**
   * Declares the positions of a thread's first result. Threads of a warp have neighbouring
   * positions.
   */
  private Sides<Poly> own() {
    int across = shape.inWarp(Side.COLUMN);
    int warp = across * shape.inWarp(Side.ROW);
    int warps = shape.threads(Side.COLUMN) / across;
    Expr number = Expr.i64(thread);
    Poly column = own(masked(number, across), masked(shifted(number, warp), warps), across);
    Expr inWarp = masked(shifted(number, across), warp / across);
    return new Sides<>(own(inWarp, shifted(number, warp * warps), warp / across), column);
  }

  /** Declares the position of a thread's first result on one side. */
  private Poly own(Expr inWarp, Expr ofWarp, int width) {
    Poly place = declared("place", inWarp);
    Poly warp = declared("warp", ofWarp);
    Poly number = warp.times(width).plus(place);
    return declared("own", new Expr.Index(number.times(shape.neighbours())));
  }

  private static Expr masked(Expr e, int powerOfTwo) {
    return Expr.binary(BinOp.Kind.AND, e, Expr.i64(powerOfTwo - 1));
  }

  private static Expr shifted(Expr e, int powerOfTwo) {
    return Expr.binary(BinOp.Kind.LSHR, e, Expr.i64(Integer.numberOfTrailingZeros(powerOfTwo)));
  }

  private Poly declared(String name, Expr value) {
    Name n = names.fresh(name);
    declarations.add(new Code.Declare(n, PrimType.I64, value));
    return Poly.of(n);
  }

  /** Returns the declarations so far, for the start of the kernel. */
  List<Code> declarations() {
    return declarations;
  }

  /** Returns the position in the tile of a thread's result. */
  Poly position(Side side, int result) {
    return own.get(side).plus(Poly.of(shape.distance(side, result)));
  }

  /** Returns the index of a thread's result, which may be out of range. */
  Poly index(Side side, int result) {
    return Poly.of(first.get(side)).plus(position(side, result));
  }

  /** Returns the condition that the index of a thread's result is in range. */
  Expr isIn(Side side, int result) {
    return Expr.less(new Expr.Index(index(side, result)), new Expr.Index(sides.get(side).extent()));
  }

  /** Returns the index, clamped to the last valid index. */
  Expr clamped(Side side, Poly index) {
    Poly last = sides.get(side).extent().minus(Poly.ONE);
    return Expr.binary(BinOp.Kind.SMIN, new Expr.Index(index), new Expr.Index(last));
  }

  // Elements that a thread copies

  /** Returns the position in the tile of the element. */
  Poly fetchedAt(Staged s, int number) {
    int extent = shape.extent(s.side());
    if (s.neighbours()) {
      return low(extent);
    }
    return high(shape.depth()).plus(Poly.of(number).times(shape.threads() / shape.depth()));
  }

  /** Returns the step of the element within a round. */
  Poly fetchedStep(Staged s, int number) {
    int extent = shape.extent(s.side());
    if (!s.neighbours()) {
      return low(shape.depth());
    }
    return high(extent).plus(Poly.of(number).times(shape.threads() / extent));
  }

  /** Declares the index of the element's row or column, clamped to the last valid index. */
  Poly fetchedIndex(Staged s, int number) {
    Fetch f = new Fetch(s.side(), s.neighbours(), s.neighbours() ? 0 : number);
    Poly found = indices.get(f);
    if (found != null) {
      return found;
    }
    Poly at = Poly.of(first.get(s.side())).plus(fetchedAt(s, number));
    Poly index = declared("from", clamped(s.side(), at));
    indices.put(f, index);
    return index;
  }

  private Poly low(int extent) {
    if (extent == shape.threads()) {
      return Poly.of(thread);
    }
    return low.computeIfAbsent(extent, e -> declared("low", masked(Expr.i64(thread), e)));
  }

  private Poly high(int extent) {
    if (extent == shape.threads()) {
      return Poly.ZERO;
    }
    return high.computeIfAbsent(extent, e -> declared("high", shifted(Expr.i64(thread), e)));
  }
}
