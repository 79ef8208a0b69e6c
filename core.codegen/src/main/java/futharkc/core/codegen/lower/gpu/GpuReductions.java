package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.ControlFlow;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import java.util.ArrayList;
import java.util.List;

/**
 * A lowering of reductions on a GPU as two kernels. In the first kernel, several thread blocks
 * reduce parts of each segment. In the second, a thread block, or one thread for few parts,
 * combines the results of a segment.
 *
 * <p>If each thread block reduces a whole segment, it stores the result, and no second kernel runs.
 * The {@link SegStrategy} of a reduction says whether a thread block may reduce several segments at
 * once, and in which order it combines elements.
 */
final class GpuReductions {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final ControlFlow control;
  private final Statements statements;
  private final LoopNest nest;
  private final Operators operators;
  private final SequentialSegments sequential;
  private final ColumnReductions across;

  GpuReductions(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      ControlFlow control,
      Statements statements,
      LoopNest nest,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.control = control;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
    this.across = new ColumnReductions(scope, kernels, nest);
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
    Reduction red = new Reduction(scope, kernels, arrays, statements, operators, s, r);
    Kernels.Grid tuned = kernels.grid(r.level(), "segred", true, code);
    int each = red.types().stream().mapToInt(PrimType::bytes).sum();
    if (r.strategy() instanceof SegStrategy.Columns c) {
      Kernels.Grid grid = kernels.withShared(tuned, 2 * each, c.bytes(), code);
      across.lower(red, c, segments, size, grid, code);
    } else {
      SegStrategy.Blocks b =
          r.strategy() instanceof SegStrategy.Blocks x ? x : SegStrategy.Blocks.PLAIN;
      int items = b.order() instanceof SegStrategy.Windows w ? w.items() : 1;
      Kernels.Grid grid = kernels.withShared(tuned, each * (1 + items), b.bytes(), code);
      blocks(red, b, segments, size, grid, code);
    }
    out.add(new Code.Scope(code));
  }

  private void blocks(
      Reduction red,
      SegStrategy.Blocks strategy,
      Poly segments,
      Poly size,
      Kernels.Grid grid,
      List<Code> out) {
    if (!strategy.severalSegments()) {
      large(red, strategy, segments, size, grid, out);
      return;
    }
    List<Code> small = new ArrayList<>();
    small(red, segments, size, grid, small);
    List<Code> large = new ArrayList<>();
    large(red, strategy, segments, size, grid, large);
    Expr isSmall = Expr.less(new Expr.Index(size.times(2)), grid.threads());
    out.add(new Code.If(isSmall, small, large));
  }

