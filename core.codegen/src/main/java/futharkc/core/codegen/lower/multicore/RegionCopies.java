package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.CopyLoops;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Loc;
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
 * The copies, fills and counts of whole arrays on a CPU: runs for contiguous memory, tiles for
 * transpositions, else plain loops. Outside of regions, threads divide the outermost loop.
 */
final class RegionCopies implements CopyLoops {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;

  RegionCopies(FunctionSymbols scope, BlockLifetimes blocks) {
    this.scope = scope;
    this.blocks = blocks;
  }

  @Override
  public void copy(PrimType elem, Side to, Side from, List<Dim> dims, List<Code> out) {
    int n = dims.size();
    if (n == 0) {
      out.add(
          new Code.Store(
              to.block(), elem, to.offset(), new Expr.Load(from.block(), elem, from.offset())));
      return;
    }
    Dim last = dims.get(n - 1);
    boolean runs = last.to().equals(Poly.ONE) && last.from().equals(Poly.ONE);
    Long length = last.size().constant();
    if (runs && (length == null || length >= scope.number(RegionOptions.SHORT_ROW) || n == 1)) {
      List<Dim> outer = dims.subList(0, n - 1);
      if (n == 1) {
        ranges(
            last.size(),
            1,
            out,
            (body, range) ->
                body.add(
                    run(
                        elem,
                        to,
                        to.offset().plus(range.get(0)),
                        from,
                        from.offset().plus(range.get(0)),
                        new Expr.Index(range.get(1)))));
      } else {
        loops(
            outer,
            last.size(),
            out,
            (body, at) ->
                body.add(
                    run(
                        elem,
                        to,
                        at.get(0).plus(to.offset()),
                        from,
                        at.get(1).plus(from.offset()),
                        new Expr.Index(last.size()))));
      }
      return;
    }
    if (last.to().equals(Poly.ONE) || last.from().equals(Poly.ONE)) {
      boolean gather = last.to().equals(Poly.ONE);
      for (int i = 0; i < n - 1; i++) {
        if ((gather ? dims.get(i).from() : dims.get(i).to()).equals(Poly.ONE)) {
          transpose(elem, to, to.offset(), from, from.offset(), dims, i, out);
          return;
        }
      }
    }
    loops(
        dims,
        Poly.ONE,
        out,
        (body, at) ->
            body.add(
                new Code.Store(
                    to.block(),
                    elem,
                    at.get(0).plus(to.offset()),
                    new Expr.Load(from.block(), elem, at.get(1).plus(from.offset())))));
  }

  private static Code run(PrimType elem, Side to, Poly toAt, Side from, Poly fromAt, Expr count) {
    return new Code.CopyRun(to.block(), toAt, from.block(), fromAt, elem, count);
  }

  @Override
  public void fill(PrimType elem, Side to, List<Dim> dims, Expr value, List<Code> out) {
    Long few = dims.size() == 1 ? dims.get(0).size().constant() : null;
    if (few != null && few <= scope.number(RegionOptions.FEW)) {
      // The fill is too small for a call or a loop.
      for (long i = 0; i < few; i++) {
        Poly at = to.offset().plus(dims.get(0).to().times(i));
        out.add(new Code.Store(to.block(), elem, at, value));
      }
      return;
    }
    if (dims.size() == 1 && dims.get(0).to().equals(Poly.ONE)) {
      ranges(
          dims.get(0).size(),
          1,
          out,
          (body, range) ->
              body.add(
                  new Code.FillRun(
                      to.block(),
                      elem,
                      to.offset().plus(range.get(0)),
                      new Expr.Index(range.get(1)),
                      value)));
      return;
    }
    loops(
        dims,
        Poly.ONE,
        out,
        (body, at) ->
            body.add(new Code.Store(to.block(), elem, at.get(0).plus(to.offset()), value)));
  }

