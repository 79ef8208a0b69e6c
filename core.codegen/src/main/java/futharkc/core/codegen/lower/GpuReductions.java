package futharkc.core.codegen.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Lowers reductions on a GPU, in two kernels: several blocks reduce parts of each segment, then one
 * block for each segment what these have found. Where segments are short, a block reduces several
 * at once, in one kernel; where they lie side by side in memory, as columns do, several in any
 * case.
 */
final class GpuReductions {
  private final Scope scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Control control;
  private final Statements statements;
  private final Nest nest;
  private final Operators operators;
  private final SequentialSegments sequential;

  GpuReductions(
      Scope scope,
      Kernels kernels,
      ArrayOps arrays,
      Control control,
      Statements statements,
      Nest nest,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.control = control;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
    this.sequential = new SequentialSegments(scope, kernels, arrays, statements, nest, operators);
  }

  void lower(Stm s, SegOp.SegRed r, List<Code> out) {
    if (!ThreadAccumulators.fit(r.ops())) {
      sequential.reduce(s, r, out);
      return;
    }
    List<SegSpace.Dim> dims = r.space().dims();
    Poly segments = nest.size(dims.subList(0, dims.size() - 1));
    Poly size = scope.poly(dims.get(dims.size() - 1).size());
    List<Code> code = new ArrayList<>();
    Kernels.Grid grid = kernels.grid(r.level(), "segred", true, code);
    if (segments.equals(Poly.ONE)) {
      large(s, r, segments, size, grid, code);
    } else if (isAcross(r)) {
      across(s, r, segments, size, grid, code);
    } else {
      List<Code> small = new ArrayList<>();
      small(s, r, segments, size, grid, small);
      List<Code> large = new ArrayList<>();
      large(s, r, segments, size, grid, large);
      Expr isSmall = Expr.less(new Expr.Index(size.times(2)), grid.threads());
      code.add(new Code.If(isSmall, small, large));
    }
    out.add(new Code.Scope(code));
  }

  /** Evaluates the body at an index: what is mapped is stored. */
  private void body(Stm s, SegOp.SegRed r, List<Code> out) {
    List<SubExp> results = r.body().values();
    statements.lower(r.body().stms(), results, List.of(), out);
    int n = r.operands();
    int reduced = s.pat().size() - (results.size() - n);
    List<PatElem> mapped = s.pat().subList(reduced, s.pat().size());
    arrays.storeAt(mapped, r.space().dims(), results.subList(n, results.size()), out);
  }

  /** What the body gives at an index. */
  private List<Expr> operands(SegOp.SegRed r) {
    return r.body().values().subList(0, r.operands()).stream().map(scope::expr).toList();
  }

  /** What an index contributes: the body's operands are combined. */
  private void element(Stm s, SegOp.SegRed r, ThreadAccumulators accs, List<Code> out) {
    body(s, r, out);
    accs.append(operands(r), out);
  }

  /** Combines what indices of a segment contribute. */
  private void elements(
      Stm s,
      SegOp.SegRed r,
      ThreadAccumulators accs,
      Poly from,
      Poly step,
      Poly to,
      List<Code> out) {
    Name last = r.space().dims().get(r.space().dims().size() - 1).index();
    kernels.strided(
        from,
        step,
        to,
        (i, body) -> {
          scope.declare(last, Type.I64, Expr.i64(i), body);
          body(s, r, body);
        },
        body -> accs.append(operands(r), body),
        out);
  }

  /** What becomes of what a segment was reduced to. */
  private void result(Stm s, SegOp.SegRed r, ThreadAccumulators accs, List<Code> out) {
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    Lambda post = r.post();
    if (post == null) {
      List<Expr> values = accs.values();
      List<PrimType> types = accs.types();
      for (int k = 0; k < values.size(); k++) {
        arrays.storeScalar(s.pat().get(k).type(), outer, types.get(k), values.get(k), out);
      }
      return;
    }
    accs.bind(post.params(), accs.values(), out);
    List<SubExp> results = post.body().results();
    statements.lower(post.body().stms(), results, List.of(), out);
    arrays.storeAt(s.pat().subList(0, results.size()), outer, results, out);
  }

  // Segments side by side

