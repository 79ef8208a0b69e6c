package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Space;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Communication between the thread blocks of a scan by decoupled look-back (Merrill and Garland,
 * 2016). Each thread block takes the next tile, so that all earlier tiles have begun. It publishes
 * the aggregate of its tile, and after the look-back its inclusive prefix. A look-back combines
 * aggregates of earlier tiles until it finds a prefix, and waits only for tiles that have published
 * neither. A thread block with failed threads publishes values as well.
 */
final class LookBack {
  // The states of a tile; zero means that the tile has published nothing.
  private static final int AGGREGATE = 1;
  private static final int PREFIX = 2;

  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final List<PrimType> types;

  /**
   * A block with the number of tiles taken, in 32 bits, followed by the words of each tile, in 64
   * bits. The upper half of a word is {@link #AGGREGATE}, {@link #PREFIX} or zero, the lower half
   * is 32 bits of a value. A word is accessed atomically and needs no fence. Words of a tile with
   * the same state belong to the same value.
   */
  private final Name words;

  private final Poly tiles;
  private final @Nullable Expr apart;
  private final int pieces;

  /**
   * Allocates the words.
   *
   * @param apart an expression for whether tiles consist of whole segments, so that no tile needs
   *     another's result; null if they never do
   */
  LookBack(
      FunctionSymbols scope,
      Kernels kernels,
      List<PrimType> types,
      Poly tiles,
      @Nullable Expr apart,
      List<Code> out) {
    this.scope = scope;
    this.kernels = kernels;
    this.types = types;
    this.tiles = tiles;
    this.pieces = types.stream().mapToInt(LookBack::pieces).sum();
    this.apart = apart;
    Name count = kernels.let("count", new Expr.Index(tiles.times(pieces).plus(Poly.ONE)), out);
    if (apart != null) {
      out.add(new Code.If(apart, List.of(new Code.Assign(count, Expr.i64(1))), List.of()));
    }
    words = scope.names.fresh("words");
    scope.add(words, new Type.Mem(new Space.Device()));
    Expr bytes = new Expr.Index(Poly.of(count).times(8));
    out.add(new Code.Alloc(words, PrimType.I8, bytes, scope.loc()));
    List<Code> clear = new ArrayList<>();
    kernels.forEach(
        "segscan_words",
        Poly.of(count),
        (i, code) -> code.add(new Code.Store(words, PrimType.I64, Poly.of(i), Expr.i64(0))),
        clear);
    if (apart == null) {
      out.addAll(clear);
    } else {
      out.add(new Code.If(apart, List.of(), clear));
    }
  }

  /** Returns an expression for whether no tile needs another's result. */
  Expr areApart() {
    return apart == null ? Expr.bool(false) : apart;
  }

  private static int pieces(PrimType t) {
    return t.bytes() == 8 ? 2 : 1;
  }

  void free(List<Code> out) {
    out.add(new Code.Free(words, PrimType.I8, List.of()));
  }

  private Poly place(int piece, Name tile) {
    return tiles.times(piece).plus(Poly.of(tile)).plus(Poly.ONE);
  }

  private static Expr int32(int value) {
    return new Expr.Const(PrimValue.ofInt(PrimType.I32, value));
  }

  private static Expr convert(Expr e, PrimType from, PrimType to) {
    return from == to ? e : new Expr.Convert(new ConvOp(ConvOp.Kind.ZEXT, from, to), e);
  }

  private static Expr upper(Expr word) {
    return Expr.binary(BinOp.Kind.LSHR, word, Expr.i64(32));
  }

  private static Expr lower(Expr word) {
    return Expr.binary(BinOp.Kind.AND, word, Expr.i64(0xffffffffL));
  }

  /**
   * Takes the next tile for a thread block; if no tile needs another's result, the tile with the
   * thread block's index.
   *
   * @return the number of the tile
   */
  Name ticket(KernelFrame k, List<Code> out) {
    Name ticket = k.shared("ticket", Poly.of(4));
    Name old = scope.names.fresh("old");
    Expr taken = new Expr.Var(old, PrimType.I32);
    List<Code> take =
        List.of(
            new Code.Atomic(old, Code.AtomicOp.ADD, words, PrimType.I32, Poly.ZERO, int32(1)),
            new Code.Store(ticket, PrimType.I32, Poly.ZERO, taken));
    if (apart != null) {
      Expr block = convert(Expr.i64(k.block), PrimType.I64, PrimType.I32);
      List<Code> own = List.of(new Code.Store(ticket, PrimType.I32, Poly.ZERO, block));
      take = List.of(new Code.If(apart, own, take));
    }
    out.add(new Code.If(k.isFirst(), take, List.of()));
    out.add(new Code.Barrier());
    Expr own = new Expr.Load(ticket, PrimType.I32, Poly.ZERO);
    return kernels.let("tile", convert(own, PrimType.I32, PrimType.I64), out);
  }

