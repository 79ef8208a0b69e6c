package futharkc.core.codegen.lower;

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

/**
 * What the blocks of a scan tell each other: decoupled look-back. Each takes the next tile, so that
 * those before it have begun; it publishes what its tile comes to, its aggregate, and when it has
 * looked at those before, what all tiles up to it come to, its prefix. A block looks back until it
 * finds a prefix, and waits only for tiles of which there is neither. A block some of whose threads
 * have failed publishes all the same.
 */
final class LookBack {
  /** How many tiles are looked at at a time, at most: as many threads do it. */
  private static final int LANES = 32;

  // What there is of a tile.
  private static final int NOTHING = 0;
  private static final int AGGREGATE = 1;
  private static final int PREFIX = 2;

  private final Scope scope;
  private final Kernels kernels;
  private final List<PrimType> types;

  /** How many tiles have been taken, and what there is of each. */
  private final Name states;

  private final List<Name> aggregates = new ArrayList<>();
  private final List<Name> prefixes = new ArrayList<>();

  /** Allocates what a scan needs. */
  LookBack(Scope scope, Kernels kernels, List<PrimType> types, Poly tiles, List<Code> out) {
    this.scope = scope;
    this.kernels = kernels;
    this.types = types;
    Poly count = tiles.plus(Poly.ONE);
    states = allocate("states", count.times(4), out);
    for (PrimType t : types) {
      aggregates.add(allocate("aggregates", tiles.times(t.bytes()), out));
      prefixes.add(allocate("prefixes", tiles.times(t.bytes()), out));
    }
    kernels.forEach(
        "segscan_states",
        count,
        (i, code) -> code.add(new Code.Store(states, PrimType.I32, Poly.of(i), state(NOTHING))),
        out);
  }

  private Name allocate(String base, Poly bytes, List<Code> out) {
    Name n = scope.names.fresh(base);
    scope.add(n, new Type.Mem(new Space.Device()));
    out.add(new Code.Alloc(n, PrimType.I8, new Expr.Index(bytes), scope.loc()));
    return n;
  }

  void free(List<Code> out) {
    List<Name> all = new ArrayList<>(List.of(states));
    all.addAll(aggregates);
    all.addAll(prefixes);
    for (Name n : all) out.add(new Code.Free(n, PrimType.I8, List.of()));
  }

  private static Expr state(int state) {
    return new Expr.Const(PrimValue.ofInt(PrimType.I32, state));
  }

