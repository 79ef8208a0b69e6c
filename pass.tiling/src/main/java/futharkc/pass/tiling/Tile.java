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

/** Which results of its tile a thread has, and which elements it fetches. */
final class Tile {
  private final TileShape shape;
  private final Sides<IndexSpace.Dimension> sides;
  private final NameSource names;

  /** The first index of the block's results. */
  private final Sides<Name> first;

  /** The position in the tile of the thread's first result. */
  private final Sides<Poly> own;

  private final Name thread;
  private final List<Code> declarations = new ArrayList<>();
  private final Map<Fetch, Poly> indices = new HashMap<>();
  private final Map<Integer, Poly> low = new HashMap<>();
  private final Map<Integer, Poly> high = new HashMap<>();

  /** The place of one of the elements that a thread fetches. */
  private record Fetch(Side side, boolean neighbours, int number) {}

  /**
   * For a thread of a block.
   *
   * @param first bound to the first index of the block's results
   */
  Tile(
      TileShape shape,
      Sides<IndexSpace.Dimension> sides,
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

  /** Declares where a thread's first result is: threads of a warp are near each other. */
  private Sides<Poly> own() {
    int across = shape.inWarp(Side.COLUMN);
    int warp = across * shape.inWarp(Side.ROW);
    int warps = shape.threads(Side.COLUMN) / across;
    Expr number = Expr.i64(thread);
    Poly column = own(masked(number, across), masked(shifted(number, warp), warps), across);
    Expr inWarp = masked(shifted(number, across), warp / across);
    return new Sides<>(own(inWarp, shifted(number, warp * warps), warp / across), column);
  }

  /** Declares where a thread's first result is along a side. */
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

  /** What has been declared, for the start of the kernel. */
  List<Code> declarations() {
    return declarations;
  }

  /** The position in the tile of a thread's result. */
  Poly position(Side side, int result) {
    return own.get(side).plus(Poly.of(shape.distance(side, result)));
  }

  /** The index of a thread's result, perhaps behind the last one. */
  Poly index(Side side, int result) {
    return Poly.of(first.get(side)).plus(position(side, result));
  }

  /** Whether there is such an index. */
  Expr isIn(Side side, int result) {
    return Expr.less(new Expr.Index(index(side, result)), new Expr.Index(sides.get(side).extent()));
  }

  /** The index, or the last one that there is. */
  Expr clamped(Side side, Poly index) {
    Poly last = sides.get(side).extent().minus(Poly.ONE);
    return Expr.binary(BinOp.Kind.SMIN, new Expr.Index(index), new Expr.Index(last));
  }

  // What a thread fetches

  /** The element's position in the tile. */
  Poly fetchedAt(Staged s, int number) {
    int extent = shape.extent(s.side());
    if (s.neighbours()) return low(extent);
    return high(shape.depth()).plus(Poly.of(number).times(shape.threads() / shape.depth()));
  }

  /** The element's step, of those that are fetched at once. */
  Poly fetchedStep(Staged s, int number) {
    int extent = shape.extent(s.side());
    if (!s.neighbours()) return low(shape.depth());
    return high(extent).plus(Poly.of(number).times(shape.threads() / extent));
  }

  /** Declares the index of the element's row or column, if there is one, or else of the last. */
  Poly fetchedIndex(Staged s, int number) {
    Fetch f = new Fetch(s.side(), s.neighbours(), s.neighbours() ? 0 : number);
    Poly found = indices.get(f);
    if (found != null) return found;
    Poly at = Poly.of(first.get(s.side())).plus(fetchedAt(s, number));
    Poly index = declared("from", clamped(s.side(), at));
    indices.put(f, index);
    return index;
  }

  private Poly low(int extent) {
    if (extent == shape.threads()) return Poly.of(thread);
    return low.computeIfAbsent(extent, e -> declared("low", masked(Expr.i64(thread), e)));
  }

  private Poly high(int extent) {
    if (extent == shape.threads()) return Poly.ZERO;
    return high.computeIfAbsent(extent, e -> declared("high", shifted(Expr.i64(thread), e)));
  }
}