  /**
   * Publishes the aggregate or prefix of a tile, by code for one thread.
   *
   * @param isPrefix an expression for whether the values are a prefix: no earlier tile contributes
   *     to them
   */
  void publish(Name tile, Expr isPrefix, List<Expr> values, List<Code> out) {
    ConvOp asNumber = new ConvOp(ConvOp.Kind.BTOI, PrimType.BOOL, PrimType.I64);
    Expr state =
        Expr.binary(BinOp.Kind.ADD, new Expr.Convert(asNumber, isPrefix), Expr.i64(AGGREGATE));
    Expr head = Expr.binary(BinOp.Kind.SHL, state, Expr.i64(32));
    Expr shifted = Expr.i64(kernels.let("head", head, out));
    int piece = 0;
    for (int j = 0; j < types.size(); j++) {
      PrimType t = types.get(j);
      Expr number =
          convert(AtomicUpdates.toBits(values.get(j), t), AtomicUpdates.width(t), PrimType.I64);
      Expr bits = Expr.i64(kernels.let("bits", number, out));
      for (int h = 0; h < pieces(t); h++) {
        Expr half = h == 0 ? lower(bits) : upper(bits);
        Expr word = Expr.binary(BinOp.Kind.OR, shifted, half);
        out.add(new Code.VolatileStore(words, PrimType.I64, place(piece++, tile), word));
      }
    }
  }

  /**
   * Combines the carry with the results of all earlier tiles. All threads of a thread block run the
   * code: a few look back, and the others wait at a barrier.
   *
   * @param theirs accumulators for the results of earlier tiles
   * @param carry the values after the earlier tiles on entry, the combination on exit
   */
  void collect(
      KernelFrame k, ThreadAccumulators theirs, Name tile, List<Name> carry, List<Code> out) {
    int width = scope.number(KernelOptions.SHUFFLED);
    int most = width == 1 ? scope.number(KernelOptions.WARP) : width;
    Expr some = Expr.binary(BinOp.Kind.SMIN, Expr.i64(k.threads), Expr.i64(most));
    Name looking = kernels.let("looking", some, out);
    Name seen = k.shared("seen", Poly.of(width == 1 ? 4L * most : 4));
    Name end = kernels.let("end", Expr.i64(tile), out);
    Name more = scope.names.fresh("more");
    out.add(new Code.Declare(more, PrimType.BOOL, Expr.bool(true)));
    List<Code> loop = new ArrayList<>();
    theirs.reset(loop);
    Name state = scope.names.fresh("state");
    loop.add(new Code.Declare(state, PrimType.I32, int32(PREFIX)));
    Poly farthest = Poly.of(end).minus(Poly.of(looking));
    List<Code> look = new ArrayList<>();
    Poly place = farthest.plus(Poly.of(k.thread));
    look(theirs, kernels.let("number", new Expr.Index(place), look), state, look);
    loop.add(new Code.If(Expr.less(Expr.i64(k.thread), Expr.i64(looking)), look, List.of()));
    if (width == 1) {
      merge(k, theirs, looking, seen, state, loop);
    } else {
      mergeShuffled(k, theirs, looking, seen, state, width, loop);
    }
    theirs.set(theirs.published(Poly.ZERO), loop);
    List<Expr> after = new ArrayList<>();
    for (int j = 0; j < types.size(); j++) {
      after.add(new Expr.Var(carry.get(j), types.get(j)));
    }
    kernels.attempt(c -> theirs.append(after, c), loop);
    List<Expr> values = theirs.values();
    for (int j = 0; j < types.size(); j++) {
      loop.add(new Code.Assign(carry.get(j), values.get(j)));
    }
    loop.add(new Code.Assign(end, new Expr.Index(farthest)));
    loop.add(new Code.Assign(more, is(AGGREGATE, new Expr.Load(seen, PrimType.I32, Poly.ZERO))));
    loop.add(new Code.Barrier());
    out.add(new Code.While(more, loop));
  }

