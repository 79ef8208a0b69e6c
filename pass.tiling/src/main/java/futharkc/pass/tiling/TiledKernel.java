package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Generates the body of a kernel whose thread blocks compute tiles of results. */
final class TiledKernel {
  /** The offset of the first of the two alternating tiles. */
  private static final Poly EVEN = Poly.ZERO;

  private final Iteration iteration;
  private final TileShape shape;
  private final NameSource names;
  private final Name block;
  private final Name shared;
  private final Sides<Name> tiles;
  private final Tile tile;
  private final Sides<Name> first;
  private final ResultCopies copies;

  /** The offset in bytes of each array's elements in shared memory. */
  private final Map<Staged, Integer> starts = new HashMap<>();

  /** The size in bytes of all elements copied in a round. */
  private int bytes;

  /**
   * Creates the generator of a kernel.
   *
   * @param iteration the computation of one result
   * @param shape the shape of a tile
   * @param block the name bound to the thread block's number
   * @param thread the name bound to the thread's number
   * @param shared the shared memory
   * @param tiles the number of tiles along each side
   * @param names the source of fresh names
   */
  TiledKernel(
      Iteration iteration,
      TileShape shape,
      Name block,
      Name thread,
      Name shared,
      Sides<Name> tiles,
      NameSource names) {
    this.iteration = iteration;
    this.shape = shape;
    this.block = block;
    this.shared = shared;
    this.tiles = tiles;
    this.names = names;
    first = Sides.of(side -> names.fresh("first"));
    tile = new Tile(shape, iteration.tiling().sides(), first, thread, names);
    copies = new ResultCopies(shape.rows(), shape.columns());
    for (Product p : iteration.products()) {
      int end = 0;
      for (Staged s : p.staged()) {
        starts.put(s, end);
        end += shape.bytes(s.side(), s.type());
      }
      bytes = Math.max(bytes, end);
    }
  }

  /** Returns the size of shared memory in bytes. */
  int sharedBytes() {
    return 2 * bytes;
  }

  List<Code> body() {
    Sides<List<Name>> indices = Sides.of(this::ownIndices);
    for (Side side : Side.values()) {
      Name index = iteration.tiling().sides().get(side).index();
      copies.put(index, side, i -> Poly.of(indices.get(side).get(i)));
    }
    iteration.tiling().space().flat().forEach(copies::put);
    declareCopies();
    List<Code> results = steps(iteration.before());
    Set<Name> used = Variables.readBy(results);
    after(results);
    List<Code> out = new ArrayList<>(places());
    out.addAll(tile.declarations());
    for (Side side : Side.values()) {
      for (int i = 0; i < shape.results(side); i++) {
        Name index = indices.get(side).get(i);
        if (used.contains(index)) {
          out.add(declare(index, tile.clamped(side, tile.index(side, i))));
        }
      }
    }
    out.addAll(results);
    return out;
  }

  /** Declares the indices of a thread's rows or columns, and returns their names. */
  private List<Name> ownIndices(Side side) {
    List<Name> own = new ArrayList<>();
    for (int i = 0; i < shape.results(side); i++) {
      own.add(names.fresh(iteration.tiling().sides().get(side).index()));
    }
    return own;
  }

  private List<Code> steps(List<Iteration.Step> steps) {
    List<Code> out = new ArrayList<>();
    List<Code> plain = new ArrayList<>();
    for (Iteration.Step s : steps) {
      if (!(s instanceof Iteration.Plain)) {
        inGroups(plain, out);
        plain.clear();
      }
      switch (s) {
        case Iteration.Plain p -> plain.add(p.code());
        case Iteration.Tiled t -> product(t.product(), out);
        case Iteration.Around a -> out.add(around(a));
      }
    }
    inGroups(plain, out);
    return out;
  }

  private Code around(Iteration.Around a) {
    Code.For head = (Code.For) copies.of(List.of(a.head()), 0).getFirst();
    return head.withBody(steps(a.body()));
  }

  private void declareCopies() {
    List<Code> all = new ArrayList<>(iteration.plain());
    for (Product p : iteration.products()) {
      all.addAll(p.body());
      for (Staged s : p.staged()) {
        declareCopies(Set.of(s.value()));
      }
    }
    declareCopies(CodeCopies.declared(all));
  }

  private void declareCopies(Collection<Name> declared) {
    for (Name n : declared) {
      copies.declare(n, iteration.variance().of(n), names);
    }
  }

  /**
   * A digit of the thread block's number in a mixed radix.
   *
   * @param name the name bound to the digit times {@code times}
   * @param times the factor
   * @param base the number of values of the digit
   */
  private record Digit(Name name, int times, Poly base) {}

