package futharkc.core.codegen.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Whole-array copies, fills and counts in programs for a GPU: by a kernel, by the threads of a
 * block, or by one thread. Transposes go through shared memory, so that both sides are accessed in
 * order.
 */
final class DeviceCopies {
  /** The rows and columns of a tile. */
  private static final int TILE = 32;

  /** How many threads go along a tile's columns. */
  private static final int ROWS = 8;

  private final Scope scope;
  private final Kernels kernels;

  DeviceCopies(Scope scope, Kernels kernels) {
    this.scope = scope;
    this.kernels = kernels;
  }

  /** An array in a copy: a block, where in it the array begins. */
  record Side(Name block, Poly offset) {}

  /** Copies elements at these dimensions, neighbouring ones that could be one being one. */
  void copy(PrimType elem, Side to, Side from, List<Copies.Dim> dims, List<Code> out) {
    int n = dims.size();
    boolean host = scope.place() == Place.HOST;
    if (host && (n == 0 || n == 1 && dims.get(0).isRun())) {
      Poly size = n == 0 ? Poly.ONE : dims.get(0).size();
      Expr count = new Expr.Index(size);
      out.add(new Code.CopyRun(to.block, to.offset, from.block, from.offset, elem, count));
      return;
    }
    if (host && n > 1) {
      Copies.Dim last = dims.get(n - 1);
      boolean gather = last.to().equals(Poly.ONE);
      if (gather != last.from().equals(Poly.ONE)) {
        for (int i = n - 2; i >= 0; i--) {
          Copies.Dim d = dims.get(i);
          if (!(gather ? d.from() : d.to()).equals(Poly.ONE)) continue;
          transpose(elem, to, from, dims, gather ? i : n - 1, gather ? n - 1 : i, out);
          return;
        }
      }
    }
    each(
        "copy",
        dims.stream().map(Copies.Dim::size).toList(),
        (index, code) -> {
          Poly toAt = to.offset;
          Poly fromAt = from.offset;
          for (int i = 0; i < n; i++) {
            toAt = toAt.plus(index.get(i).times(dims.get(i).to()));
            fromAt = fromAt.plus(index.get(i).times(dims.get(i).from()));
          }
          code.add(new Code.Store(to.block, elem, toAt, new Expr.Load(from.block, elem, fromAt)));
        },
        out);
  }

  /** Fills elements at these dimensions. */
  void fill(PrimType elem, Side to, List<Copies.Dim> dims, Expr value, List<Code> out) {
    each(
        "replicate",
        dims.stream().map(Copies.Dim::size).toList(),
        (index, code) -> {
          Poly at = to.offset;
          for (int i = 0; i < dims.size(); i++) {
            at = at.plus(index.get(i).times(dims.get(i).to()));
          }
          code.add(new Code.Store(to.block, elem, at, value));
        },
        out);
  }