  private static Expr is(Expr value, int state) {
    return new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I32), value, state(state));
  }

  private static Poly place(Poly tile) {
    return tile.plus(Poly.ONE);
  }

  /** Takes the next tile for a block; returns its number. */
  Name ticket(KernelFrame k, List<Code> out) {
    Name ticket = k.shared("ticket", Poly.of(4));
    Name old = scope.names.fresh("old");
    out.add(
        new Code.If(
            k.isFirst(),
            List.of(
                new Code.Atomic(old, Code.AtomicOp.ADD, states, PrimType.I32, Poly.ZERO, state(1)),
                new Code.Store(ticket, PrimType.I32, Poly.ZERO, new Expr.Var(old, PrimType.I32))),
            List.of()));
    out.add(new Code.Barrier());
    Expr taken = new Expr.Load(ticket, PrimType.I32, Poly.ZERO);
    ConvOp wide = new ConvOp(ConvOp.Kind.ZEXT, PrimType.I32, PrimType.I64);
    return kernels.let("tile", new Expr.Convert(wide, taken), out);
  }

  /**
   * Publishes what a tile comes to: code for one thread.
   *
   * @param isPrefix whether nothing before the tile comes into it any more
   */
  void publish(Name tile, Expr isPrefix, List<Expr> values, List<Code> out) {
    List<Code> prefix = new ArrayList<>();
    publish(tile, prefixes, PREFIX, values, prefix);
    List<Code> aggregate = new ArrayList<>();
    publish(tile, aggregates, AGGREGATE, values, aggregate);
    if (isPrefix.equals(Expr.bool(true))) out.addAll(prefix);
    else out.add(new Code.If(isPrefix, prefix, aggregate));
  }

  private void publish(Name tile, List<Name> blocks, int state, List<Expr> values, List<Code> out) {
    for (int j = 0; j < types.size(); j++) {
      out.add(new Code.VolatileStore(blocks.get(j), types.get(j), Poly.of(tile), values.get(j)));
    }
    out.add(new Code.Fence());
    out.add(new Code.VolatileStore(states, PrimType.I32, place(Poly.of(tile)), state(state)));
  }

  /**
   * Combines what all tiles before one come to with what the carry is: code for all threads of a
   * block.
   *
   * @param theirs to combine with
   * @param carry what comes after those, and then all of it
   */
  void collect(
      KernelFrame k, ThreadAccumulators theirs, Name tile, List<Name> carry, List<Code> out) {
    Poly thread = Poly.of(k.thread);
    Expr some = Expr.binary(BinOp.Kind.SMIN, Expr.i64(k.threads), Expr.i64(LANES));
    Name lanes = kernels.let("lanes", some, out);
    Name seen = k.shared("seen", Poly.of(4L * LANES));
    Name last = kernels.let("last", new Expr.Index(Poly.of(tile).minus(Poly.ONE)), out);
    Name more = scope.names.fresh("more");
    out.add(new Code.Declare(more, PrimType.BOOL, Expr.bool(true)));
    List<Code> loop = new ArrayList<>();
    theirs.reset(loop);
    List<Code> look = new ArrayList<>();
    Poly farthest = Poly.of(last).minus(Poly.of(lanes)).plus(Poly.ONE);
    look(
        theirs,
        kernels.let("number", new Expr.Index(farthest.plus(thread)), look),
        seen,
        thread,
        look);
    Expr takesPart = Expr.less(Expr.i64(k.thread), Expr.i64(lanes));
    loop.add(new Code.If(takesPart, look, List.of()));
    loop.add(new Code.Barrier());
    Name nothing = kernels.let("nothing", Expr.i64(-1), loop);
    Name prefix = kernels.let("prefix", Expr.i64(-1), loop);
    Name lane = scope.names.fresh("lane");
    Expr state = new Expr.Load(seen, PrimType.I32, Poly.of(lane));
    loop.add(
        new Code.For(
            lane,
            PrimType.I64,
            Expr.i64(0),
            Expr.i64(lanes),
            List.of(
                new Code.If(
                    is(state, NOTHING),
                    List.of(new Code.Assign(nothing, Expr.i64(lane))),
                    List.of()),
                new Code.If(
                    is(state, PREFIX),
                    List.of(new Code.Assign(prefix, Expr.i64(lane))),
                    List.of()))));
    Expr isOfNoUse =
        Expr.or(
            Expr.atMost(Expr.i64(k.thread), Expr.i64(nothing)),
            Expr.less(Expr.i64(k.thread), Expr.i64(prefix)));
    List<Code> drop = new ArrayList<>();
    theirs.reset(drop);
    loop.add(new Code.If(isOfNoUse, drop, List.of()));
    theirs.reduce(Expr.i64(k.thread), Expr.i64(lanes), Poly.of(lanes), loop);
    theirs.set(theirs.published(Poly.ZERO), loop);
    List<Expr> after = new ArrayList<>();
    for (int j = 0; j < types.size(); j++) after.add(new Expr.Var(carry.get(j), types.get(j)));
    kernels.attempt(c -> theirs.append(after, c), loop);
    List<Expr> values = theirs.values();
    for (int j = 0; j < types.size(); j++) {
      loop.add(new Code.Assign(carry.get(j), values.get(j)));
    }
    loop.add(new Code.Assign(last, new Expr.Index(farthest.plus(Poly.of(nothing)))));
    loop.add(new Code.Assign(more, Expr.atMost(Expr.i64(prefix), Expr.i64(nothing))));
    loop.add(new Code.Barrier());
    out.add(new Code.While(more, loop));
  }

  /** Looks at a tile: takes what there is of it. Before the first there is the neutral element. */
  private void look(
      ThreadAccumulators theirs, Name number, Name seen, Poly thread, List<Code> out) {
    Name state = scope.names.fresh("state");
    out.add(new Code.Declare(state, PrimType.I32, state(PREFIX)));
    Name now = scope.names.fresh("now");
    List<Code> inside = new ArrayList<>();
    inside.add(new Code.VolatileLoad(now, states, PrimType.I32, place(Poly.of(number))));
    inside.add(new Code.Fence());
    Expr found = new Expr.Var(now, PrimType.I32);
    inside.add(new Code.Assign(state, found));
    inside.add(new Code.If(is(found, AGGREGATE), taken(theirs, aggregates, number), List.of()));
    inside.add(new Code.If(is(found, PREFIX), taken(theirs, prefixes, number), List.of()));
    out.add(new Code.If(Expr.atMost(Expr.i64(0), Expr.i64(number)), inside, List.of()));
    out.add(new Code.Store(seen, PrimType.I32, thread, new Expr.Var(state, PrimType.I32)));
  }

  private List<Code> taken(ThreadAccumulators theirs, List<Name> blocks, Name number) {
    List<Code> out = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    for (int j = 0; j < types.size(); j++) {
      Name n = scope.names.fresh("found");
      out.add(new Code.VolatileLoad(n, blocks.get(j), types.get(j), Poly.of(number)));
      values.add(new Expr.Var(n, types.get(j)));
    }
    theirs.set(values, out);
    return out;
  }
}
