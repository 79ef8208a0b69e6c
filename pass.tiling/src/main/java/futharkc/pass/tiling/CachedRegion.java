package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.CostModel;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The generation of a parallel region whose iterations are tiles, for {@link CacheTilingPass}. */
final class CachedRegion {
  private final Code.Parallel old;
  private final Iteration iteration;
  private final CachedProduct product;
  private final CostModel costs;
  private final CacheTiles limits;
  private final NameSource names;

  private final List<Code> before = new ArrayList<>();
  private final ResultSpace.Dimension row;
  private final ResultSpace.Dimension column;
  private final int width;

  /** The rows of a tile, a variable of the region's surroundings. */
  private final Name rows;

  private final Name rowTiles;
  private final Name columnTiles;

  // The variables of a tile.
  private final Name firstRow;
  private final Name firstColumn;
  private final Name height;
  private final Name length;

  /** The tiles of the accumulators, row-major with {@code width} columns. */
  private final Map<Name, Name> tiles = new LinkedHashMap<>();

  /** The accumulators of one row. */
  private final Map<Name, Name> rowOfTile = new LinkedHashMap<>();

  /** The packed values of each step. */
  private final List<Map<Name, Name>> panels = new ArrayList<>();

  CachedRegion(
      Code.Parallel old,
      Iteration iteration,
      CachedProduct product,
      CostModel costs,
      CacheTiles limits,
      NameSource names) {
    this.old = old;
    this.iteration = iteration;
    this.product = product;
    this.costs = costs;
    this.limits = limits;
    this.names = names;
    for (Iteration.Step s : iteration.before()) {
      before.addAll(s.plain());
    }
    this.row = iteration.tiling().sides().row();
    this.column = iteration.tiling().sides().column();
    this.width = Math.max(1, limits.bytes() / product.type().bytes());
    this.rows = names.fresh("rows");
    this.rowTiles = names.fresh("tiles");
    this.columnTiles = names.fresh("tiles");
    this.firstRow = names.fresh("row");
    this.firstColumn = names.fresh("column");
    this.height = names.fresh("height");
    this.length = names.fresh("length");
    for (Code.Variable v : product.accumulators()) {
      tiles.put(v.name(), names.fresh("tile"));
      rowOfTile.put(v.name(), names.fresh("partial"));
    }
    for (int step = 0; step < product.depth(); step++) {
      Map<Name, Name> panel = new LinkedHashMap<>();
      for (Code.Variable v : product.packed()) {
        panel.put(v.name(), names.fresh("panel"));
      }
      panels.add(panel);
    }
  }

  /** A lower bound of a size. */
  private record LowerBound(long least, Poly size) {
    /** Tests whether the size may be large enough. */
    boolean mayHold() {
      Long known = size.constant();
      return known == null || least <= known;
    }

    Expr holds() {
      return Expr.atMost(Expr.i64(least), new Expr.Index(size));
    }
  }

  private List<LowerBound> bounds() {
    boolean isOfRuns = product.packed().stream().allMatch(v -> run(v, v.name(), Poly.ZERO) != null);
    LeastProduct least = isOfRuns ? limits.ofRuns() : limits.ofStrides();
    Poly steps = product.product().steps();
    return List.of(
        new LowerBound(least.rows(), row.extent()),
        new LowerBound(least.columns(), column.extent()),
        new LowerBound(least.steps(), steps),
        new LowerBound(least.work(), iteration.tiling().space().size().times(steps)));
  }

  /** Returns the choice between tiles and the original region. */
  Code choice() {
    List<Expr> conditions = new ArrayList<>();
    for (LowerBound b : bounds()) {
      if (b.size.constant() == null) {
        conditions.add(b.holds());
      }
    }
    return new Code.If(Expr.all(conditions), tiled(), List.of(old));
  }

  /** Returns the label of a region with tiles. */
  static String label(Code.Parallel old) {
    return old.label() + "_tiled";
  }

  /** Returns the number of columns of a tile. */
  int width() {
    return width;
  }

  /** Tests whether the known sizes permit tiles. */
  boolean mayBeEnough() {
    return bounds().stream().allMatch(LowerBound::mayHold);
  }

  // Division into tiles