  /** Returns declarations of the tile's position, and of the indices of the other dimensions. */
  private List<Code> places() {
    List<Digit> digits = new ArrayList<>();
    for (ResultSpace.Dimension d : iteration.tiling().around()) {
      digits.add(new Digit(d.index(), 1, d.extent()));
    }
    for (Side side : iteration.tiling().several()) {
      digits.add(new Digit(first.get(side), shape.extent(side), Poly.of(tiles.get(side))));
    }
    List<Code> out = new ArrayList<>();
    Poly rest = Poly.of(block);
    for (Digit d : digits.subList(1, digits.size()).reversed()) {
      Name others = names.fresh("others");
      out.add(declare(others, quotient(rest, d.base)));
      Poly digit = rest.minus(d.base.times(Poly.of(others)));
      out.add(declare(d.name, new Expr.Index(digit.times(d.times))));
      rest = Poly.of(others);
    }
    Digit outermost = digits.getFirst();
    out.add(declare(outermost.name, new Expr.Index(rest.times(outermost.times))));
    return out;
  }

  private static Expr quotient(Poly p, Poly by) {
    return Expr.binary(BinOp.Kind.SQUOT, new Expr.Index(p), new Expr.Index(by));
  }

  private static Code declare(Name n, Expr value) {
    return new Code.Declare(n, PrimType.I64, value);
  }

  // Results

  /**
   * Emits groups of statements with the same variance, each group for one result after the other.
   */
  private void inGroups(List<Code> code, List<Code> out) {
    int start = 0;
    while (start < code.size()) {
      Set<Side> varies = iteration.variance().of(code.get(start));
      int end = start + 1;
      while (end < code.size() && iteration.variance().of(code.get(end)).equals(varies)) {
        end++;
      }
      out.addAll(copies.of(code.subList(start, end), varies));
      start = end;
    }
  }

  /** Emits the remaining code for each result in range. */
  private void after(List<Code> out) {
    ResultCopies exact = copies.copy();
    for (Side side : Side.values()) {
      exact.put(iteration.tiling().sides().get(side).index(), side, i -> tile.index(side, i));
    }
    iteration.tiling().space().flat().forEach(exact::put);
    for (int row = 0; row < shape.rows(); row++) {
      List<Code> ofRow = new ArrayList<>();
      for (int column = 0; column < shape.columns(); column++) {
        List<Code> code = exact.of(iteration.after(), row * shape.columns() + column);
        ofRow.addAll(ifIn(Side.COLUMN, column, code));
      }
      out.addAll(ifIn(Side.ROW, row, ofRow));
    }
  }

  /** Returns code for a result under the condition that its index is in range. */
  private List<Code> ifIn(Side side, int result, List<Code> code) {
    return shape.extent(side) == 1
        ? code
        : List.of(new Code.If(tile.isIn(side, result), code, List.of()));
  }

  // Products

  /** An element that a thread copies, and the variable that holds it until the store. */
  private record Fetch(Staged staged, int number, Name value) {}

  private void product(Product p, List<Code> out) {
    List<Fetch> fetches = new ArrayList<>();
    for (Staged s : p.staged()) {
      for (int i = 0; i < shape.fetches(s.side()); i++) {
        Name value = names.fresh("fetched");
        out.add(new Code.Declare(value, s.type(), Expr.zero(s.type())));
        fetches.add(new Fetch(s, i, value));
      }
    }
    Name whole = names.fresh("whole");
    out.add(declare(whole, quotient(p.steps(), Poly.of(shape.depth()))));
    List<Code> start = new ArrayList<>();
    for (Fetch f : fetches) {
      start.add(fetch(p, f, Poly.ZERO, false));
    }
    for (Fetch f : fetches) {
      start.add(store(f, EVEN));
    }
    out.add(new Code.If(Expr.less(Expr.i64(0), Expr.i64(whole)), start, List.of()));
    out.add(new Code.Barrier());
    Name round = names.fresh("round");
    out.add(
        new Code.For(
            round, PrimType.I64, Expr.i64(0), Expr.i64(whole), round(p, fetches, round, whole)));
    rest(p, fetches, Poly.of(whole).times(shape.depth()), out);
  }

