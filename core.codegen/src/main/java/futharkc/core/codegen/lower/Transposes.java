package futharkc.core.codegen.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A copy in which the one side runs along one dimension and the other side along another: tiles are
 * read in the order of the one and written in that of the other, and lie in shared memory in
 * between. A tile is square, but for matrices of which one side is short. Elements of less than
 * four bytes go several at once, where all begins and ends at whole words: a thread transposes a
 * square of them in registers. Small matrices are copied element by element.
 */
final class Transposes {
  /** The logarithm of the number of elements, or words, in a tile. */
  private static final int LOG_TILE = 10;

  /** That of a square tile's side. */
  private static final int LOG_SIDE = 5;

  private static final int SIDE = 1 << LOG_SIDE;
  private static final int THREADS = 256;

  /** Sides up to that are short. */
  private static final int SHORT = 16;

  /** Matrices that are not longer on either side are not worth a tile. */
  private static final int SMALL = 8;

  private final Scope scope;
  private final Kernels kernels;
  private final DeviceCopies copies;
  private final PrimType elem;
  private final DeviceCopies.Side to;
  private final DeviceCopies.Side from;
  private final List<Copies.Dim> dims;
  private final List<Copies.Dim> around = new ArrayList<>();

  /** Along which the source runs, and the target. */
  private final Copies.Dim a;

  private final Copies.Dim b;

  /**
   * For one copy.
   *
   * @param read the dimension along which the source runs
   * @param write that of the target
   */
  Transposes(
      Scope scope,
      Kernels kernels,
      DeviceCopies copies,
      PrimType elem,
      DeviceCopies.Side to,
      DeviceCopies.Side from,
      List<Copies.Dim> dims,
      int read,
      int write) {
    this.scope = scope;
    this.kernels = kernels;
    this.copies = copies;
    this.elem = elem;
    this.to = to;
    this.from = from;
    this.dims = dims;
    this.a = dims.get(read);
    this.b = dims.get(write);
    for (int i = 0; i < dims.size(); i++) if (i != read && i != write) around.add(dims.get(i));
  }

  void lower(List<Code> out) {
    List<Code> plain = new ArrayList<>();
    copies.plain(elem, to, from, dims, plain);
    List<Code> square = new ArrayList<>();
    Poly log = Poly.of(LOG_SIDE);
    elements(log, log, Poly.of(SIDE), Poly.of(SIDE), square);
    List<Code> oblong = new ArrayList<>();
    shortSides(oblong);
    Expr isShort = Expr.or(isAtMost(a.size(), SHORT), isAtMost(b.size(), SHORT));
    List<Code> elements = List.of(new Code.If(isShort, oblong, square));
    List<Code> large = elements;
    if (elem.bytes() < 4) {
      List<Code> words = new ArrayList<>();
      words(words);
      large = List.of(new Code.If(isOfWords(), words, elements));
    }
    Expr isSmall = Expr.and(isAtMost(a.size(), SMALL), isAtMost(b.size(), SMALL));
    out.add(new Code.If(isSmall, plain, large));
  }

  private static Expr isAtMost(Poly size, long limit) {
    return Expr.atMost(new Expr.Index(size), Expr.i64(limit));
  }

  private static Expr less(Poly x, Poly y) {
    return Expr.less(new Expr.Index(x), new Expr.Index(y));
  }

  private Poly low(Poly p, Poly mask, List<Code> out) {
    Expr e = Expr.binary(BinOp.Kind.AND, new Expr.Index(p), new Expr.Index(mask));
    return Poly.of(kernels.let("low", e, out));
  }

  private Poly high(Poly p, Poly log, List<Code> out) {
    Expr e = Expr.binary(BinOp.Kind.ASHR, new Expr.Index(p), new Expr.Index(log));
    return Poly.of(kernels.let("high", e, out));
  }

  // Kernels

  /** Where a tile begins: its indices, and the offsets at index zero of both dimensions. */
  private record Tile(Poly firstA, Poly firstB, Poly toAt, Poly fromAt) {}

  private interface Body {
    void add(KernelFrame k, Name shared, Tile tile, List<Code> out);
  }