  /** Whether what a segment's elements are made of lies side by side for neighbouring segments. */
  private boolean isAcross(SegOp.SegRed r) {
    List<SegSpace.Dim> dims = r.space().dims();
    Name inSegment = dims.get(dims.size() - 1).index();
    Name segment = dims.get(dims.size() - 2).index();
    Set<Name> bound = new HashSet<>();
    int across = 0;
    int along = 0;
    for (Stm s : r.body().stms()) {
      for (PatElem p : s.pat()) bound.add(p.name());
      if (!(s.exp() instanceof BasicOp.Index x) || !x.slice().isElement()) continue;
      if (bound.contains(x.array())) continue;
      Poly at = ((Expr.Load) arrays.element(x.array(), ArrayOps.fixed(x.slice()))).index();
      if (isOne(stride(at, inSegment))) along++;
      else if (isOne(stride(at, segment)) && !stride(at, inSegment).isZero()) across++;
    }
    return across > along;
  }

  private static Poly stride(Poly at, Name index) {
    Poly next = at.substitute(n -> n.equals(index) ? Poly.of(n).plus(Poly.ONE) : Poly.of(n));
    return next.minus(at);
  }

  private static boolean isOne(Poly stride) {
    Long c = stride.constant();
    return c != null && Math.abs(c) == 1;
  }

  /** How the threads of a block are arranged: neighbouring columns are neighbouring segments. */
  private record Columns(Poly columns, Poly rows, Poly groups) {}

