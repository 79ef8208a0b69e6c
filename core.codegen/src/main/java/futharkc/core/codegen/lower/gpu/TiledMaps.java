package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.memory.ReadOffsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of maps that read along one dimension and whose results are contiguous along another,
 * as after the fusion of a transpose. Thread blocks process tiles. Adjacent threads evaluate the
 * body along the first dimension. The results go to shared memory, from which adjacent threads
 * store them along the second dimension. Results of less than 32 bits are stored several to a word.
 */
final class TiledMaps {
  private static final PrimType WORD = PrimType.I32;

  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final LoopNest nest;
  private final Tile tile;

  TiledMaps(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.tile =
        new Tile(
            scope.number(KernelOptions.MAP_WIDTH),
            scope.number(KernelOptions.MAP_HEIGHT),
            scope.number(KernelOptions.MAP_THREADS),
            scope.number(KernelOptions.MAP_LEAST),
            scope.number(KernelOptions.MAP_STATEMENTS));
  }

  /**
   * The tiles of maps that read along one dimension and write along another.
   *
   * @param width the elements of a tile in the dimension of the body's reads, a power of two
   * @param height the elements of a tile in the dimension of the results' writes, a power of two
   * @param threads the threads per block
   * @param least the minimum sizes of both dimensions
   * @param statements the maximum number of statements of a body that is emitted twice
   */
  private record Tile(int width, int height, int threads, int least, int statements) {}

  /**
   * The two dimensions of a tiled map.
   *
   * @param read the dimension along which the body reads
   * @param write the dimension along which results are contiguous, except those that are contiguous
   *     along {@code read}
   */
  private record Order(int read, int write) {}

  /**
   * Lowers a map by tiles, if tiles pay off.
   *
   * @param plain the map without tiles, for small sizes
   * @return true if the map has been lowered
   */
  boolean lower(Stm s, SegOp.SegMap m, List<Code> plain, List<Code> out) {
    Order order = order(s, m);
    if (order == null) {
      return false;
    }
    List<SegSpace.Dim> dims = m.space().dims();
    List<Code> tiled = new ArrayList<>();
    new Tiles(s, m, order).lower(tiled);
    Expr isLarge =
        Expr.atMost(
            Expr.i64(scope.number(KernelOptions.TILE_ELEMENTS)), new Expr.Index(nest.size(dims)));
    Expr areLong = Expr.and(isLong(dims.get(order.read)), isLong(dims.get(order.write)));
    Expr isWorthIt = Expr.and(isLarge, areLong);
    out.add(new Code.If(isWorthIt, tiled, plain));
    return true;
  }

  private Expr isLong(SegSpace.Dim d) {
    return Expr.atMost(Expr.i64(tile.least()), new Expr.Index(scope.poly(d.size())));
  }

  // Choice of dimensions

  private @Nullable Order order(Stm s, SegOp.SegMap m) {
    List<SegSpace.Dim> dims = m.space().dims();
    if (dims.size() < 2 || !(m.level() instanceof SegLevel.Thread t) || t.grid() != null) {
      return null;
    }
    if (!isPlain(m)) {
      return null;
    }
    int read = read(m, dims);
    int write = -1;
    for (int j = 0; j < m.types().size(); j++) {
      if (!(m.body().results().get(j) instanceof SegResult.Returns)) {
        return null;
      }
      if (!(s.pat().get(j).type() instanceof Type.Array a) || a.shape().size() != dims.size()) {
        return null;
      }
      int along = along(a, dims.size());
      if (along < 0 || along != read && write >= 0 && along != write) {
        return null;
      }
      if (along != read) {
        write = along;
      }
    }
    return write < 0 ? null : new Order(read, write);
  }

