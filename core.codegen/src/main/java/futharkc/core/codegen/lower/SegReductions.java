package futharkc.core.codegen.lower;

import futharkc.core.codegen.Code;
import futharkc.core.codegen.Expr;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lowers segmented reductions: of one segment in parallel, or of several side by side. */
final class SegReductions {
  private final Scope scope;
  private final Blocks blocks;
  private final ArrayOps arrays;
  private final Statements statements;
  private final Operators operators;
  private final Segments segments;

  SegReductions(
      Scope scope,
      Blocks blocks,
      ArrayOps arrays,
      Statements statements,
      Operators operators,
      Segments segments) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.statements = statements;
    this.operators = operators;
    this.segments = segments;
  }

  void lower(Stm s, SegOp.SegRed r, List<Code> out) {
    List<SegSpace.Dim> dims = r.space().dims();
    SegSpace.Dim last = dims.get(dims.size() - 1);
    if (dims.size() == 1) {
      whole(s, r, last, List.of(), out);
      return;
    }
    List<SubExp> index =
        dims.subList(0, dims.size() - 1).stream().map(d -> SubExp.of(d.index())).toList();
    segments.lower(
        "segred",
        s.aux().loc(),
        dims,
        4,
        code -> one(s, r, last, index, code),
        code -> whole(s, r, last, index, code),
        out);
  }

  /** Reduces one segment on one thread; returns the cost of one element. */
  private Poly one(Stm s, SegOp.SegRed r, SegSpace.Dim dim, List<SubExp> index, List<Code> out) {
    Nest.Split split = Nest.split(r.body().stms(), Set.of(dim.index()));
    List<Operators.Acc> accs = operators.start(r.ops(), out);
    List<Code> some = new ArrayList<>();
    statements.lower(split.invariant(), List.of(), List.of(), some);
    Expr n = scope.expr(dim.size());
    Poly cost = range(s, r, dim, split.variant(), accs, Expr.i64(0), n, some);
    out.add(new Code.If(Expr.less(Expr.i64(0), n), some, List.of()));
    store(s, accs, index, out);
    return cost;
  }

  /** Reduces a range of one segment into accumulators; returns the cost of one element. */
  private Poly range(
      Stm s,
      SegOp.SegRed r,
      SegSpace.Dim dim,
      List<Stm> stms,
      List<Operators.Acc> accs,
      Expr from,
      Expr to,
      List<Code> out) {
    List<SubExp> results = r.body().values();
    int operands = accs.stream().mapToInt(a -> a.count()).sum();
    List<PatElem> mapped = s.pat().subList(operands, s.pat().size());
    List<SubExp> mappedResults = results.subList(operands, results.size());
    return operators.range(
        dim.index(),
        from,
        to,
        stms,
        results,
        accs,
        mapped.isEmpty(),
        code -> arrays.storeAt(mapped, r.space().dims(), mappedResults, code),
        out);
  }

  private void store(Stm s, List<Operators.Acc> accs, List<SubExp> index, List<Code> out) {
    int p = 0;
    for (Operators.Acc a : accs) {
      for (int j = 0; j < a.count(); j++) a.storeTo(j, s.pat().get(p++), index, out);
    }
  }

  /** Reduces one segment in parallel. */
  private void whole(Stm s, SegOp.SegRed r, SegSpace.Dim dim, List<SubExp> index, List<Code> out) {
    Region region = new Region(scope, "segred", s.aux().loc());
    List<Operators.Partials> partials = new ArrayList<>();
    for (SegOp.SegBinOp op : r.ops()) partials.add(operators.new Partials(op));
    List<Poly> cost = new ArrayList<>();
    List<Code> body =
        blocks.kernel(
            k -> {
              Nest.Split split = Nest.split(r.body().stms(), Set.of(dim.index()));
              statements.lower(split.invariant(), List.of(), List.of(), k);
              List<Operators.Acc> accs = operators.start(r.ops(), k);
              cost.add(
                  range(
                      s,
                      r,
                      dim,
                      split.variant(),
                      accs,
                      Expr.i64(region.from),
                      Expr.i64(region.to),
                      k));
              for (int i = 0; i < accs.size(); i++)
                partials.get(i).save(accs.get(i), Poly.of(region.chunk), k);
            });
    Poly total = scope.poly(dim.size());
    region.count(total, Cost.outside(cost.get(0), body), Region.BALANCED, out);
    for (Operators.Partials p : partials) p.alloc(Poly.of(region.chunks), out);
    region.run(total, body, out);
    List<Code> end = new ArrayList<>();
    List<Operators.Acc> accs = operators.startAnywhere(r.ops(), end);
    for (int i = 0; i < accs.size(); i++) {
      Operators.Acc acc = accs.get(i);
      Operators.Partials p = partials.get(i);
      Name c = scope.names.fresh("c");
      scope.add(c, Type.I64);
      List<Code> step = new ArrayList<>();
      p.combineInto(acc, Poly.of(c), step);
      end.add(new Code.For(c, PrimType.I64, Expr.i64(0), Expr.i64(region.chunks), step));
      p.free(end);
    }
    store(s, accs, index, end);
    for (Operators.Acc a : accs) a.free(end);
    out.add(new Code.Scope(end));
  }
}