  void iota(Side to, Poly step, BasicOp.Iota x, List<Code> out) {
    each(
        "iota",
        List.of(scope.poly(x.count())),
        (index, code) -> {
          Expr at = new Expr.Index(index.get(0));
          if (x.type() != PrimType.I64)
            at = new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, x.type()), at);
          BinOp mul = new BinOp(BinOp.Kind.MUL, x.type());
          BinOp add = new BinOp(BinOp.Kind.ADD, x.type());
          Expr term = x.stride().isInt(1) ? at : new Expr.Binary(mul, at, scope.expr(x.stride()));
          Expr value =
              x.start().isInt(0) ? term : new Expr.Binary(add, scope.expr(x.start()), term);
          Poly place = to.offset.plus(index.get(0).times(step));
          code.add(new Code.Store(to.block, x.type(), place, value));
        },
        out);
  }

  /** Runs code for each index of a shape. */
  void each(
      String kind, List<Poly> sizes, BiConsumer<List<Poly>, List<Code>> body, List<Code> out) {
    Poly total = Poly.ONE;
    for (Poly s : sizes) total = total.times(s);
    Poly all = total;
    switch (scope.place()) {
      case CORES -> throw new IllegalStateException("a device's copy on the CPU");
      case HOST -> {
        List<Code> launch = new ArrayList<>();
        Kernels.Grid grid = kernels.grid(kind, false, launch);
        kernels.launch(
            kind,
            Place.THREAD,
            grid.blocksFor(all),
            grid.threads(),
            (k, code) ->
                kernels.forThreads(
                    k, all, (i, one) -> body.accept(indices(i, sizes, one), one), code),
            launch);
        out.add(new Code.Scope(launch));
      }
      case BLOCK -> {
        KernelFrame k = scope.frame();
        kernels.together(
            code ->
                kernels.strided(
                    Poly.of(k.thread),
                    Poly.of(k.threads),
                    all,
                    (i, one) -> body.accept(indices(i, sizes, one), one),
                    code),
            out);
      }
      case THREAD -> {
        List<Name> index = new ArrayList<>();
        for (int d = 0; d < sizes.size(); d++) {
          Name i = scope.names.fresh("i");
          scope.add(i, Type.I64);
          index.add(i);
        }
        List<Code> code = new ArrayList<>();
        body.accept(index.stream().map(Poly::of).toList(), code);
        for (int d = sizes.size() - 1; d >= 0; d--) {
          Expr end = new Expr.Index(sizes.get(d));
          code =
              List.of(
                  new Code.For(
                      index.get(d),
                      PrimType.I64,
                      Expr.i64(0),
                      end,
                      0,
                      new Code.Order.Independent(),
                      code));
        }
        out.addAll(code);
      }
    }
  }

  /** The indices of a row-major position. */
  List<Poly> indices(Name flat, List<Poly> sizes, List<Code> out) {
    List<Poly> index = new ArrayList<>();
    Name rest = flat;
    for (int d = sizes.size() - 1; d > 0; d--) {
      Expr size = new Expr.Index(sizes.get(d));
      Name quotient = kernels.let("rest", Expr.binary(BinOp.Kind.SQUOT, Expr.i64(rest), size), out);
      Poly i = Poly.of(rest).minus(Poly.of(quotient).times(sizes.get(d)));
      index.add(0, Poly.of(kernels.let("i", new Expr.Index(i), out)));
      rest = quotient;
    }
    if (!sizes.isEmpty()) index.add(0, Poly.of(rest));
    return index;
  }

  /**
   * Copies where the one side runs along one dimension and the other side along another: tiles are
   * read in the order of the one and written in that of the other.
   */
  private void transpose(
      PrimType elem,
      Side to,
      Side from,
      List<Copies.Dim> dims,
      int read,
      int write,
      List<Code> out) {
    Copies.Dim a = dims.get(read);
    Copies.Dim b = dims.get(write);
    List<Copies.Dim> around = new ArrayList<>();
    for (int i = 0; i < dims.size(); i++) if (i != read && i != write) around.add(dims.get(i));
    List<Code> launch = new ArrayList<>();
    Poly tilesA = Poly.of(kernels.let("tiles", tiles(a.size()), launch));
    Poly tilesB = Poly.of(kernels.let("tiles", tiles(b.size()), launch));
    Poly total = tilesA.times(tilesB);
    for (Copies.Dim d : around) total = total.times(d.size());
    Poly all = total;
    Kernels.Grid grid = new Kernels.Grid(Expr.i64((long) TILE * ROWS), null);
    kernels.launch(
        "transpose",
        Place.BLOCK,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          Name tile = k.shared("tile", Poly.of((long) TILE * (TILE + 1) * elem.bytes()));
          Name x = kernels.let("x", and(k.thread, TILE - 1), code);
          Name y = kernels.let("y", shifted(k.thread), code);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                List<Poly> sizes = new ArrayList<>();
                for (Copies.Dim d : around) sizes.add(d.size());
                sizes.add(tilesB);
                sizes.add(tilesA);
                List<Poly> index = indices(number, sizes, one);
                Poly toAt = to.offset;
                Poly fromAt = from.offset;
                for (int i = 0; i < around.size(); i++) {
                  toAt = toAt.plus(index.get(i).times(around.get(i).to()));
                  fromAt = fromAt.plus(index.get(i).times(around.get(i).from()));
                }
                Poly firstA = index.get(around.size() + 1).times(TILE);
                Poly firstB = index.get(around.size()).times(TILE);
                Poly readAt = fromAt;
                Poly writeAt = toAt;
                one.add(
                    rows(
                        firstA.plus(Poly.of(x)),
                        firstB.plus(Poly.of(y)),
                        a.size(),
                        b.size(),
                        (i, j, r) ->
                            new Code.Store(
                                tile,
                                elem,
                                Poly.of(y).plus(r).times(TILE + 1).plus(Poly.of(x)),
                                new Expr.Load(
                                    from.block,
                                    elem,
                                    readAt.plus(i.times(a.from())).plus(j.times(b.from()))))));
                one.add(new Code.Barrier());
                one.add(
                    rows(
                        firstB.plus(Poly.of(x)),
                        firstA.plus(Poly.of(y)),
                        b.size(),
                        a.size(),
                        (j, i, r) ->
                            new Code.Store(
                                to.block,
                                elem,
                                writeAt.plus(i.times(a.to())).plus(j.times(b.to())),
                                new Expr.Load(
                                    tile,
                                    elem,
                                    Poly.of(x).times(TILE + 1).plus(Poly.of(y)).plus(r)))));
                one.add(new Code.Barrier());
              },
              code);
        },
        launch);
    out.add(new Code.Scope(launch));
  }

  /** What a thread does with an element of each of its rows of a tile. */
  private interface Row {
    /**
     * The element.
     *
     * @param along the index in the dimension along which neighbouring threads go
     * @param across that in the other dimension
     * @param row how far the row is from the thread's first
     */
    Code at(Poly along, Poly across, Poly row);
  }

  private Code rows(Poly along, Poly across, Poly alongSize, Poly acrossSize, Row body) {
    Name step = scope.names.fresh("row");
    scope.add(step, Type.I64);
    Poly row = Poly.of(step).times(ROWS);
    Poly j = across.plus(row);
    Expr inside =
        Expr.and(
            Expr.less(new Expr.Index(along), new Expr.Index(alongSize)),
            Expr.less(new Expr.Index(j), new Expr.Index(acrossSize)));
    Code one = new Code.If(inside, List.of(body.at(along, j, row)), List.of());
    return new Code.For(
        step,
        PrimType.I64,
        Expr.i64(0),
        Expr.i64(TILE / ROWS),
        0,
        new Code.Order.Independent(),
        List.of(one));
  }

  private static Expr tiles(Poly size) {
    Expr up = new Expr.Index(size.plus(Poly.of(TILE - 1)));
    return Expr.binary(BinOp.Kind.ASHR, up, Expr.i64(Integer.numberOfTrailingZeros(TILE)));
  }

  private static Expr and(Name n, long mask) {
    return Expr.binary(BinOp.Kind.AND, Expr.i64(n), Expr.i64(mask));
  }

  private static Expr shifted(Name n) {
    return Expr.binary(BinOp.Kind.ASHR, Expr.i64(n), Expr.i64(Integer.numberOfTrailingZeros(TILE)));
  }
}