  /**
   * Reduces parts of segments, then what these give. The threads of a block stand in columns, one
   * for each of some neighbouring segments, so that neighbouring threads access neighbouring
   * elements.
   */
  private void across(
      Stm s, SegOp.SegRed r, Poly segments, Poly size, Kernels.Grid grid, List<Code> out) {
    Expr width =
        Expr.binary(BinOp.Kind.SMIN, grid.threads(), Expr.i64(scope.target.kernels().warp()));
    Name columns = kernels.let("columns", width, out);
    Expr height = Expr.binary(BinOp.Kind.SQUOT, grid.threads(), Expr.i64(columns));
    Name rows = kernels.let("rows", height, out);
    Expr count = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(segments), Expr.i64(columns));
    Name groups = kernels.let("groups", count, out);
    Columns c = new Columns(Poly.of(columns), Poly.of(rows), Poly.of(groups));
    Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
    Expr some = Expr.binary(BinOp.Kind.SMAX, Expr.i64(groups), Expr.i64(1));
    Expr shares = Expr.binary(BinOp.Kind.SQUOT, most, some);
    Expr useful =
        Expr.binary(
            BinOp.Kind.SDIV_UP,
            new Expr.Index(size),
            new Expr.Index(c.rows.times(scope.target.kernels().elementsForThread())));
    Expr several =
        Expr.binary(BinOp.Kind.SMAX, Expr.binary(BinOp.Kind.SMIN, shares, useful), Expr.i64(1));
    Poly parts = Poly.of(kernels.let("parts", several, out));
    Expr each = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), new Expr.Index(parts));
    Poly part = Poly.of(kernels.let("part", each, out));
    List<PrimType> types = types(r);
    List<Name> partials = partials(types, segments.times(parts), out);
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    columns(
        "segred_across",
        r,
        c,
        segments,
        parts,
        grid,
        (k, accs, t, code) -> {
          Poly first = Poly.of(kernels.let("first", new Expr.Index(t.number.times(part)), code));
          Poly end = Poly.of(kernels.let("end", smaller(first.plus(part), size), code));
          nest.decompose(outer, t.segment, code);
          Piece own = piece(first, end, c.rows, t.row, code);
          elements(s, r, accs, own.from, Poly.ONE, own.to, code);
        },
        (k, accs, t, code) -> {
          Poly at = t.number.times(segments).plus(Poly.of(t.segment));
          store(partials, types, at, accs.values(), code);
        },
        out);
    columns(
        "segred_across_parts",
        r,
        c,
        segments,
        Poly.ONE,
        grid,
        (k, accs, t, code) -> {
          Piece own = piece(Poly.ZERO, parts, c.rows, t.row, code);
          combine(
              partials, types, own, i -> i.times(segments).plus(Poly.of(t.segment)), accs, code);
        },
        (k, accs, t, code) -> {
          nest.decompose(outer, t.segment, code);
          result(s, r, accs, code);
        },
        out);
    for (Name p : partials) out.add(new Code.Free(p, PrimType.I8, List.of()));
  }

  /** A thread's part in columns: its segment, its row, and the number of the segment's part. */
  private record InColumn(Name segment, Poly row, Poly number) {}

  private interface ColumnCode {
    void add(KernelFrame k, ThreadAccumulators accs, InColumn t, List<Code> out);
  }

  /**
   * A kernel for parts of neighbouring segments.
   *
   * @param own what each thread of a column accumulates
   * @param end what the first of them does with what all of them have
   */
  private void columns(
      String kind,
      SegOp.SegRed r,
      Columns c,
      Poly segments,
      Poly parts,
      Kernels.Grid grid,
      ColumnCode own,
      ColumnCode end,
      List<Code> out) {
    Poly all = c.groups.times(parts);
    kernels.launch(
        kind,
        Place.THREAD,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          Expr quotient =
              Expr.binary(BinOp.Kind.SQUOT, Expr.i64(k.thread), new Expr.Index(c.columns));
          Poly row = Poly.of(kernels.let("row", quotient, code));
          Poly inRow = Poly.of(k.thread).minus(row.times(c.columns));
          Poly column = Poly.of(kernels.let("column", new Expr.Index(inRow), code));
          ThreadAccumulators accs =
              new ThreadAccumulators(scope, kernels, operators, k, r.ops(), code);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                Expr which =
                    Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(c.groups));
                Poly part = Poly.of(kernels.let("number", which, one));
                Poly group = Poly.of(number).minus(part.times(c.groups));
                Poly place = group.times(c.columns).plus(column);
                Name segment = kernels.let("segment", new Expr.Index(place), one);
                InColumn t = new InColumn(segment, row, part);
                Name valid = scope.names.fresh("valid");
                Expr isOne =
                    Expr.and(
                        Expr.less(Expr.i64(segment), new Expr.Index(segments)),
                        Expr.less(new Expr.Index(row), new Expr.Index(c.rows)));
                scope.declare(valid, Type.prim(PrimType.BOOL), isOne, one);
                Expr isValid = new Expr.Var(valid, PrimType.BOOL);
                accs.reset(one);
                List<Code> mine = new ArrayList<>();
                kernels.attempt(x -> own.add(k, accs, t, x), mine);
                one.add(new Code.If(isValid, mine, List.of()));
                accs.reduce(new Expr.Index(row), new Expr.Index(c.rows), c.rows, c.columns, one);
                List<Code> last = new ArrayList<>();
                kernels.attempt(x -> end.add(k, accs, t, x), last);
                Expr isFirst =
                    new Expr.Compare(
                        new CmpOp(CmpOp.Kind.EQ, PrimType.I64), new Expr.Index(row), Expr.i64(0));
                one.add(new Code.If(Expr.and(isValid, isFirst), last, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
  }

  // Parts

  /** Some of the indices in order. */
  private record Piece(Poly from, Poly to) {}

  /** One of so many pieces of a range. */
  private Piece piece(Poly first, Poly end, Poly pieces, Poly number, List<Code> out) {
    Expr share =
        Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(end.minus(first)), new Expr.Index(pieces));
    Poly own = Poly.of(kernels.let("own", share, out));
    Poly from = first.plus(own.times(number));
    return new Piece(from, Poly.of(kernels.let("to", smaller(from.plus(own), end), out)));
  }

  private List<PrimType> types(SegOp.SegRed r) {
    List<PrimType> types = new ArrayList<>();
    for (SegOp.SegBinOp op : r.ops()) {
      for (SubExp n : op.neutral()) types.add(scope.type(n).elemPrim());
    }
    return types;
  }

  /** Blocks for what parts give, one for each operand. */
  private List<Name> partials(List<PrimType> types, Poly count, List<Code> out) {
    List<Name> partials = new ArrayList<>();
    for (PrimType t : types) {
      Name n = scope.names.fresh("partials");
      Expr bytes = new Expr.Index(count.times(t.bytes()));
      out.add(new Code.Alloc(n, PrimType.I8, bytes, scope.loc()));
      partials.add(n);
    }
    return partials;
  }

  private static void store(
      List<Name> partials, List<PrimType> types, Poly at, List<Expr> values, List<Code> out) {
    for (int j = 0; j < partials.size(); j++) {
      out.add(new Code.Store(partials.get(j), types.get(j), at, values.get(j)));
    }
  }

  /** Accumulates what some parts have given, in order. */
  private void combine(
      List<Name> partials,
      List<PrimType> types,
      Piece piece,
      UnaryOperator<Poly> place,
      ThreadAccumulators accs,
      List<Code> out) {
    List<Expr> found = new ArrayList<>();
    kernels.strided(
        piece.from,
        Poly.ONE,
        piece.to,
        (i, body) -> {
          for (int j = 0; j < partials.size(); j++) {
            Name n = scope.names.fresh("found");
            Expr load = new Expr.Load(partials.get(j), types.get(j), place.apply(Poly.of(i)));
            scope.declare(n, Type.prim(types.get(j)), load, body);
            found.add(new Expr.Var(n, types.get(j)));
          }
        },
        body -> accs.append(found, body),
        out);
  }

  /** Reduces several segments in a block at a time. */
  private void small(
      Stm s, SegOp.SegRed r, Poly segments, Poly size, Kernels.Grid grid, List<Code> out) {
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    Name last = dims.get(dims.size() - 1).index();
    Expr some = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(size), Expr.i64(1));
    Poly length = Poly.of(kernels.let("length", some, out));
    Expr perBlock = Expr.binary(BinOp.Kind.SQUOT, grid.threads(), new Expr.Index(length));
    Poly several = Poly.of(kernels.let("several", perBlock, out));
    Expr needed =
        Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(segments), new Expr.Index(several));
    Poly groups = Poly.of(kernels.let("groups", needed, out));
    kernels.launch(
        "segred_small",
        Place.THREAD,
        grid.blocks(new Expr.Index(groups)),
        grid.threads(),
        (k, code) -> {
          Expr thread = Expr.i64(k.thread);
          Expr quotient = Expr.binary(BinOp.Kind.SQUOT, thread, new Expr.Index(length));
          Poly local = Poly.of(kernels.let("local", quotient, code));
          Poly pos = Poly.of(k.thread).minus(local.times(length));
          Expr position = Expr.i64(kernels.let("position", new Expr.Index(pos), code));
          ThreadAccumulators accs =
              new ThreadAccumulators(scope, kernels, operators, k, r.ops(), code);
          kernels.forBlocks(
              k,
              groups,
              (group, one) -> {
                Poly number = Poly.of(group).times(several).plus(local);
                Name segment = kernels.let("segment", new Expr.Index(number), one);
                Expr isOne =
                    Expr.and(
                        Expr.less(new Expr.Index(local), new Expr.Index(several)),
                        Expr.less(Expr.i64(segment), new Expr.Index(segments)));
                Name valid = scope.names.fresh("valid");
                scope.declare(valid, Type.prim(PrimType.BOOL), isOne, one);
                Expr isValid = new Expr.Var(valid, PrimType.BOOL);
                accs.reset(one);
                List<Code> own = new ArrayList<>();
                kernels.attempt(
                    c -> {
                      nest.decompose(outer, segment, c);
                      scope.declare(last, Type.I64, position, c);
                      element(s, r, accs, c);
                    },
                    own);
                Expr hasOwn = Expr.and(isValid, Expr.less(position, new Expr.Index(size)));
                one.add(new Code.If(hasOwn, own, List.of()));
                Name limit = kernels.let("limit", Expr.i64(0), one);
                one.add(
                    new Code.If(
                        isValid, List.of(new Code.Assign(limit, new Expr.Index(size))), List.of()));
                accs.reduce(position, Expr.i64(limit), size, one);
                List<Code> end = new ArrayList<>();
                kernels.attempt(
                    c -> {
                      nest.decompose(outer, segment, c);
                      result(s, r, accs, c);
                    },
                    end);
                Expr isFirst =
                    new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I64), position, Expr.i64(0));
                one.add(new Code.If(Expr.and(isValid, isFirst), end, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
  }

  /** Reduces parts of segments, then what these give. */
  private void large(
      Stm s, SegOp.SegRed r, Poly segments, Poly size, Kernels.Grid grid, List<Code> out) {
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
    Expr some = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(segments), Expr.i64(1));
    Expr shares = Expr.binary(BinOp.Kind.SQUOT, most, some);
    Expr useful = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), grid.threads());
    Expr count =
        Expr.binary(BinOp.Kind.SMAX, Expr.binary(BinOp.Kind.SMIN, shares, useful), Expr.i64(1));
    Poly parts = Poly.of(kernels.let("parts", count, out));
    // Whole rounds of a block, so that each part begins where a line of the cache does.
    Poly all = segments.times(parts);
    Expr each = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), new Expr.Index(parts));
    Expr rounds = Expr.binary(BinOp.Kind.SDIV_UP, each, grid.threads());
    Expr whole = Expr.binary(BinOp.Kind.MUL, rounds, grid.threads());
    Poly part = Poly.of(kernels.let("part", whole, out));
    List<PrimType> types = types(r);
    List<Name> partials = partials(types, all, out);
    boolean commutes =
        r.ops().stream()
            .allMatch(o -> o.commutative() || AtomicUpdates.commutes(o.op(), o.neutral().size()));
    kernels.launch(
        "segred",
        Place.THREAD,
        grid.blocks(new Expr.Index(all)),
        grid.threads(),
        (k, code) -> {
          ThreadAccumulators accs =
              new ThreadAccumulators(scope, kernels, operators, k, r.ops(), code);
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                Expr quotient =
                    Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(parts));
                Name segment = kernels.let("segment", quotient, one);
                Poly which = Poly.of(number).minus(Poly.of(segment).times(parts));
                Poly first = Poly.of(kernels.let("first", new Expr.Index(which.times(part)), one));
                Poly end = Poly.of(kernels.let("end", smaller(first.plus(part), size), one));
                accs.reset(one);
                kernels.attempt(
                    c -> {
                      nest.decompose(outer, segment, c);
                      if (commutes) {
                        Poly from = first.plus(Poly.of(k.thread));
                        elements(s, r, accs, from, Poly.of(k.threads), end, c);
                      } else {
                        Piece own = piece(first, end, Poly.of(k.threads), Poly.of(k.thread), c);
                        elements(s, r, accs, own.from, Poly.ONE, own.to, c);
                      }
                    },
                    one);
                accs.reduce(Expr.i64(k.thread), Expr.i64(k.threads), Poly.of(k.threads), one);
                List<Code> save = new ArrayList<>();
                store(partials, types, Poly.of(number), accs.values(), save);
                one.add(new Code.If(k.isFirst(), save, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
    kernels.launch(
        "segred_parts",
        Place.THREAD,
        grid.blocks(new Expr.Index(segments)),
        grid.threads(),
        (k, code) -> {
          ThreadAccumulators accs =
              new ThreadAccumulators(scope, kernels, operators, k, r.ops(), code);
          kernels.forBlocks(
              k,
              segments,
              (segment, one) -> {
                accs.reset(one);
                kernels.attempt(
                    c -> {
                      Piece own = piece(Poly.ZERO, parts, Poly.of(k.threads), Poly.of(k.thread), c);
                      Poly row = Poly.of(segment).times(parts);
                      combine(partials, types, own, row::plus, accs, c);
                    },
                    one);
                accs.reduce(Expr.i64(k.thread), Expr.i64(k.threads), Poly.of(k.threads), one);
                List<Code> end = new ArrayList<>();
                kernels.attempt(
                    c -> {
                      nest.decompose(outer, segment, c);
                      result(s, r, accs, c);
                    },
                    end);
                one.add(new Code.If(k.isFirst(), end, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
    for (Name p : partials) out.add(new Code.Free(p, PrimType.I8, List.of()));
  }

  /** Reduces by the threads of a block: one segment after the other, or one for each thread. */
  void inBlock(Stm s, SegOp.SegRed r, List<Code> out) {
    if (!ThreadAccumulators.fit(r.ops())) {
      sequential.reduce(s, r, out);
      return;
    }
    KernelFrame k = scope.frame();
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    SegSpace.Dim last = dims.get(dims.size() - 1);
    Poly segments = nest.size(outer);
    List<Code> code = new ArrayList<>();
    Place block = scope.enter(Place.THREAD, k);
    code.add(new Code.Barrier());
    ThreadAccumulators accs = new ThreadAccumulators(scope, kernels, operators, k, r.ops(), code);
    List<Code> oneByOne = new ArrayList<>();
    kernels.inSteps(
        Poly.ZERO,
        Poly.ONE,
        segments,
        (segment, one) -> {
          accs.reset(one);
          kernels.attempt(
              c -> {
                nest.decompose(outer, segment, c);
                Poly size = scope.poly(last.size());
                Piece own = piece(Poly.ZERO, size, Poly.of(k.threads), Poly.of(k.thread), c);
                elements(s, r, accs, own.from, Poly.ONE, own.to, c);
              },
              one);
          accs.reduce(Expr.i64(k.thread), Expr.i64(k.threads), Poly.of(k.threads), one);
          if (outer.isEmpty()) return;
          List<Code> end = new ArrayList<>();
          kernels.attempt(
              c -> {
                nest.decompose(outer, segment, c);
                result(s, r, accs, c);
              },
              end);
          one.add(new Code.If(k.isFirst(), end, List.of()));
          one.add(new Code.Barrier());
        },
        oneByOne);
    if (outer.isEmpty()) {
      control.declare(s.pat(), out);
      code.addAll(oneByOne);
      scope.leave(block);
      alike(s, r, accs, code);
      out.add(new Code.Scope(code));
      if (Kernels.mayFail(code)) out.add(new Code.LeaveIfFailed());
      return;
    }
    if (segments.equals(Poly.ONE)) {
      code.addAll(oneByOne);
    } else {
      List<Code> sideBySide = new ArrayList<>();
      kernels.attempt(
          c ->
              kernels.inSteps(
                  Poly.of(k.thread),
                  Poly.of(k.threads),
                  segments,
                  (segment, one) -> {
                    nest.decompose(outer, segment, one);
                    accs.reset(one);
                    List<Code> body = new ArrayList<>();
                    element(s, r, accs, body);
                    Expr size = scope.expr(last.size());
                    one.add(new Code.For(last.index(), PrimType.I64, Expr.i64(0), size, body));
                    result(s, r, accs, one);
                  },
                  c),
          sideBySide);
      sideBySide.add(new Code.Barrier());
      Expr enough = Expr.atMost(Expr.i64(k.threads), new Expr.Index(segments));
      code.add(new Code.If(enough, sideBySide, oneByOne));
    }
    scope.leave(block);
    out.add(new Code.Scope(code));
    if (Kernels.mayFail(code)) out.add(new Code.LeaveIfFailed());
  }

  /** What becomes of what all was reduced to, which all threads of a block get to know. */
  private void alike(Stm s, SegOp.SegRed r, ThreadAccumulators accs, List<Code> out) {
    Lambda post = r.post();
    // Scalars of their own: what a thread accumulates differs from that of others.
    List<PrimType> types = accs.types();
    List<Expr> values = new ArrayList<>();
    for (Expr e : accs.published(Poly.ZERO)) {
      Name all = scope.names.fresh("all");
      PrimType t = types.get(values.size());
      out.add(new Code.Declare(all, t, e));
      values.add(new Expr.Var(all, t));
    }
    out.add(new Code.Barrier());
    if (post == null) {
      for (int k = 0; k < values.size(); k++) {
        PatElem p = s.pat().get(k);
        if (!Scope.isUnit(p.type())) out.add(new Code.Assign(p.name(), values.get(k)));
      }
      return;
    }
    accs.bind(post.params(), values, out);
    List<SubExp> results = post.body().results();
    statements.lower(post.body().stms(), results, List.of(), out);
    control.assign(s.pat().subList(0, results.size()), results, out);
  }

  static Expr smaller(Poly a, Poly b) {
    return Expr.binary(BinOp.Kind.SMIN, new Expr.Index(a), new Expr.Index(b));
  }
}
