package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.CopyLoops;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of transposes: copies whose source is contiguous along one dimension and whose target
 * is contiguous along another.
 *
 * <p>Threads read tiles in the order of the source, store them in shared memory, and write them in
 * the order of the target. All loads of a thread overlap.
 *
 * <p>A tile is square. If one side of the matrix is short, a tile has the whole short side and a
 * range of the long side. Elements under four bytes are copied by words, if all sizes and offsets
 * are multiples of a word: a thread transposes a square of elements in registers. Small matrices
 * are copied element by element.
 */
final class Transposes {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final DeviceCopies copies;
  private final PrimType elem;
  private final CopyLoops.Side to;
  private final CopyLoops.Side from;
  private final List<CopyLoops.Dim> dims;
  private final List<CopyLoops.Dim> around = new ArrayList<>();

  /** The dimension in which the source is contiguous. */
  private final CopyLoops.Dim a;

  private final CopyLoops.Dim b;

  /**
   * Creates the lowering of one copy.
   *
   * @param read the dimension in which the source is contiguous
   * @param write the dimension in which the target is contiguous
   */
  Transposes(
      FunctionSymbols scope,
      Kernels kernels,
      DeviceCopies copies,
      PrimType elem,
      CopyLoops.Side to,
      CopyLoops.Side from,
      List<CopyLoops.Dim> dims,
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
    for (int i = 0; i < dims.size(); i++) {
      if (i != read && i != write) {
        around.add(dims.get(i));
      }
    }
  }

  void lower(List<Code> out) {
    List<Code> plain = new ArrayList<>();
    copies.plain(elem, to, from, dims, plain);
    List<Code> square = new ArrayList<>();
    square(square);
    List<Code> elements = square;
    for (boolean ofSource : new boolean[] {false, true}) {
      Poly size = ofSource ? a.size() : b.size();
      if (isMore(size, scope.number(KernelOptions.SHORT_SIDE))) {
        continue;
      }
      List<Code> oblong = new ArrayList<>();
      oblong(ofSource, oblong);
      elements = choose(isAtMost(size, scope.number(KernelOptions.SHORT_SIDE)), oblong, elements);
    }
    List<Code> large = elements;
    if (elem.bytes() < 4) {
      List<Code> words = new ArrayList<>();
      words(words);
      large = List.of(new Code.If(isOfWords(), words, elements));
    }
    Expr isSmall =
        Expr.and(
            isAtMost(a.size(), scope.number(KernelOptions.SMALL_SIDE)),
            isAtMost(b.size(), scope.number(KernelOptions.SMALL_SIDE)));
    boolean never =
        isMore(a.size(), scope.number(KernelOptions.SMALL_SIDE))
            || isMore(b.size(), scope.number(KernelOptions.SMALL_SIDE));
    out.addAll(never ? large : choose(isSmall, plain, large));
  }

  /** Returns a choice of two versions, or only one if the test is constant. */
  private static List<Code> choose(Expr test, List<Code> then, List<Code> otherwise) {
    if (test instanceof Expr.Const c) {
      return c.value().asBoolean() ? then : otherwise;
    }
    return List.of(new Code.If(test, then, otherwise));
  }

  private static Expr isAtMost(Poly size, long limit) {
    Long known = size.constant();
    if (known != null) {
      return Expr.bool(known <= limit);
    }
    return Expr.atMost(new Expr.Index(size), Expr.i64(limit));
  }