  /**
   * A kernel whose blocks go through tiles.
   *
   * @param width how far a tile goes along the source's dimension
   * @param height and along the target's
   */
  private void kernel(Poly width, Poly height, Poly sharedBytes, Body body, List<Code> out) {
    Poly tilesA = tiles(a.size(), width, out);
    Poly tilesB = tiles(b.size(), height, out);
    Poly total = tilesA.times(tilesB);
    for (Copies.Dim d : around) total = total.times(d.size());
    Poly all = total;
    Kernels.Grid grid = new Kernels.Grid(Expr.i64(THREADS), null);
    kernels.launch(
        "transpose",
        Place.BLOCK,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          Name shared = k.shared("tile", sharedBytes);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                List<Poly> sizes = new ArrayList<>();
                for (Copies.Dim d : around) sizes.add(d.size());
                sizes.add(tilesB);
                sizes.add(tilesA);
                List<Poly> index = copies.indices(number, sizes, one);
                Poly toAt = to.offset();
                Poly fromAt = from.offset();
                for (int i = 0; i < around.size(); i++) {
                  toAt = toAt.plus(index.get(i).times(around.get(i).to()));
                  fromAt = fromAt.plus(index.get(i).times(around.get(i).from()));
                }
                Poly firstA = index.get(around.size() + 1).times(width);
                Poly firstB = index.get(around.size()).times(height);
                body.add(k, shared, new Tile(firstA, firstB, toAt, fromAt), one);
              },
              code);
        },
        out);
  }

  private Poly tiles(Poly size, Poly side, List<Code> out) {
    Expr count = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), new Expr.Index(side));
    return Poly.of(kernels.let("tiles", count, out));
  }

  /** Shares out some numbers among the threads of a block, before a barrier. */
  private void share(KernelFrame k, long count, BiConsumer<Poly, List<Code>> body, List<Code> out) {
    kernels.strided(
        Poly.of(k.thread),
        Poly.of(THREADS),
        Poly.of(count),
        (t, one) -> body.accept(Poly.of(t), one),
        out);
  }

  // Elements

  /** Copies where one side is short, by tiles that are as short. */
  private void shortSides(List<Code> out) {
    Expr rest = Expr.binary(BinOp.Kind.SUB, Expr.i64(LOG_TILE), logOf(b.size()));
    Name log = kernels.let("log", rest, out);
    Code ofSource = new Code.Assign(log, logOf(a.size()));
    out.add(new Code.If(isAtMost(a.size(), SHORT), List.of(ofSource), List.of()));
    Poly logWidth = Poly.of(kernels.let("log", Expr.i64(log), out));
    Poly logHeight = Poly.of(LOG_TILE).minus(logWidth);
    elements(logWidth, logHeight, power(logWidth, out), power(logHeight, out), out);
  }

  private void elements(Poly logWidth, Poly logHeight, Poly width, Poly height, List<Code> out) {
    Poly pitch = width.plus(Poly.ONE);
    kernel(
        width,
        height,
        pitch.times(height).times(elem.bytes()),
        (k, shared, tile, one) -> {
          List<Code> whole = new ArrayList<>();
          share(
              k,
              1 << LOG_TILE,
              (t, code) -> {
                Poly x = low(t, width.minus(Poly.ONE), code);
                Poly y = high(t, logWidth, code);
                code.add(taken(shared, pitch, tile, x, y));
              },
              whole);
          List<Code> some = new ArrayList<>();
          share(
              k,
              1 << LOG_TILE,
              (t, code) -> {
                Poly x = low(t, width.minus(Poly.ONE), code);
                Poly y = high(t, logWidth, code);
                Code take = taken(shared, pitch, tile, x, y);
                code.add(new Code.If(isInside(tile, x, y), List.of(take), List.of()));
              },
              some);
          Expr isWhole = isInside(tile, width.minus(Poly.ONE), height.minus(Poly.ONE));
          one.add(new Code.If(isWhole, whole, some));
          one.add(new Code.Barrier());
          share(
              k,
              1 << LOG_TILE,
              (t, code) -> {
                Poly y = low(t, height.minus(Poly.ONE), code);
                Poly x = high(t, logHeight, code);
                Expr found = new Expr.Load(shared, elem, y.times(pitch).plus(x));
                Code give = new Code.Store(to.block(), elem, target(tile, x, y), found);
                code.add(new Code.If(isInside(tile, x, y), List.of(give), List.of()));
              },
              one);
          one.add(new Code.Barrier());
        },
        out);
  }

  private Code taken(Name shared, Poly pitch, Tile tile, Poly x, Poly y) {
    Expr load = new Expr.Load(from.block(), elem, source(tile, x, y));
    return new Code.Store(shared, elem, y.times(pitch).plus(x), load);
  }

  private Poly source(Tile t, Poly x, Poly y) {
    return t.fromAt.plus(t.firstA.plus(x).times(a.from())).plus(t.firstB.plus(y).times(b.from()));
  }

  private Poly target(Tile t, Poly x, Poly y) {
    return t.toAt.plus(t.firstA.plus(x).times(a.to())).plus(t.firstB.plus(y).times(b.to()));
  }

  private Expr isInside(Tile t, Poly x, Poly y) {
    return Expr.and(less(t.firstA.plus(x), a.size()), less(t.firstB.plus(y), b.size()));
  }

  private Poly power(Poly log, List<Code> out) {
    Expr e = Expr.binary(BinOp.Kind.SHL, Expr.i64(1), new Expr.Index(log));
    return Poly.of(kernels.let("side", e, out));
  }

  /** The logarithm of the least power of two that is not less than a short size. */
  private static Expr logOf(Poly size) {
    ConvOp asNumber = new ConvOp(ConvOp.Kind.BTOI, PrimType.BOOL, PrimType.I64);
    Expr log = Expr.i64(0);
    for (int n = 1; n < SHORT; n *= 2) {
      Expr isMore = Expr.less(Expr.i64(n), new Expr.Index(size));
      log = Expr.binary(BinOp.Kind.ADD, log, new Expr.Convert(asNumber, isMore));
    }
    return log;
  }

  // Words

  /** Whether rows and columns on both sides are whole words. */
  private Expr isOfWords() {
    List<Poly> all = new ArrayList<>(List.of(a.size(), b.size(), b.from(), a.to()));
    all.add(to.offset());
    all.add(from.offset());
    for (Copies.Dim d : around) {
      all.add(d.from());
      all.add(d.to());
    }
    Expr bits = Expr.i64(0);
    for (Poly p : all) bits = Expr.binary(BinOp.Kind.OR, bits, new Expr.Index(p));
    Expr rest = Expr.binary(BinOp.Kind.AND, bits, Expr.i64(4 / elem.bytes() - 1));
    Expr isLong =
        Expr.and(
            Expr.less(Expr.i64(SHORT), new Expr.Index(a.size())),
            Expr.less(Expr.i64(SHORT), new Expr.Index(b.size())));
    return Expr.and(isLong, Expr.atMost(rest, Expr.i64(0)));
  }

  private static Expr bits(BinOp.Kind kind, Expr x, int y) {
    Expr by = new Expr.Const(PrimValue.ofInt(PrimType.I32, y));
    return new Expr.Binary(new BinOp(kind, PrimType.I32), x, by);
  }

  private void words(List<Code> out) {
    int n = 4 / elem.bytes();
    Poly log = Poly.of(Integer.numberOfTrailingZeros(n));
    int width = 8 * elem.bytes();
    int pitch = SIDE + 1;
    int plane = SIDE * pitch;
    Poly side = Poly.of((long) n * SIDE);
    kernel(
        side,
        side,
        Poly.of(4L * n * plane),
        (k, shared, tile, one) -> {
          share(
              k,
              1 << LOG_TILE,
              (t, code) -> {
                Poly x = low(t, Poly.of(SIDE - 1), code);
                Poly y = high(t, Poly.of(LOG_SIDE), code);
                List<Code> square = new ArrayList<>();
                List<Expr> rows = new ArrayList<>();
                for (int r = 0; r < n; r++) {
                  Poly at = source(tile, x.times(n), y.times(n).plus(Poly.of(r)));
                  Name row = scope.names.fresh("row");
                  Poly word = high(at, log, square);
                  scope.declare(
                      row,
                      Type.prim(PrimType.I32),
                      new Expr.Load(from.block(), PrimType.I32, word),
                      square);
                  rows.add(new Expr.Var(row, PrimType.I32));
                }
                for (int c = 0; c < n; c++) {
                  Expr column = new Expr.Const(PrimValue.ofInt(PrimType.I32, 0));
                  for (int r = 0; r < n; r++) {
                    Expr moved = bits(BinOp.Kind.LSHR, rows.get(r), width * c);
                    Expr element = bits(BinOp.Kind.AND, moved, (1 << width) - 1);
                    Expr placed = bits(BinOp.Kind.SHL, element, width * r);
                    column =
                        new Expr.Binary(new BinOp(BinOp.Kind.OR, PrimType.I32), column, placed);
                  }
                  Poly at = x.times(pitch).plus(y).plus(Poly.of((long) c * plane));
                  square.add(new Code.Store(shared, PrimType.I32, at, column));
                }
                Expr inside = isInside(tile, x.times(n), y.times(n));
                code.add(new Code.If(inside, square, List.of()));
              },
              one);
          one.add(new Code.Barrier());
          share(
              k,
              (long) n << LOG_TILE,
              (t, code) -> {
                Poly y = low(t, Poly.of(SIDE - 1), code);
                Poly row = high(t, Poly.of(LOG_SIDE), code);
                Poly x = high(row, log, code);
                Poly c = row.minus(x.times(n));
                List<Code> give = new ArrayList<>();
                Poly word = high(target(tile, row, y.times(n)), log, give);
                Poly at = c.times(plane).plus(x.times(pitch)).plus(y);
                Expr found = new Expr.Load(shared, PrimType.I32, at);
                give.add(new Code.Store(to.block(), PrimType.I32, word, found));
                code.add(new Code.If(isInside(tile, row, y.times(n)), give, List.of()));
              },
              one);
          one.add(new Code.Barrier());
        },
        out);
  }
}