  /** Tests whether a body has no loops, calls or memory operations. */
  private static boolean isPlain(SegOp.SegMap m) {
    boolean[] plain = {true};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        plain[0] &= !(e instanceof MemOp || e instanceof Exp.Loop || e instanceof Exp.Apply);
        return super.exp(e);
      }
    }.stms(m.body().stms());
    return plain[0];
  }

  /** Returns the dimension in which the array is contiguous; a negative number if there is none. */
  private static int along(Type.Array a, int rank) {
    ArrayMem mem = FunctionSymbols.mem(a);
    for (int d = rank - 1; d >= 0; d--) {
      if (mem.lmad().dims().get(d).stride().equals(Poly.ONE)) {
        return d;
      }
    }
    return -1;
  }

  /**
   * Returns the last dimension if the body reads along it, else the dimension along which most of
   * its reads are contiguous.
   */
  private int read(SegOp.SegMap m, List<SegSpace.Dim> dims) {
    int[] reads = new int[dims.size()];
    for (Poly at : ReadOffsets.of(m.body().stms(), n -> scope.mem(n).lmad())) {
      for (int d = 0; d < dims.size(); d++) {
        if (ReadOffsets.stride(at, dims.get(d).index()).equals(Poly.ONE)) {
          reads[d]++;
        }
      }
    }
    int last = dims.size() - 1;
    int most = last;
    if (reads[last] == 0) {
      for (int d = 0; d < last; d++) {
        if (reads[d] > reads[most]) {
          most = d;
        }
      }
    }
    return most;
  }

  // Tiles

  /** The tiles of one map. */
  private final class Tiles {
    private final Stm stm;
    private final SegOp.SegMap map;
    private final List<SegSpace.Dim> dims;
    private final SegSpace.Dim read;
    private final SegSpace.Dim write;
    private final Order order;

    Tiles(Stm stm, SegOp.SegMap map, Order order) {
      this.stm = stm;
      this.map = map;
      this.dims = map.space().dims();
      this.order = order;
      this.read = dims.get(order.read);
      this.write = dims.get(order.write);
    }

    void lower(List<Code> out) {
      Name across = tiles(write, tile.height(), out);
      Name along = tiles(read, tile.width(), out);
      List<SegSpace.Dim> space = new ArrayList<>(dims);
      space.remove(read);
      space.remove(write);
      Name tileA = scope.names.fresh("tile");
      Name tileB = scope.names.fresh("tile");
      space.add(new SegSpace.Dim(tileA, SubExp.of(across)));
      space.add(new SegSpace.Dim(tileB, SubExp.of(along)));
      Poly total = nest.size(space);
      Kernels.Grid grid = kernels.grid(Expr.i64(tile.threads()), null);
      kernels.launch(
          "segmap_tiled",
          ExecutionUnit.THREAD,
          grid.blocks(new Expr.Index(total)),
          grid.threads(),
          (k, code) -> {
            List<Name> shared = new ArrayList<>();
            for (PatElem p : stm.pat()) {
              shared.add(shared(k, p));
            }
            kernels.forBlocks(
                k,
                total,
                (number, one) -> {
                  nest.decompose(space, number, one);
                  Poly firstRead = Poly.of(tileB).times(tile.width());
                  Poly firstWrite = Poly.of(tileA).times(tile.height());
                  List<Code> read = new ArrayList<>();
                  boolean isSmall = evaluate(k, shared, firstRead, firstWrite, read);
                  List<Code> written = new ArrayList<>();
                  store(k, shared, firstRead, firstWrite, written);
                  if (isSmall && perWord() > 1) {
                    inWords(k, shared, firstRead, firstWrite, read, written, one);
                    return;
                  }
                  one.addAll(read);
                  one.add(new Code.Barrier());
                  one.addAll(written);
                  one.add(new Code.Barrier());
                },
                code);
          },
          out);
    }

    private Name tiles(SegSpace.Dim d, int side, List<Code> out) {
      Expr size = new Expr.Index(scope.poly(d.size()));
      return kernels.let("tiles", Expr.binary(BinOp.Kind.SDIV_UP, size, Expr.i64(side)), out);
    }

    private Name shared(KernelFrame k, PatElem p) {
      PrimType elem = p.type().elemPrim();
      long elements = (long) tile.height() * pitch(elem) * elem.bytes();
      long words = (long) tile.width() * column() * WORD.bytes();
      return k.shared("tile", Poly.of(perWord() > 1 ? Math.max(elements, words) : elements));
    }

    /**
     * Returns the row length in shared memory, padded so that adjacent elements of rows and columns
     * are in different banks.
     */
    private int pitch(PrimType elem) {
      return tile.width() + Math.max(1, 4 / elem.bytes());
    }

    private boolean isDirect(int result) {
      return along((Type.Array) stm.pat().get(result).type(), dims.size()) == order.read;
    }

    /**
     * Evaluates the map's body at the positions of a tile.
     *
     * @return true if the body is so small that it appears twice, without tests for whole tiles
     */
    private boolean evaluate(
        KernelFrame k, List<Name> shared, Poly firstRead, Poly firstWrite, List<Code> out) {
      List<Code> some = new ArrayList<>();
      int[] count = {0};
      share(
          k,
          (t, code) -> {
            Poly x = bits(t, 0, tile.width(), code);
            Poly y = bits(t, log(tile.width()), tile.height(), code);
            List<Code> one = new ArrayList<>();
            body(shared, x, y, firstRead, firstWrite, one);
            count[0] = one.size();
            code.add(new Code.If(isInside(x, y, firstRead, firstWrite), one, List.of()));
          },
          some);
      if (count[0] > tile.statements()) {
        out.addAll(some);
        return false;
      }
      List<Code> whole = new ArrayList<>();
      share(
          k,
          (t, code) -> {
            Poly x = bits(t, 0, tile.width(), code);
            Poly y = bits(t, log(tile.width()), tile.height(), code);
            body(shared, x, y, firstRead, firstWrite, code);
          },
          whole);
      Poly lastX = Poly.of(tile.width() - 1);
      Poly lastY = Poly.of(tile.height() - 1);
      out.add(new Code.If(isInside(lastX, lastY, firstRead, firstWrite), whole, some));
      return true;
    }

    /** Evaluates the map's body at a position of a tile, and stores all results. */
    private void body(
        List<Name> shared, Poly x, Poly y, Poly firstRead, Poly firstWrite, List<Code> out) {
      List<SubExp> results = body(x, y, firstRead, firstWrite, out);
      for (int j = 0; j < results.size(); j++) {
        if (isDirect(j)) {
          continue;
        }
        PrimType elem = stm.pat().get(j).type().elemPrim();
        Poly slot = y.times(pitch(elem)).plus(x);
        out.add(new Code.Store(shared.get(j), elem, slot, scope.expr(results.get(j))));
      }
    }

    /**
     * Evaluates the map's body at a position of a tile, and stores the results that are contiguous
     * along the read dimension.
     */
    private List<SubExp> body(Poly x, Poly y, Poly firstRead, Poly firstWrite, List<Code> out) {
      scope.declare(read.index(), Type.I64, new Expr.Index(firstRead.plus(x)), out);
      scope.declare(write.index(), Type.I64, new Expr.Index(firstWrite.plus(y)), out);
      List<SubExp> results = map.body().values();
      statements.lower(map.body().stms(), results, List.of(), out);
      for (int j = 0; j < results.size(); j++) {
        if (isDirect(j)) {
          arrays.storeAt(List.of(stm.pat().get(j)), dims, List.of(results.get(j)), out);
        }
      }
      return results;
    }

    // Words

    /**
     * Returns the number of adjacent results per word; more than one only if all results that are
     * stored across have the same size below 32 bits.
     */
    private int perWord() {
      int bytes = 0;
      for (int j = 0; j < stm.pat().size(); j++) {
        if (isDirect(j)) {
          continue;
        }
        int each = stm.pat().get(j).type().elemPrim().bytes();
        if (bytes != 0 && bytes != each) {
          return 1;
        }
        bytes = each;
      }
      return Math.max(1, WORD.bytes() / bytes);
    }

    /**
     * Returns the words of a column of a tile, plus one, so that adjacent words are in different
     * banks.
     */
    private int column() {
      return tile.height() / perWord() + 1;
    }

    /**
     * Lowers a tile by words if the tile is whole and its columns are aligned to words: a thread
     * evaluates the body at all positions of a word.
     *
     * @param read the alternative code that evaluates the body
     * @param written the alternative code that stores its results
     */
    private void inWords(
        KernelFrame k,
        List<Name> shared,
        Poly firstRead,
        Poly firstWrite,
        List<Code> read,
        List<Code> written,
        List<Code> out) {
      int perWord = perWord();
      List<Expr> tests = new ArrayList<>();
      tests.add(
          isInside(Poly.of(tile.width() - 1), Poly.of(tile.height() - 1), firstRead, firstWrite));
      List<Poly> firsts = new ArrayList<>();
      List<Poly> steps = new ArrayList<>();
      for (int j = 0; j < stm.pat().size(); j++) {
        if (isDirect(j)) {
          firsts.add(Poly.ZERO);
          steps.add(Poly.ZERO);
          continue;
        }
        ArrayMem to = FunctionSymbols.mem(stm.pat().get(j).type());
        Poly at = scope.place(to.lmad().index(index(firstRead, firstWrite)));
        Poly next = scope.place(to.lmad().index(index(firstRead.plus(Poly.ONE), firstWrite)));
        firsts.add(word(at, perWord, tests, out));
        steps.add(word(next.minus(at), perWord, tests, out));
      }
      Name isInWords = scope.names.fresh("words");
      scope.declare(isInWords, Type.BOOL, Expr.all(tests), out);
      Expr inWords = new Expr.Var(isInWords, PrimType.BOOL);
      List<Code> readWords = new ArrayList<>();
      int count = tile.height() / perWord;
      share(
          k,
          (long) tile.width() * count,
          (t, code) -> {
            Poly x = bits(t, 0, tile.width(), code);
            Poly y = bits(t, log(tile.width()), count, code);
            words(shared, x, y, firstRead, firstWrite, code);
          },
          readWords);
      List<Code> writtenWords = new ArrayList<>();
      share(
          k,
          (long) tile.width() * count,
          (t, code) -> {
            Poly y = bits(t, 0, count, code);
            Poly x = bits(t, log(count), tile.width(), code);
            for (int j = 0; j < stm.pat().size(); j++) {
              if (isDirect(j)) {
                continue;
              }
              Expr value = new Expr.Load(shared.get(j), WORD, x.times(column()).plus(y));
              Poly at = firsts.get(j).plus(x.times(steps.get(j))).plus(y);
              code.add(
                  new Code.Store(
                      FunctionSymbols.mem(stm.pat().get(j).type()).block(), WORD, at, value));
            }
          },
          writtenWords);
      out.add(new Code.If(inWords, readWords, read));
      out.add(new Code.Barrier());
      out.add(new Code.If(inWords, writtenWords, written));
      out.add(new Code.Barrier());
    }

    /** Returns a number of elements in words, and adds a test that it is a whole number. */
    private Poly word(Poly elements, int perWord, List<Expr> tests, List<Code> out) {
      Expr rest = Expr.binary(BinOp.Kind.AND, new Expr.Index(elements), Expr.i64(perWord - 1L));
      tests.add(Expr.atMost(rest, Expr.i64(0)));
      Expr words = Expr.binary(BinOp.Kind.ASHR, new Expr.Index(elements), Expr.i64(log(perWord)));
      return Poly.of(kernels.let("word", words, out));
    }

    /** Evaluates the body at the positions of a word. */
    private void words(
        List<Name> shared, Poly x, Poly y, Poly firstRead, Poly firstWrite, List<Code> out) {
      int perWord = perWord();
      List<Name> words = new ArrayList<>();
      for (int j = 0; j < stm.pat().size(); j++) {
        words.add(scope.names.fresh("word"));
        scope.declare(words.get(j), Type.prim(WORD), Expr.zero(WORD), out);
      }
      for (int l = 0; l < perWord; l++) {
        List<Code> one = new ArrayList<>();
        Poly place = y.times(perWord).plus(Poly.of(l));
        List<SubExp> results = body(x, place, firstRead, firstWrite, one);
        for (int j = 0; j < results.size(); j++) {
          if (isDirect(j)) {
            continue;
          }
          Expr bits = bits(scope.expr(results.get(j)), l);
          Expr now = new Expr.Var(words.get(j), WORD);
          Expr all = new Expr.Binary(new BinOp(BinOp.Kind.OR, WORD), now, bits);
          one.add(new Code.Assign(words.get(j), all));
        }
        out.add(new Code.Scope(one));
      }
      for (int j = 0; j < words.size(); j++) {
        if (isDirect(j)) {
          continue;
        }
        Expr word = new Expr.Var(words.get(j), WORD);
        out.add(new Code.Store(shared.get(j), WORD, x.times(column()).plus(y), word));
      }
    }

    /** Returns the bits of a value, shifted to its position in a word. */
    private Expr bits(Expr value, int number) {
      PrimType type = value.type();
      ConvOp widen = new ConvOp(ConvOp.Kind.ZEXT, AtomicUpdates.width(type), WORD);
      Expr wide = new Expr.Convert(widen, AtomicUpdates.toBits(value, type));
      Expr by = new Expr.Const(PrimValue.ofInt(WORD, 8L * type.bytes() * number));
      return number == 0 ? wide : new Expr.Binary(new BinOp(BinOp.Kind.SHL, WORD), wide, by);
    }

    private List<Poly> index(Poly alongRead, Poly alongWrite) {
      List<Poly> index = new ArrayList<>();
      for (SegSpace.Dim d : dims) {
        index.add(d == read ? alongRead : d == write ? alongWrite : Poly.of(d.index()));
      }
      return index;
    }

    private void store(
        KernelFrame k, List<Name> shared, Poly firstRead, Poly firstWrite, List<Code> out) {
      share(
          k,
          (t, code) -> {
            Poly y = bits(t, 0, tile.height(), code);
            Poly x = bits(t, log(tile.height()), tile.width(), code);
            List<Poly> index = index(firstRead.plus(x), firstWrite.plus(y));
            List<Code> stores = new ArrayList<>();
            for (int j = 0; j < stm.pat().size(); j++) {
              if (isDirect(j)) {
                continue;
              }
              PatElem p = stm.pat().get(j);
              PrimType elem = p.type().elemPrim();
              ArrayMem to = FunctionSymbols.mem(p.type());
              Expr value = new Expr.Load(shared.get(j), elem, y.times(pitch(elem)).plus(x));
              stores.add(
                  new Code.Store(to.block(), elem, scope.place(to.lmad().index(index)), value));
            }
            code.add(new Code.If(isInside(x, y, firstRead, firstWrite), stores, List.of()));
          },
          out);
    }

    private interface Element {
      void add(Name number, List<Code> out);
    }

    private void share(KernelFrame k, Element body, List<Code> out) {
      share(k, (long) tile.width() * tile.height(), body, out);
    }

    private void share(KernelFrame k, long count, Element body, List<Code> out) {
      kernels.attempt(
          c ->
              kernels.strided(k.acrossBlock(Poly.of(tile.threads())), Poly.of(count), body::add, c),
          out);
    }

    private static int log(int powerOfTwo) {
      return Integer.numberOfTrailingZeros(powerOfTwo);
    }

    /** Returns some bits of a number. */
    private Poly bits(Name number, int from, int limit, List<Code> out) {
      Expr high = Expr.binary(BinOp.Kind.ASHR, Expr.i64(number), Expr.i64(from));
      Expr low = Expr.binary(BinOp.Kind.AND, high, Expr.i64(limit - 1));
      return Poly.of(kernels.let("bits", low, out));
    }

    private Expr isInside(Poly x, Poly y, Poly firstRead, Poly firstWrite) {
      return Expr.and(
          Expr.less(new Expr.Index(firstRead.plus(x)), new Expr.Index(scope.poly(read.size()))),
          Expr.less(new Expr.Index(firstWrite.plus(y)), new Expr.Index(scope.poly(write.size()))));
    }
  }
}