  @Override
  public void iota(Side to, Poly step, BasicOp.Iota x, List<Code> out) {
    Name i = scope.names.fresh("i");
    range(
        scope.poly(x.count()),
        2,
        out,
        (body, range) -> {
          Expr at = Expr.i64(i);
          if (x.type() != PrimType.I64) {
            at = new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, x.type()), at);
          }
          BinOp mul = new BinOp(BinOp.Kind.MUL, x.type());
          BinOp add = new BinOp(BinOp.Kind.ADD, x.type());
          Expr term = x.stride().isInt(1) ? at : new Expr.Binary(mul, at, scope.expr(x.stride()));
          Expr value =
              x.start().isInt(0) ? term : new Expr.Binary(add, scope.expr(x.start()), term);
          Code store =
              new Code.Store(to.block(), x.type(), to.offset().plus(Poly.of(i).times(step)), value);
          body.add(new Code.For(i, PrimType.I64, range.get(0), range.get(1), List.of(store)));
        });
  }

  /**
   * Divides a range among threads. The body receives the start and the length of its subrange.
   *
   * @param cost the cost of one element
   */
  private void ranges(
      Poly size, long cost, List<Code> out, BiConsumer<List<Code>, List<Poly>> body) {
    if (blocks.isSequential()) {
      body.accept(out, List.of(Poly.ZERO, size));
      return;
    }
    range(
        size,
        cost,
        out,
        (inner, r) -> {
          Poly from = Poly.of(((Expr.Var) r.get(0)).name());
          body.accept(inner, List.of(from, Poly.of(((Expr.Var) r.get(1)).name()).minus(from)));
        });
  }

  /** Divides a range among threads. The body receives the bounds of its subrange. */
  private void range(
      Poly size, long cost, List<Code> out, BiConsumer<List<Code>, List<Expr>> body) {
    if (blocks.isSequential()) {
      body.accept(out, List.of(Expr.i64(0), new Expr.Index(size)));
      return;
    }
    RegionBuilder region = new RegionBuilder(scope, "copy", Loc.NONE);
    region.count(size, Poly.of(cost), scope.number(RegionOptions.COPY_CHUNKS), out);
    Expr from = Expr.i64(region.from);
    Expr to = Expr.i64(region.to);
    region.run(size, blocks.kernel(k -> body.accept(k, List.of(from, to))), out);
  }

  /**
   * Builds loops over dimensions, and divides the outermost loop among threads. The body receives
   * the offsets in the target and the source, relative to their starts.
   *
   * @param cost the cost of the body
   */
  private void loops(
      List<Dim> dims, Poly cost, List<Code> out, BiConsumer<List<Code>, List<Poly>> body) {
    Poly toAt = Poly.ZERO;
    Poly fromAt = Poly.ZERO;
    Poly inside = cost;
    List<Name> index = new ArrayList<>();
    for (int d = 0; d < dims.size(); d++) {
      Name i = scope.names.fresh("i");
      scope.add(i, Type.I64);
      index.add(i);
      toAt = toAt.plus(Poly.of(i).times(dims.get(d).to()));
      fromAt = fromAt.plus(Poly.of(i).times(dims.get(d).from()));
      if (d > 0) {
        inside = inside.times(dims.get(d).size());
      }
    }
    List<Code> innermost = new ArrayList<>();
    body.accept(innermost, List.of(toAt, fromAt));
    if (dims.isEmpty()) {
      out.addAll(innermost);
      return;
    }
    List<Code> code = innermost;
    for (int d = dims.size() - 1; d > 0; d--) {
      code =
          List.of(
              new Code.For(
                  index.get(d),
                  PrimType.I64,
                  Expr.i64(0),
                  new Expr.Index(dims.get(d).size()),
                  code));
    }
    outermost(index.get(0), dims.get(0).size(), inside, code, out);
  }

  private void outermost(Name index, Poly size, Poly cost, List<Code> code, List<Code> out) {
    if (blocks.isSequential()) {
      out.add(new Code.For(index, PrimType.I64, Expr.i64(0), new Expr.Index(size), code));
      return;
    }
    RegionBuilder region = new RegionBuilder(scope, "copy", Loc.NONE);
    Expr from = Expr.i64(region.from);
    Expr to = Expr.i64(region.to);
    region.count(size, cost, scope.number(RegionOptions.COPY_CHUNKS), out);
    region.run(size, List.of(new Code.For(index, PrimType.I64, from, to, code)), out);
  }

  /**
   * Copies between sides of which one is contiguous in the last dimension and the other in
   * dimension {@code d}.
   */
  private void transpose(
      PrimType elem,
      Side to,
      Poly toStart,
      Side from,
      Poly fromStart,
      List<Dim> dims,
      int d,
      List<Code> out) {
    List<Name> index = new ArrayList<>();
    Poly toAt = toStart;
    Poly fromAt = fromStart;
    for (Dim dim : dims) {
      Name i = scope.names.fresh("i");
      index.add(i);
      toAt = toAt.plus(Poly.of(i).times(dim.to()));
      fromAt = fromAt.plus(Poly.of(i).times(dim.from()));
    }
    int last = dims.size() - 1;
    Name tileD = scope.names.fresh("tile");
    Name tileL = scope.names.fresh("tile");
    List<Code> code =
        List.of(new Code.Store(to.block(), elem, toAt, new Expr.Load(from.block(), elem, fromAt)));
    // The inner loop writes consecutive elements if possible: strided reads cost less than strided
    // writes.
    boolean gather = dims.get(last).to().equals(Poly.ONE);
    int inner = gather ? last : d;
    int outer = gather ? d : last;
    Name innerTile = gather ? tileL : tileD;
    Name outerTile = gather ? tileD : tileL;
    Expr outerTiles = tiles(dims.get(outer).size(), scope.number(RegionOptions.OUTER_TILE));
    Expr innerTiles = tiles(dims.get(inner).size(), scope.number(RegionOptions.INNER_TILE));
    code =
        List.of(
            inTile(
                index.get(inner),
                innerTile,
                dims.get(inner).size(),
                scope.number(RegionOptions.INNER_TILE),
                code));
    code =
        List.of(
            inTile(
                index.get(outer),
                outerTile,
                dims.get(outer).size(),
                scope.number(RegionOptions.OUTER_TILE),
                code));
    List<Integer> around = new ArrayList<>();
    for (int i = 0; i < dims.size(); i++) {
      if (i != inner && i != outer) {
        around.add(i);
      }
    }
    if (around.isEmpty()) {
      // Either dimension may be short, so all tiles are divided among threads.
      Name row = scope.names.fresh("tiles");
      Name all = scope.names.fresh("tiles");
      Name tile = scope.names.fresh("tile");
      for (Name n : List.of(row, all, tile)) {
        scope.add(n, Type.I64);
      }
      out.add(new Code.Declare(row, PrimType.I64, innerTiles));
      out.add(
          new Code.Declare(
              all, PrimType.I64, Expr.binary(BinOp.Kind.MUL, outerTiles, Expr.i64(row))));
      List<Code> inTiles = new ArrayList<>();
      inTiles.add(
          new Code.Declare(
              outerTile,
              PrimType.I64,
              Expr.binary(BinOp.Kind.SQUOT, Expr.i64(tile), Expr.i64(row))));
      inTiles.add(
          new Code.Declare(
              innerTile,
              PrimType.I64,
              new Expr.Index(Poly.of(tile).minus(Poly.of(outerTile).times(Poly.of(row))))));
      inTiles.addAll(code);
      outermost(
          tile,
          Poly.of(all),
          Poly.of(
              2L * scope.number(RegionOptions.INNER_TILE) * scope.number(RegionOptions.OUTER_TILE)),
          inTiles,
          out);
      return;
    }
    code = List.of(new Code.For(innerTile, PrimType.I64, Expr.i64(0), innerTiles, code));
    code = List.of(new Code.For(outerTile, PrimType.I64, Expr.i64(0), outerTiles, code));
    Poly cost = dims.get(inner).size().times(dims.get(outer).size()).times(2);
    for (int k = around.size() - 1; k > 0; k--) {
      int i = around.get(k);
      code =
          List.of(
              new Code.For(
                  index.get(i),
                  PrimType.I64,
                  Expr.i64(0),
                  new Expr.Index(dims.get(i).size()),
                  code));
      cost = cost.times(dims.get(i).size());
    }
    outermost(index.get(around.get(0)), dims.get(around.get(0)).size(), cost, code, out);
  }

  private static Expr tiles(Poly size, int side) {
    return Expr.binary(
        BinOp.Kind.ASHR,
        new Expr.Index(size.plus(Poly.of(side - 1))),
        Expr.i64(Integer.numberOfTrailingZeros(side)));
  }

  private static Code inTile(Name index, Name tile, Poly size, int side, List<Code> body) {
    Poly start = Poly.of(tile).times(side);
    Expr end =
        Expr.binary(
            BinOp.Kind.SMIN, new Expr.Index(size), new Expr.Index(start.plus(Poly.of(side))));
    return new Code.For(index, PrimType.I64, new Expr.Index(start), end, body);
  }
}