  private static Expr is(int state, Expr value) {
    return new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I32), value, int32(state));
  }

  /**
   * Combines the results that adjacent threads have found; results before a prefix do not count.
   * Afterwards, the first thread has the combination, and all threads can read it.
   */
  private void merge(
      KernelFrame k,
      ThreadAccumulators theirs,
      Name looking,
      Name seen,
      Name state,
      List<Code> out) {
    Poly thread = Poly.of(k.thread);
    Code show = new Code.Store(seen, PrimType.I32, thread, new Expr.Var(state, PrimType.I32));
    Expr isLooking = Expr.less(Expr.i64(k.thread), Expr.i64(looking));
    out.add(new Code.If(isLooking, List.of(show), List.of()));
    theirs.publish(out);
    out.add(new Code.Barrier());
    kernels.doubling(
        Poly.of(looking),
        (stride, code) -> {
          Poly later = thread.plus(Poly.of(stride));
          List<Code> only = new ArrayList<>();
          theirs.set(theirs.published(later), only);
          only.add(new Code.Store(seen, PrimType.I32, thread, int32(PREFIX)));
          List<Code> both = new ArrayList<>();
          kernels.attempt(c -> theirs.append(theirs.published(later), c), both);
          List<Code> take = new ArrayList<>();
          take.add(new Code.If(is(PREFIX, new Expr.Load(seen, PrimType.I32, later)), only, both));
          theirs.publish(take);
          code.add(new Code.If(takesPart(k, looking, stride), take, List.of()));
          code.add(new Code.Barrier());
        },
        out);
  }

  /** Combines the results that adjacent threads have found, as {@code merge} does, by shuffles. */
  private void mergeShuffled(
      KernelFrame k,
      ThreadAccumulators theirs,
      Name looking,
      Name seen,
      Name state,
      int width,
      List<Code> out) {
    Expr own = new Expr.Var(state, PrimType.I32);
    kernels.doubling(
        Poly.of(width),
        (stride, code) -> {
          List<Expr> values = theirs.shuffled(Expr.i64(stride), width, code);
          Name later = scope.names.fresh("later");
          code.add(new Code.Shuffle(later, PrimType.I32, own, Expr.i64(stride), width));
          List<Code> only = new ArrayList<>();
          theirs.set(values, only);
          only.add(new Code.Assign(state, int32(PREFIX)));
          List<Code> both = new ArrayList<>();
          kernels.attempt(c -> theirs.append(values, c), both);
          Code take = new Code.If(is(PREFIX, new Expr.Var(later, PrimType.I32)), only, both);
          code.add(new Code.If(takesPart(k, looking, stride), List.of(take), List.of()));
        },
        out);
    List<Code> show = new ArrayList<>();
    show.add(new Code.Store(seen, PrimType.I32, Poly.ZERO, own));
    theirs.publish(Poly.ZERO, show);
    out.add(new Code.If(k.isFirst(), show, List.of()));
    out.add(new Code.Barrier());
  }

  /**
   * Returns an expression for whether a thread combines its result with that of the thread at a
   * stride.
   */
  private static Expr takesPart(KernelFrame k, Name looking, Name stride) {
    Poly later = Poly.of(k.thread).plus(Poly.of(stride));
    Expr mask = new Expr.Index(Poly.of(stride).times(2).minus(Poly.ONE));
    Expr low = Expr.binary(BinOp.Kind.AND, Expr.i64(k.thread), mask);
    return Expr.and(
        Expr.atMost(low, Expr.i64(0)), Expr.less(new Expr.Index(later), Expr.i64(looking)));
  }

  /** Waits for the result of a tile. Before the first tile, the result is the neutral element. */
  private void look(ThreadAccumulators theirs, Name number, Name seen, List<Code> out) {
    List<Code> inside = new ArrayList<>();
    Name state = scope.names.fresh("state");
    inside.add(new Code.Declare(state, PrimType.I64, Expr.i64(0)));
    List<Name> found = new ArrayList<>();
    for (int p = 0; p < pieces; p++) {
      Name n = scope.names.fresh("found");
      inside.add(new Code.Declare(n, PrimType.I64, Expr.i64(0)));
      found.add(n);
    }
    Name waits = scope.names.fresh("waits");
    inside.add(new Code.Declare(waits, PrimType.BOOL, Expr.bool(true)));
    List<Code> loop = new ArrayList<>();
    for (int p = 0; p < pieces; p++) {
      Name now = scope.names.fresh("now");
      loop.add(new Code.VolatileLoad(now, words, PrimType.I64, place(p, number)));
      loop.add(new Code.Assign(found.get(p), Expr.i64(now)));
    }
    loop.add(new Code.Assign(state, upper(Expr.i64(found.get(0)))));
    Expr isIncomplete = Expr.atMost(Expr.i64(state), Expr.i64(0));
    for (int p = 1; p < pieces; p++) {
      Expr other = upper(Expr.i64(found.get(p)));
      Expr differs = Expr.or(Expr.less(other, Expr.i64(state)), Expr.less(Expr.i64(state), other));
      isIncomplete = Expr.or(isIncomplete, differs);
    }
    loop.add(new Code.Assign(waits, isIncomplete));
    inside.add(new Code.While(waits, loop));
    List<Expr> values = new ArrayList<>();
    int piece = 0;
    for (PrimType t : types) {
      Expr bits = lower(Expr.i64(found.get(piece++)));
      if (pieces(t) == 2) {
        Expr high = Expr.i64(found.get(piece++));
        Expr moved = Expr.binary(BinOp.Kind.SHL, high, Expr.i64(32));
        bits = Expr.binary(BinOp.Kind.OR, bits, moved);
      }
      values.add(AtomicUpdates.fromBits(convert(bits, PrimType.I64, AtomicUpdates.width(t)), t));
    }
    theirs.set(values, inside);
    inside.add(new Code.Assign(seen, convert(Expr.i64(state), PrimType.I64, PrimType.I32)));
    out.add(new Code.If(Expr.atMost(Expr.i64(0), Expr.i64(number)), inside, List.of()));
  }
}