  /** Lowers a reduction in which a thread block reduces several short segments at a time. */
  private void small(Reduction red, Poly segments, Poly size, Kernels.Grid grid, List<Code> out) {
    List<SegSpace.Dim> outer = red.outer();
    Name last = red.index();
    Expr some = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(size), Expr.i64(1));
    Poly length = Poly.of(kernels.let("length", some, out));
    Expr perBlock = Expr.binary(BinOp.Kind.SQUOT, grid.threads(), new Expr.Index(length));
    Poly several = Poly.of(kernels.let("several", perBlock, out));
    Expr needed =
        Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(segments), new Expr.Index(several));
    Poly groups = Poly.of(kernels.let("groups", needed, out));
    kernels.launch(
        "segred_small",
        ExecutionUnit.THREAD,
        grid.blocks(new Expr.Index(groups)),
        grid.threads(),
        (k, code) -> {
          Expr thread = Expr.i64(k.thread);
          Expr quotient = Expr.binary(BinOp.Kind.SQUOT, thread, new Expr.Index(length));
          Poly local = Poly.of(kernels.let("local", quotient, code));
          Poly pos = Poly.of(k.thread).minus(local.times(length));
          Expr position = Expr.i64(kernels.let("position", new Expr.Index(pos), code));
          ThreadAccumulators accs = red.accumulators(k, code);
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
                      red.element(accs, c);
                    },
                    own);
                Expr hasOwn = Expr.and(isValid, Expr.less(position, new Expr.Index(size)));
                one.add(new Code.If(hasOwn, own, List.of()));
                Name limit = kernels.let("limit", Expr.i64(0), one);
                one.add(
                    new Code.If(
                        isValid, List.of(new Code.Assign(limit, new Expr.Index(size))), List.of()));
                accs.reduce(position, Expr.i64(limit), size, one);
                List<Code> end = result(red, accs, outer, segment);
                Expr isFirst =
                    new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I64), position, Expr.i64(0));
                one.add(new Code.If(Expr.and(isValid, isFirst), end, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
  }

  /** Lowers a reduction as two kernels: parts of segments, then the results of the parts. */
  private void large(
      Reduction red,
      SegStrategy.Blocks strategy,
      Poly segments,
      Poly size,
      Kernels.Grid grid,
      List<Code> out) {
    List<SegSpace.Dim> outer = red.outer();
    Name last = red.index();
    boolean isWhole = segments.equals(Poly.ONE);
    SegStrategy.AnyOrder any = strategy.order() instanceof SegStrategy.AnyOrder x ? x : null;
    Expr most = most(grid, strategy.rounds());
    Expr some = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(segments), Expr.i64(1));
    Expr shares = Expr.binary(BinOp.Kind.SQUOT, most, some);
    List<PrimType> types = red.types();
    int items = strategy.order() instanceof SegStrategy.Windows w ? w.items() : 1;
    Expr round = Expr.binary(BinOp.Kind.MUL, grid.threads(), Expr.i64(items));
    Poly atOnce = Poly.of(kernels.let("round", round, out));
    Expr useful = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), new Expr.Index(atOnce));
    if (any != null && any.part() > 0) {
      // Use more thread blocks than the grid has only if each has enough elements.
      Expr filled = Expr.binary(BinOp.Kind.SQUOT, most(grid, 1), some);
      Expr worth = new Expr.Index(atOnce.times(any.part()));
      Expr full = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), worth);
      useful = Expr.binary(BinOp.Kind.SMAX, full, Expr.binary(BinOp.Kind.SMIN, useful, filled));
    }
    Expr count =
        Expr.binary(BinOp.Kind.SMAX, Expr.binary(BinOp.Kind.SMIN, shares, useful), Expr.i64(1));
    Poly parts = Poly.of(kernels.let("parts", count, out));
    Poly all = segments.times(parts);
    // A part is a multiple of what a thread block reads at once, so that each part begins at a
    // cache line.
    Expr each = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), new Expr.Index(parts));
    Expr rounds = Expr.binary(BinOp.Kind.SDIV_UP, each, new Expr.Index(atOnce));
    if (any != null) {
      Expr few = Expr.i64(any.piece());
      rounds = Expr.binary(BinOp.Kind.SMAX, Expr.binary(BinOp.Kind.SMIN, rounds, few), Expr.i64(1));
    }
    Expr whole = Expr.binary(BinOp.Kind.MUL, rounds, new Expr.Index(atOnce));
    Poly part = Poly.of(kernels.let(any != null ? "piece" : "part", whole, out));
    List<Name> partials = red.partials(types, all, out);
    Expr isOnly = Expr.atMost(new Expr.Index(parts), Expr.i64(1));
    kernels.launch(
        "segred",
        ExecutionUnit.THREAD,
        new Code.Grid(
            Expr.binary(BinOp.Kind.SMIN, new Expr.Index(all), most),
            grid.threads(),
            strategy.resident(),
            false),
        (k, code) -> {
          ThreadAccumulators accs = red.accumulators(k, code);
          NonCommutativeBlockReduction windows =
              strategy.order() instanceof SegStrategy.Windows w
                  ? new NonCommutativeBlockReduction(scope, kernels, k, accs, w, code)
                  : null;
          kernels.forBlocks(
              k,
              all,
              (number, one) -> {
                Expr quotient =
                    Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(parts));
                Name segment = kernels.let("segment", quotient, one);
                Poly which = Poly.of(number).minus(Poly.of(segment).times(parts));
                if (windows == null) {
                  // All thread blocks walk through a segment together, so that they access nearby
                  // memory pages.
                  Poly from = which.times(part);
                  Poly step = Poly.of(kernels.let("step", new Expr.Index(parts.times(part)), one));
                  accs.reset(one);
                  kernels.attempt(
                      c -> {
                        nest.decompose(outer, segment, c);
                        kernels.inSteps(
                            KernelFrame.Stride.of(from, step),
                            size,
                            (first, inside) -> {
                              Poly begin = Poly.of(first);
                              Expr limit = Reduction.smaller(begin.plus(part), size);
                              Poly end = Poly.of(kernels.let("end", limit, inside));
                              Poly own = begin.plus(Poly.of(k.thread));
                              red.elements(accs, own, Poly.of(k.threads), end, inside);
                            },
                            c);
                      },
                      one);
                  accs.reduce(one);
                } else {
                  Poly first =
                      Poly.of(kernels.let("first", new Expr.Index(which.times(part)), one));
                  Poly end =
                      Poly.of(kernels.let("end", Reduction.smaller(first.plus(part), size), one));
                  windows.reduce(
                      first,
                      end,
                      (i, c) -> {
                        nest.decompose(outer, segment, c);
                        scope.declare(last, Type.I64, Expr.i64(i), c);
                        red.body(c);
                      },
                      () -> red.operands(),
                      one);
                }
                List<Code> save = new ArrayList<>();
                Reduction.store(partials, types, Poly.of(number), accs.values(), save);
                if (!isWhole) {
                  List<Code> end = result(red, accs, outer, segment);
                  save = List.of(new Code.If(isOnly, end, save));
                }
                one.add(new Code.If(k.isFirst(), save, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
    List<Code> inBlocks = new ArrayList<>();
    parts(red, segments, parts, partials, grid, inBlocks);
    if (segments.equals(Poly.ONE)) {
      out.addAll(inBlocks);
    } else {
      List<Code> inThreads = new ArrayList<>();
      fewParts(red, segments, parts, partials, grid, inThreads);
      Expr areFew = Expr.atMost(new Expr.Index(parts), Expr.i64(strategy.partsOfThread()));
      out.add(new Code.If(isOnly, List.of(), List.of(new Code.If(areFew, inThreads, inBlocks))));
    }
    for (Name p : partials) {
      out.add(new Code.Free(p, PrimType.I8, List.of()));
    }
  }

  /** Returns the maximum number of thread blocks to launch. */
  private static Expr most(Kernels.Grid grid, int rounds) {
    Expr blocks = grid.blocks();
    if (blocks == null) {
      return Expr.i64(grid.most());
    }
    return rounds == 1 ? blocks : Expr.binary(BinOp.Kind.MUL, blocks, Expr.i64(rounds));
  }

  /** Combines the results of each segment's parts: one thread per segment. */
  private void fewParts(
      Reduction red,
      Poly segments,
      Poly parts,
      List<Name> partials,
      Kernels.Grid grid,
      List<Code> out) {
    List<SegSpace.Dim> outer = red.outer();
    List<PrimType> types = red.types();
    kernels.launch(
        "segred_few_parts",
        ExecutionUnit.THREAD,
        grid.blocksFor(segments),
        grid.threads(),
        (k, code) -> {
          ThreadAccumulators accs = red.accumulators(k, code);
          kernels.attempt(
              c ->
                  kernels.inSteps(
                      k.acrossGrid(),
                      segments,
                      (segment, one) -> {
                        accs.reset(one);
                        Poly row = Poly.of(segment).times(parts);
                        Reduction.Piece all = new Reduction.Piece(Poly.ZERO, parts);
                        red.combine(partials, types, all, row::plus, accs, one);
                        nest.decompose(outer, segment, one);
                        red.result(accs, one);
                      },
                      c),
              code);
        },
        out);
  }

  /** Combines the results of each segment's parts: one thread block per segment. */
  private void parts(
      Reduction red,
      Poly segments,
      Poly parts,
      List<Name> partials,
      Kernels.Grid grid,
      List<Code> out) {
    List<SegSpace.Dim> outer = red.outer();
    List<PrimType> types = red.types();
    kernels.launch(
        "segred_parts",
        ExecutionUnit.THREAD,
        grid.blocks(new Expr.Index(segments)),
        grid.threads(),
        (k, code) -> {
          ThreadAccumulators accs = red.accumulators(k, code);
          kernels.forBlocks(
              k,
              segments,
              (segment, one) -> {
                accs.reset(one);
                kernels.attempt(
                    c -> {
                      Reduction.Piece own =
                          red.piece(Poly.ZERO, parts, Poly.of(k.threads), Poly.of(k.thread), c);
                      Poly row = Poly.of(segment).times(parts);
                      red.combine(partials, types, own, row::plus, accs, c);
                    },
                    one);
                accs.reduce(one);
                List<Code> end = result(red, accs, outer, segment);
                one.add(new Code.If(k.isFirst(), end, List.of()));
                one.add(new Code.Barrier());
              },
              code);
        },
        out);
  }

  /**
   * Lowers a reduction by the threads of a thread block: one segment at a time, or one segment per
   * thread.
   */
  void inBlock(Stm s, SegOp.SegRed r, List<Code> out) {
    if (!ThreadAccumulators.fit(r.ops())) {
      sequential.reduce(s, r, out);
      return;
    }
    Reduction red = new Reduction(scope, kernels, arrays, statements, operators, s, r);
    KernelFrame k = KernelFrame.of(scope);
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    SegSpace.Dim last = dims.get(dims.size() - 1);
    Poly segments = nest.size(outer);
    List<Code> code = new ArrayList<>();
    ExecutionUnit block = scope.enter(ExecutionUnit.THREAD, k);
    code.add(new Code.Barrier());
    ThreadAccumulators accs = red.accumulators(k, code);
    List<Code> oneByOne = new ArrayList<>();
    kernels.inSteps(
        KernelFrame.Stride.of(Poly.ZERO, Poly.ONE),
        segments,
        (segment, one) -> {
          accs.reset(one);
          kernels.attempt(
              c -> {
                nest.decompose(outer, segment, c);
                Poly size = scope.poly(last.size());
                Reduction.Piece own =
                    red.piece(Poly.ZERO, size, Poly.of(k.threads), Poly.of(k.thread), c);
                red.elements(accs, own.from(), Poly.ONE, own.to(), c);
              },
              one);
          accs.reduce(one);
          if (outer.isEmpty()) {
            return;
          }
          List<Code> end = result(red, accs, outer, segment);
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
      if (Failures.arePossible(code)) {
        out.add(new Code.LeaveIfFailed());
      }
      return;
    }
    if (segments.equals(Poly.ONE)) {
      code.addAll(oneByOne);
    } else {
      List<Code> sideBySide = new ArrayList<>();
      kernels.attempt(
          c ->
              kernels.inSteps(
                  k.acrossBlock(),
                  segments,
                  (segment, one) -> {
                    nest.decompose(outer, segment, one);
                    accs.reset(one);
                    List<Code> body = new ArrayList<>();
                    red.element(accs, body);
                    Expr size = scope.expr(last.size());
                    one.add(new Code.For(last.index(), PrimType.I64, Expr.i64(0), size, body));
                    red.result(accs, one);
                  },
                  c),
          sideBySide);
      sideBySide.add(new Code.Barrier());
      Expr enough = Expr.atMost(Expr.i64(k.threads), new Expr.Index(segments));
      code.add(new Code.If(enough, sideBySide, oneByOne));
    }
    scope.leave(block);
    out.add(new Code.Scope(code));
    if (Failures.arePossible(code)) {
      out.add(new Code.LeaveIfFailed());
    }
  }

  /** Returns code that stores the result of a reduced segment. */
  private List<Code> result(
      Reduction red, ThreadAccumulators accs, List<SegSpace.Dim> outer, Name segment) {
    List<Code> out = new ArrayList<>();
    kernels.attempt(
        c -> {
          nest.decompose(outer, segment, c);
          red.result(accs, c);
        },
        out);
    return out;
  }

  /**
   * Stores the result of a whole reduction, and broadcasts it to all threads of the thread block.
   */
  private void alike(Stm s, SegOp.SegRed r, ThreadAccumulators accs, List<Code> out) {
    Lambda post = r.post();
    // Fresh scalars hold the result, because each thread has its own accumulated value.
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
        if (!FunctionSymbols.isUnit(p.type())) {
          out.add(new Code.Assign(p.name(), values.get(k)));
        }
      }
      return;
    }
    accs.bind(post.params(), values, out);
    List<SubExp> results = post.body().results();
    statements.lower(post.body().stms(), results, List.of(), out);
    control.assign(s.pat().subList(0, results.size()), results, out);
  }
}