  private static boolean isMore(Poly size, long limit) {
    Long known = size.constant();
    return known != null && known > limit;
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

  /**
   * The origin of a tile: its indices, and the offsets in the target and the source at index zero
   * of both dimensions.
   */
  private record Tile(Poly firstA, Poly firstB, Poly toAt, Poly fromAt) {}

  private interface Body {
    void add(KernelFrame k, Name shared, Tile tile, List<Code> out);
  }

  /**
   * Launches a kernel whose thread blocks process tiles.
   *
   * @param width the size of a tile along the source's contiguous dimension
   * @param height the size of a tile along the target's contiguous dimension
   * @param whole the dimension that a tile has whole; null if there is none
   * @param threads the number of threads per thread block
   */
  private void kernel(
      Poly width,
      Poly height,
      CopyLoops.@Nullable Dim whole,
      Poly sharedBytes,
      int threads,
      Body body,
      List<Code> out) {
    Poly tilesA = tiles(a.size(), width, out);
    Poly tilesB = tiles(b.size(), height, out);
    Poly total = tilesA.times(tilesB);
    for (CopyLoops.Dim d : around) {
      total = total.times(d.size());
    }
    Poly all = total;
    Kernels.Grid grid = kernels.grid(Expr.i64(threads), null);
    kernels.launch(
        "transpose",
        ExecutionUnit.BLOCK,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          Name shared = k.shared("tile", sharedBytes);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                List<Poly> sizes = new ArrayList<>();
                for (CopyLoops.Dim d : around) {
                  sizes.add(d.size());
                }
                if (whole != b) {
                  sizes.add(tilesB);
                }
                if (whole != a) {
                  sizes.add(tilesA);
                }
                List<Poly> index = copies.indices(number, sizes, one);
                if (whole == b) {
                  index.add(around.size(), Poly.ZERO);
                }
                if (whole == a) {
                  index.add(Poly.ZERO);
                }
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

  /** Divides numbers below a count among the threads of a thread block. */
  private void share(KernelFrame k, long count, BiConsumer<Poly, List<Code>> body, List<Code> out) {
    kernels.strided(
        k.acrossBlock(Poly.of(scope.number(KernelOptions.WORD_THREADS))),
        Poly.of(count),
        (t, one) -> body.accept(Poly.of(t), one),
        out);
  }

  // Elements

  /**
   * An index within a tile.
   *
   * @param x the index along the source's contiguous dimension
   * @param y the index along the target's contiguous dimension
   */
  private record Index(Poly x, Poly y) {}

  /**
   * The positions of a thread's elements in a tile, by number; code for a position may precede it.
   */
  private interface Places {
    Index get(Poly number, List<Code> before);
  }

  /**
   * Reads a tile. Elements are loaded into thread-private registers, and then stored in shared
   * memory, so that all loads overlap.
   *
   * @param count the number of elements per thread
   * @param places the positions; adjacent threads are adjacent in the source
   * @param slot returns the offset of a position in shared memory
   * @param inside tests whether a position is within the matrix; null if all are
   */
  private void read(
      int count,
      Name shared,
      Tile tile,
      Places places,
      Function<Index, Poly> slot,
      @Nullable Function<Index, Expr> inside,
      List<Code> out) {
    Name own = scope.names.fresh("own");
    out.add(new Code.Private(own, elem, count));
    forEach(
        count,
        places,
        (n, at, code) -> {
          Expr element = new Expr.Load(from.block(), elem, source(tile, at.x, at.y));
          code.add(guarded(new Code.Store(own, elem, n, element), inside, at));
        },
        out);
    forEach(
        count,
        places,
        (n, at, code) -> {
          Expr element = new Expr.Load(own, elem, n);
          code.add(guarded(new Code.Store(shared, elem, slot.apply(at), element), inside, at));
        },
        out);
  }

  /**
   * Writes a tile from shared memory to the target.
   *
   * @param count the number of elements per thread
   * @param places the positions; adjacent threads are adjacent in the target
   * @param slot returns the offset of a position in shared memory
   * @param inside tests whether a position is within the matrix; null if all are
   */
  private void write(
      int count,
      Name shared,
      Tile tile,
      Places places,
      Function<Index, Poly> slot,
      @Nullable Function<Index, Expr> inside,
      List<Code> out) {
    forEach(
        count,
        places,
        (n, at, code) -> {
          Expr element = new Expr.Load(shared, elem, slot.apply(at));
          Poly place = target(tile, at.x, at.y);
          code.add(guarded(new Code.Store(to.block(), elem, place, element), inside, at));
        },
        out);
  }

  private interface Step {
    void add(Poly number, Index at, List<Code> out);
  }

  private void forEach(int count, Places places, Step step, List<Code> out) {
    Name n = scope.names.fresh("n");
    scope.add(n, Type.I64);
    List<Code> code = new ArrayList<>();
    Index at = places.get(Poly.of(n), code);
    step.add(Poly.of(n), at, code);
    Code.Order any = new Code.Order.Independent();
    out.add(new Code.For(n, PrimType.I64, Expr.i64(0), Expr.i64(count), 0, any, code));
  }

  private static Code guarded(Code code, @Nullable Function<Index, Expr> inside, Index at) {
    return inside == null ? code : new Code.If(inside.apply(at), List.of(code), List.of());
  }

  private void square(List<Code> out) {
    int side = scope.number(KernelOptions.TILE_SIDE);
    int threads = scope.number(KernelOptions.TILE_THREADS);
    int rows = threads / side;
    int pitch = side + 1;
    Poly log = Poly.of(Integer.numberOfTrailingZeros(side));
    kernel(
        Poly.of(side),
        Poly.of(side),
        null,
        Poly.of((long) side * pitch * elem.bytes()),
        threads,
        (k, shared, tile, one) -> {
          Poly thread = Poly.of(k.thread);
          Poly low = low(thread, Poly.of(side - 1), one);
          Poly high = high(thread, log, one);
          Places reads = (n, code) -> new Index(low, high.plus(n.times(rows)));
          Places writes = (n, code) -> new Index(high.plus(n.times(rows)), low);
          Function<Index, Poly> slot = at -> at.y.times(pitch).plus(at.x);
          int count = side / rows;
          Function<Index, Expr> inside = at -> isInside(tile, at.x, at.y);
          Poly last = Poly.of(side - 1);
          Name whole = scope.names.fresh("whole");
          Expr isWhole = new Expr.Var(whole, PrimType.BOOL);
          scope.declare(whole, Type.prim(PrimType.BOOL), isInside(tile, last, last), one);
          List<Code> readAll = new ArrayList<>();
          read(count, shared, tile, reads, slot, null, readAll);
          List<Code> readSome = new ArrayList<>();
          read(count, shared, tile, reads, slot, inside, readSome);
          one.add(new Code.If(isWhole, readAll, readSome));
          one.add(new Code.Barrier());
          List<Code> writeAll = new ArrayList<>();
          write(count, shared, tile, writes, slot, null, writeAll);
          List<Code> writeSome = new ArrayList<>();
          write(count, shared, tile, writes, slot, inside, writeSome);
          one.add(new Code.If(isWhole, writeAll, writeSome));
          one.add(new Code.Barrier());
        },
        out);
  }

  /**
   * Copies a matrix with a short side.
   *
   * @param ofSource true if the source's contiguous dimension is short, false if the target's is
   */
  private void oblong(boolean ofSource, List<Code> out) {
    CopyLoops.Dim shortDim = ofSource ? a : b;
    CopyLoops.Dim longDim = ofSource ? b : a;
    Expr least = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(shortDim.size()), Expr.i64(1));
    Poly side = Poly.of(kernels.let("side", least, out));
    // The number of positions of each thread along the long side.
    Expr most =
        Expr.binary(
            BinOp.Kind.SQUOT,
            Expr.i64(scope.number(KernelOptions.SHORT_SIDE)),
            new Expr.Index(side));
    Poly runs = Poly.of(kernels.let("runs", most, out));
    Poly width =
        Poly.of(
            kernels.let(
                "width",
                new Expr.Index(runs.times(scope.number(KernelOptions.SHORT_THREADS))),
                out));
    Expr odd = Expr.binary(BinOp.Kind.OR, new Expr.Index(side), Expr.i64(1));
    Poly pitch = Poly.of(kernels.let("pitch", odd, out));
    SkinnyTransposeTile walks =
        new SkinnyTransposeTile(
            scope,
            kernels,
            scope.number(KernelOptions.SHORT_SIDE),
            scope.number(KernelOptions.SHORT_THREADS),
            side,
            pitch,
            runs);
    SkinnyTransposeTile.Walk reads =
        ofSource
            ? walks.across(longDim.from(), shortDim.from(), out)
            : walks.along(longDim.from(), shortDim.from(), out);
    SkinnyTransposeTile.Walk writes =
        ofSource
            ? walks.along(longDim.to(), shortDim.to(), out)
            : walks.across(longDim.to(), shortDim.to(), out);
    kernel(
        ofSource ? side : width,
        ofSource ? width : side,
        shortDim,
        width.times(pitch).times(elem.bytes()),
        scope.number(KernelOptions.SHORT_THREADS),
        (k, shared, tile, one) -> {
          Poly first = ofSource ? tile.firstB : tile.firstA;
          Poly source = tile.fromAt.plus(first.times(longDim.from()));
          Poly target = tile.toAt.plus(first.times(longDim.to()));
          Poly rest = longDim.size().minus(first);
          Name own = scope.names.fresh("own");
          one.add(new Code.Private(own, elem, scope.number(KernelOptions.SHORT_SIDE)));
          reads.add(
              k.thread,
              rest,
              source,
              (n, at, slot) -> new Code.Store(own, elem, n, new Expr.Load(from.block(), elem, at)),
              one);
          reads.add(
              k.thread,
              rest,
              source,
              (n, at, slot) -> new Code.Store(shared, elem, slot, new Expr.Load(own, elem, n)),
              one);
          one.add(new Code.Barrier());
          writes.add(
              k.thread,
              rest,
              target,
              (n, at, slot) ->
                  new Code.Store(to.block(), elem, at, new Expr.Load(shared, elem, slot)),
              one);
          one.add(new Code.Barrier());
        },
        out);
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

  // Words

  /** Returns an expression for whether rows and columns of both sides are whole words. */
  private Expr isOfWords() {
    List<Poly> all = new ArrayList<>(List.of(a.size(), b.size(), b.from(), a.to()));
    all.add(to.offset());
    all.add(from.offset());
    for (CopyLoops.Dim d : around) {
      all.add(d.from());
      all.add(d.to());
    }
    Expr bits = Expr.i64(0);
    for (Poly p : all) {
      bits = Expr.binary(BinOp.Kind.OR, bits, new Expr.Index(p));
    }
    Expr rest = Expr.binary(BinOp.Kind.AND, bits, Expr.i64(4 / elem.bytes() - 1));
    Expr isLong =
        Expr.and(
            Expr.less(Expr.i64(scope.number(KernelOptions.SHORT_SIDE)), new Expr.Index(a.size())),
            Expr.less(Expr.i64(scope.number(KernelOptions.SHORT_SIDE)), new Expr.Index(b.size())));
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
    int wide = scope.number(KernelOptions.WORD_SIDE);
    Poly logSide = Poly.of(Integer.numberOfTrailingZeros(wide));
    int pitch = wide + 1;
    int plane = wide * pitch;
    Poly side = Poly.of((long) n * wide);
    kernel(
        side,
        side,
        null,
        Poly.of(4L * n * plane),
        scope.number(KernelOptions.WORD_THREADS),
        (k, shared, tile, one) -> {
          share(
              k,
              (long) wide * wide,
              (t, code) -> {
                Poly x = low(t, Poly.of(wide - 1), code);
                Poly y = high(t, logSide, code);
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
              (long) n * wide * wide,
              (t, code) -> {
                Poly y = low(t, Poly.of(wide - 1), code);
                Poly row = high(t, logSide, code);
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