  private List<Code> tiled() {
    List<Code> out = new ArrayList<>();
    Poly around = Poly.ONE;
    for (ResultSpace.Dimension d : iteration.tiling().around()) {
      around = around.times(d.extent());
    }
    Name threads = names.fresh("threads");
    Name total = names.fresh("total");
    Name chunks = names.fresh("chunks");
    out.add(declare(columnTiles, tileCount(column.extent(), Expr.i64(width))));
    out.add(new Code.ThreadCount(threads));
    Expr perThread =
        Expr.binary(
            BinOp.Kind.SQUOT,
            new Expr.Index(row.extent().times(around).times(Poly.of(columnTiles))),
            new Expr.Index(Poly.of(threads).times(limits.tilesPerThread())));
    Expr atLeast = Expr.binary(BinOp.Kind.SMAX, Expr.i64(limits.lowest()), perThread);
    out.add(declare(rows, Expr.binary(BinOp.Kind.SMIN, Expr.i64(limits.highest()), atLeast)));
    out.add(declare(rowTiles, tileCount(row.extent(), Expr.i64(rows))));
    Poly all = around.times(Poly.of(rowTiles)).times(Poly.of(columnTiles));
    out.add(declare(total, new Expr.Index(all)));
    Poly ofTile = stepCost().times(product.product().steps()).times(Poly.of(rows)).times(width);
    out.add(new Code.ChunkCount(chunks, Expr.i64(total), ofTile, limits.tilesPerThread()));
    Name from = names.fresh("from");
    Name to = names.fresh("to");
    Name tile = names.fresh("tile");
    List<Code> body = new ArrayList<>();
    List<Code> frees = new ArrayList<>();
    PrimType type = product.type();
    Expr area = new Expr.Index(Poly.of(rows).times(width));
    tiles.values().forEach(b -> scratch(b, type, area, body, frees));
    rowOfTile.values().forEach(b -> scratch(b, type, Expr.i64(width), body, frees));
    for (Map<Name, Name> panel : panels) {
      panel.values().forEach(b -> scratch(b, type, Expr.i64(width), body, frees));
    }
    body.add(loop(tile, Expr.i64(from), Expr.i64(to), Code.Range.UNKNOWN, tile(tile)));
    body.addAll(frees);
    Code region =
        new Code.Parallel(
            label(old),
            old.loc(),
            Expr.i64(total),
            Expr.i64(chunks),
            names.fresh("chunk"),
            from,
            to,
            body);
    out.add(new CodeRenamer(names).statement(region));
    return out;
  }

  private Poly stepCost() {
    List<Code> step = new ArrayList<>(product.ofRow());
    step.addAll(product.ofBoth());
    return costs.cost(step, Set.of()).plus(Poly.ONE);
  }

  private void scratch(Name block, PrimType type, Expr size, List<Code> out, List<Code> frees) {
    out.add(new Code.DeclareScratch(block, type));
    out.add(new Code.Reserve(block, type, size, old.loc()));
    frees.add(new Code.Free(block, type, List.of()));
  }

  private static Expr tileCount(Poly extent, Expr size) {
    Poly last = extent.plus(size.polynomial()).minus(Poly.ONE);
    return Expr.binary(BinOp.Kind.SQUOT, new Expr.Index(last), size);
  }

  // One tile

  private List<Code> tile(Name tile) {
    List<Code> out = new ArrayList<>();
    Name rest = quotient(tile, Poly.of(columnTiles), firstColumn, width, out);
    Name last = quotient(rest, Poly.of(rowTiles), firstRow, Poly.of(rows), out);
    List<ResultSpace.Dimension> around = iteration.tiling().around();
    for (ResultSpace.Dimension d : around.reversed()) {
      if (d == around.getFirst()) {
        out.add(declare(d.index(), Expr.i64(last)));
      } else {
        last = quotient(last, d.extent(), d.index(), Poly.ONE, out);
      }
    }
    out.add(extent(length, Expr.i64(width), column.extent(), firstColumn));
    out.add(extent(height, Expr.i64(rows), row.extent(), firstRow));
    out.add(first());
    Poly steps = product.product().steps();
    int depth = product.depth();
    Name groups = names.fresh("groups");
    Expr count =
        Expr.binary(
            BinOp.Kind.ASHR, new Expr.Index(steps), Expr.i64(Integer.numberOfTrailingZeros(depth)));
    out.add(declare(groups, count));
    Name group = names.fresh("group");
    out.add(
        loop(
            group,
            Expr.i64(0),
            Expr.i64(groups),
            Code.Range.UNKNOWN,
            steps(Poly.of(group).times(depth), depth)));
    Name step = names.fresh("step");
    out.add(
        loop(
            step,
            new Expr.Index(Poly.of(groups).times(depth)),
            new Expr.Index(steps),
            Code.Range.UNKNOWN,
            steps(Poly.of(step), 1)));
    out.add(last());
    return out;
  }