  /** Returns the steps of a round, interleaved with the loads of the next round. */
  private List<Code> round(Product p, List<Fetch> fetches, Name round, Name whole) {
    List<Code> out = new ArrayList<>();
    Name odd = names.fresh("odd");
    out.add(declare(odd, Expr.binary(BinOp.Kind.AND, Expr.i64(round), Expr.i64(1))));
    Poly next = Poly.of(round).plus(Poly.ONE);
    Expr goesOn = Expr.less(new Expr.Index(next), Expr.i64(whole));
    List<Code> loads = new ArrayList<>();
    for (Fetch f : fetches) {
      loads.add(fetch(p, f, next.times(shape.depth()), false));
    }
    out.add(new Code.If(goesOn, loads, List.of()));
    Poly done = Poly.of(round).times(shape.depth());
    int unrolled = shape.unrolled();
    Name group = names.fresh(p.index());
    Poly before = unrolled < shape.depth() ? Poly.of(group).times(unrolled) : Poly.ZERO;
    List<Code> steps = new ArrayList<>();
    for (int i = 0; i < unrolled; i++) {
      steps.add(new Code.Scope(step(p, done, before.plus(Poly.of(i)), Poly.of(odd))));
    }
    if (unrolled < shape.depth()) {
      Expr groups = Expr.i64(shape.depth() / unrolled);
      out.add(new Code.For(group, PrimType.I64, Expr.i64(0), groups, steps));
    } else {
      out.addAll(steps);
    }
    List<Code> stores = new ArrayList<>();
    for (Fetch f : fetches) {
      stores.add(store(f, Poly.ONE.minus(Poly.of(odd))));
    }
    out.add(new Code.If(goesOn, stores, List.of()));
    out.add(new Code.Barrier());
    return out;
  }

  /** Emits the steps after the last full round. */
  private void rest(Product p, List<Fetch> fetches, Poly done, List<Code> out) {
    Long steps = p.steps().constant();
    if (steps != null && steps % shape.depth() == 0) {
      return;
    }
    Poly left = p.steps().minus(done);
    List<Code> start = new ArrayList<>();
    for (Fetch f : fetches) {
      start.add(fetch(p, f, done, true));
    }
    for (Fetch f : fetches) {
      start.add(store(f, EVEN));
    }
    out.add(new Code.If(Expr.less(Expr.i64(0), new Expr.Index(left)), start, List.of()));
    out.add(new Code.Barrier());
    Name step = names.fresh(p.index());
    List<Code> one = step(p, done, Poly.of(step), EVEN);
    out.add(new Code.For(step, PrimType.I64, Expr.i64(0), new Expr.Index(left), one));
    out.add(new Code.Barrier());
  }

  /** Returns the code of one step on elements in shared memory. */
  private List<Code> step(Product p, Poly done, Poly step, Poly odd) {
    copies.put(p.index(), done.plus(step));
    List<Code> out = new ArrayList<>();
    for (Staged s : p.staged()) {
      for (int i = 0; i < shape.results(s.side()); i++) {
        Poly at = place(s, odd, step, tile.position(s.side(), i));
        int result = s.side() == Side.ROW ? i * shape.columns() : i;
        Code read = new Code.Declare(s.value(), s.type(), new Expr.Load(shared, s.type(), at));
        out.addAll(copies.of(List.of(read), result));
      }
    }
    inGroups(p.body(), out);
    return out;
  }

  /**
   * Returns the load of an element for a round of steps; with {@code clamped}, from the last step
   * if the step is out of range.
   */
  private Code fetch(Product p, Fetch f, Poly from, boolean clamped) {
    Staged s = f.staged;
    Poly step = from.plus(tile.fetchedStep(s, f.number));
    List<Code> out = new ArrayList<>();
    if (clamped) {
      Name n = names.fresh("step");
      Expr last = new Expr.Index(p.steps().minus(Poly.ONE));
      out.add(declare(n, Expr.binary(BinOp.Kind.SMIN, new Expr.Index(step), last)));
      step = Poly.of(n);
    }
    Name side = iteration.tiling().sides().get(s.side()).index();
    boolean isFixed = !s.index().mentions(Set.of(side));
    Poly index = isFixed ? Poly.of(side) : tile.fetchedIndex(s, f.number);
    Poly at = s.index().substitute(at(p.index(), step, side, index));
    out.add(new Code.Assign(f.value, new Expr.Load(s.block(), s.type(), at)));
    return out.size() == 1 ? out.getFirst() : new Code.Scope(out);
  }

  private static Function<Name, Poly> at(Name step, Poly stepValue, Name side, Poly sideValue) {
    return n -> n.equals(step) ? stepValue : n.equals(side) ? sideValue : Poly.of(n);
  }

  private Code store(Fetch f, Poly odd) {
    Poly step = tile.fetchedStep(f.staged, f.number);
    Poly at = place(f.staged, odd, step, tile.fetchedAt(f.staged, f.number));
    PrimType type = f.staged.type();
    return new Code.Store(shared, type, at, new Expr.Var(f.value, type));
  }

  /** Returns the index of an element in shared memory. */
  private Poly place(Staged s, Poly odd, Poly step, Poly position) {
    Integer start = starts.get(s);
    if (start == null) {
      throw new IllegalStateException("no shared memory for " + s);
    }
    int size = s.type().bytes();
    return odd.times(bytes / size)
        .plus(Poly.of(start / size))
        .plus(step.times(shape.pitch(s.side(), s.type())))
        .plus(position);
  }
}