  /**
   * Declares the quotient of a number, and an index: a multiple of the remainder.
   *
   * @return the quotient
   */
  private Name quotient(Name number, Poly divisor, Name index, Poly factor, List<Code> out) {
    Name quotient = names.fresh("rest");
    out.add(
        declare(
            quotient, Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(divisor))));
    Poly remainder = Poly.of(number).minus(Poly.of(quotient).times(divisor));
    out.add(declare(index, new Expr.Index(remainder.times(factor))));
    return quotient;
  }

  private Name quotient(Name number, Poly divisor, Name index, int factor, List<Code> out) {
    return quotient(number, divisor, index, Poly.of(factor), out);
  }

  private static Code extent(Name name, Expr most, Poly all, Name first) {
    Expr rest = new Expr.Index(all.minus(Poly.of(first)));
    return declare(name, Expr.binary(BinOp.Kind.SMIN, most, rest));
  }

  /** Returns the initialisation of the accumulators. */
  private Code first() {
    Name r = names.fresh("r");
    List<Code> body = new ArrayList<>();
    List<Code.Variable> others = new ArrayList<>();
    for (Code.Variable v : product.accumulators()) {
      Expr initial = initial(v.name());
      if (initial == null) {
        others.add(v);
      } else {
        Poly at = Poly.of(r).times(width);
        body.add(new Code.FillRun(block(tiles, v.name()), v.type(), at, Expr.i64(length), initial));
      }
    }
    if (!others.isEmpty()) {
      body.add(index(row, Poly.of(firstRow).plus(Poly.of(r))));
      Name c = names.fresh("c");
      List<Code> inner = new ArrayList<>();
      inner.add(index(column, Poly.of(firstColumn).plus(Poly.of(c))));
      inner.addAll(before);
      for (Code.Variable v : others) {
        Poly at = Poly.of(r).times(width).plus(Poly.of(c));
        Expr value = new Expr.Var(v.name(), v.type());
        inner.add(new Code.Store(block(tiles, v.name()), v.type(), at, value));
      }
      body.add(loop(c, Expr.i64(0), Expr.i64(length), Code.Range.NARROW, inner));
    }
    return loop(r, Expr.i64(0), Expr.i64(height), Code.Range.NARROW, body);
  }

  /** Returns the constant with which an accumulator begins; null for other values. */
  private @Nullable Expr initial(Name accumulator) {
    if (Variables.assignedBy(before).contains(accumulator)) {
      return null;
    }
    for (Code c : before) {
      if (c instanceof Code.Declare d
          && d.name().equals(accumulator)
          && d.value() instanceof Expr.Const value) {
        return value;
      }
    }
    return null;
  }

  /** Returns the code after the product, for all results of the tile. */
  private Code last() {
    Name r = names.fresh("r");
    Name c = names.fresh("c");
    List<Code> inner = new ArrayList<>();
    inner.add(index(column, Poly.of(firstColumn).plus(Poly.of(c))));
    inner.addAll(before);
    for (Code.Variable v : product.accumulators()) {
      Poly at = Poly.of(r).times(width).plus(Poly.of(c));
      inner.add(new Code.Assign(v.name(), new Expr.Load(block(tiles, v.name()), v.type(), at)));
    }
    inner.addAll(iteration.after());
    List<Code> body = new ArrayList<>();
    body.add(index(row, Poly.of(firstRow).plus(Poly.of(r))));
    body.add(loop(c, Expr.i64(0), Expr.i64(length), Code.Range.NARROW, inner));
    return loop(r, Expr.i64(0), Expr.i64(height), Code.Range.NARROW, body);
  }

  /** Returns consecutive steps for all results of the tile. */
  private List<Code> steps(Poly first, int depth) {
    List<Code> out = new ArrayList<>();
    out.add(pack(first, depth));
    Name r = names.fresh("r");
    List<Code> body = new ArrayList<>();
    Name i = names.fresh(row.index());
    body.add(declare(i, new Expr.Index(Poly.of(firstRow).plus(Poly.of(r)))));
    List<Map<Name, Poly>> copies = new ArrayList<>();
    for (int step = 0; step < depth; step++) {
      Map<Name, Poly> copy = CodeCopies.fresh(CodeCopies.declared(product.ofRow()), names);
      copy.put(row.index(), Poly.of(i));
      copy.put(product.product().index(), first.plus(Poly.of(step)));
      copies.add(copy);
      body.addAll(CodeCopies.of(product.ofRow(), copy));
    }
    Poly at = Poly.of(r).times(width);
    for (Code.Variable v : product.accumulators()) {
      body.add(
          new Code.CopyRun(
              block(rowOfTile, v.name()),
              Poly.ZERO,
              block(tiles, v.name()),
              at,
              v.type(),
              Expr.i64(length)));
    }
    Name c = names.fresh("c");
    List<Code> inner = new ArrayList<>();
    Map<Name, Poly> sums = new HashMap<>();
    for (Code.Variable v : product.accumulators()) {
      Name sum = names.fresh(v.name());
      sums.put(v.name(), Poly.of(sum));
      inner.add(
          new Code.Declare(
              sum, v.type(), new Expr.Load(block(rowOfTile, v.name()), v.type(), Poly.of(c))));
    }
    Set<Name> own = CodeCopies.declared(product.ofBoth());
    for (int step = 0; step < depth; step++) {
      Map<Name, Poly> copy = new HashMap<>(copies.get(step));
      copy.putAll(sums);
      copy.putAll(CodeCopies.fresh(own, names));
      for (Code.Variable v : product.packed()) {
        Name value = names.fresh(v.name());
        copy.put(v.name(), Poly.of(value));
        Name panel = block(panels.get(step), v.name());
        inner.add(new Code.Declare(value, v.type(), new Expr.Load(panel, v.type(), Poly.of(c))));
      }
      inner.addAll(CodeCopies.of(product.ofBoth(), copy));
    }
    for (Code.Variable v : product.accumulators()) {
      Expr sum = new Expr.Var(CodeCopies.name(v.name(), sums), v.type());
      inner.add(new Code.Store(block(rowOfTile, v.name()), v.type(), Poly.of(c), sum));
    }
    body.add(loop(c, Expr.i64(0), Expr.i64(length), Code.Range.NARROW, inner));
    for (Code.Variable v : product.accumulators()) {
      body.add(
          new Code.CopyRun(
              block(tiles, v.name()),
              at,
              block(rowOfTile, v.name()),
              Poly.ZERO,
              v.type(),
              Expr.i64(length)));
    }
    out.add(loop(r, Expr.i64(0), Expr.i64(height), Code.Range.NARROW, body));
    return out;
  }

  /** Returns code that packs the columns' values of consecutive steps. */
  private Code pack(Poly first, int depth) {
    Name c = names.fresh("c");
    Name j = names.fresh(column.index());
    List<Code> body = new ArrayList<>();
    body.add(declare(j, new Expr.Index(Poly.of(firstColumn).plus(Poly.of(c)))));
    List<Code> runs = new ArrayList<>();
    for (int step = 0; step < depth; step++) {
      Map<Name, Poly> copy = CodeCopies.fresh(CodeCopies.declared(product.ofColumn()), names);
      copy.put(column.index(), Poly.of(j));
      copy.put(product.product().index(), first.plus(Poly.of(step)));
      List<Code> values = CodeCopies.of(product.ofColumn(), copy);
      Set<Name> used = new HashSet<>();
      List<Code> stores = new ArrayList<>();
      for (Code.Variable v : product.packed()) {
        Name panel = block(panels.get(step), v.name());
        Code run = run(v, panel, first.plus(Poly.of(step)));
        if (run != null) {
          runs.add(run);
          continue;
        }
        Expr value = new Expr.Var(CodeCopies.name(v.name(), copy), v.type());
        stores.add(new Code.Store(panel, v.type(), Poly.of(c), value));
        used.add(v.name());
      }
      if (!used.isEmpty()) {
        body.addAll(values);
        body.addAll(stores);
      }
    }
    List<Code> out = new ArrayList<>(runs);
    if (runs.size() < depth * product.packed().size()) {
      out.add(loop(c, Expr.i64(0), Expr.i64(length), Code.Range.NARROW, body));
    }
    return new Code.Scope(out);
  }

  /** Returns a copy of a packed value's elements if they are adjacent in memory; otherwise null. */
  private @Nullable Code run(Code.Variable packed, Name panel, Poly step) {
    Name value = packed.name();
    for (Code c : product.ofColumn().reversed()) {
      if (!(c instanceof Code.Declare d) || !d.name().equals(value)) {
        continue;
      }
      if (d.value() instanceof Expr.Var v) {
        value = v.name();
        continue;
      }
      if (!(d.value() instanceof Expr.Load l) || l.index().mentions(local())) {
        return null;
      }
      Poly.Division division = l.index().divide(column.index());
      if (!division.quotient().equals(Poly.ONE)) {
        return null;
      }
      Poly at =
          division
              .remainder()
              .plus(Poly.of(firstColumn))
              .substitute(n -> n.equals(product.product().index()) ? step : Poly.of(n));
      return new Code.CopyRun(panel, Poly.ZERO, l.block(), at, l.type(), Expr.i64(length));
    }
    return null;
  }

  /** Returns the variables of a step that the code around it does not know. */
  private Set<Name> local() {
    return CodeCopies.declared(product.ofColumn());
  }

  // Statements

  private static Code index(ResultSpace.Dimension d, Poly value) {
    return declare(d.index(), new Expr.Index(value));
  }

  private static Code declare(Name name, Expr value) {
    return new Code.Declare(name, PrimType.I64, value);
  }

  private static Name block(Map<Name, Name> blocks, Name variable) {
    Name block = blocks.get(variable);
    if (block == null) {
      throw new IllegalStateException("no block of " + variable);
    }
    return block;
  }

  private static Code loop(Name index, Expr from, Expr to, Code.Range range, List<Code> body) {
    return new Code.For(index, PrimType.I64, from, to, range, 0, Code.Order.UNKNOWN, body);
  }
}
