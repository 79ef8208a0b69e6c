package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of segmented scans on a CPU: a segment in parallel, or several segments in parallel.
 */
final class SegScans {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final Statements statements;
  private final LoopNest nest;
  private final Operators operators;
  private final Segments segments;

  SegScans(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest,
      Operators operators,
      Segments segments) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
    this.segments = segments;
  }

  void lower(Stm s, SegOp.SegScan c, SegExp.@Nullable Choice choice, List<Code> out) {
    List<SegSpace.Dim> dims = c.space().dims();
    SegSpace.Dim last = dims.get(dims.size() - 1);
    if (dims.size() == 1) {
      whole(s, c, last, out);
      return;
    }
    segments.lower(
        "segscan",
        s.aux().loc(),
        dims,
        choice,
        (from, to, outer, code) -> {
          List<Poly> cost = new ArrayList<>();
          nest.range(
              outer,
              from,
              to,
              row -> {
                List<Operators.Acc> accs = operators.start(c.ops(), row);
                cost.add(range(s, c, last, accs, Expr.i64(0), scope.expr(last.size()), row));
              },
              code);
          return cost.get(0);
        },
        code -> whole(s, c, last, code),
        out);
  }

  /**
   * Scans a range, beginning with the accumulators' values.
   *
   * @return the cost of one element
   */
  private Poly range(
      Stm s,
      SegOp.SegScan c,
      SegSpace.Dim dim,
      List<Operators.Acc> accs,
      Expr from,
      Expr to,
      List<Code> out) {
    List<SubExp> results = c.body().values();
    return operators.range(
        dim.index(),
        from,
        to,
        new LoopNest.Split(List.of(), c.body().stms()),
        results,
        accs,
        false,
        code -> {
          int k = 0;
          for (Operators.Acc a : accs) {
            for (int j = 0; j < a.count(); j++) {
              a.bindTo(j, c.post().params().get(k++), c.post().body(), code);
            }
          }
          for (; k < c.post().params().size(); k++) {
            var p = c.post().params().get(k);
            if (p.type() instanceof Type.Prim) {
              scope.declare(p.name(), p.type(), scope.expr(results.get(k)), code);
            } else {
              arrays.bind(p, results.get(k), c.post().body(), code);
            }
          }
          List<SubExp> posted = c.post().body().results();
          statements.lower(c.post().body().stms(), posted, List.of(), code);
          arrays.storeAt(s.pat(), c.space().dims(), posted, code);
        },
        out);
  }

  /**
   * Scans one segment in parallel. Each chunk is reduced, and then scanned from the combined
   * reductions of all earlier chunks.
   */
  private void whole(Stm s, SegOp.SegScan c, SegSpace.Dim dim, List<Code> out) {
    RegionBuilder region = new RegionBuilder(scope, "segscan", s.aux().loc());
    List<SubExp> results = c.body().values();
    List<Operators.Partials> own = new ArrayList<>();
    List<Operators.Partials> before = new ArrayList<>();
    for (SegOp.SegBinOp op : c.ops()) {
      own.add(operators.new Partials(op));
      before.add(operators.new Partials(op));
    }
    List<Code> reduce =
        blocks.kernel(
            k -> {
              List<Operators.Acc> accs = operators.start(c.ops(), k);
              Expr from = Expr.i64(region.from);
              operators.range(
                  dim.index(),
                  from,
                  Expr.i64(region.to),
                  new LoopNest.Split(List.of(), c.body().stms()),
                  results,
                  accs,
                  true,
                  code -> {},
                  k);
              for (int i = 0; i < accs.size(); i++) {
                own.get(i).save(accs.get(i), Poly.of(region.chunk), k);
              }
            });
    List<Code> combine =
        blocks.kernel(
            k -> {
              for (int i = 0; i < c.ops().size(); i++) {
                Operators.Acc acc = operators.start(List.of(c.ops().get(i)), k).get(0);
                before.get(i).loadInto(acc, Poly.of(region.chunk), k);
                own.get(i).combineInto(acc, Poly.of(region.chunk), k);
                before.get(i).save(acc, Poly.of(region.chunk).plus(Poly.ONE), k);
              }
            });
    List<Poly> cost = new ArrayList<>();
    List<Code> scan =
        blocks.kernel(
            k -> {
              List<Operators.Acc> accs = operators.start(c.ops(), k);
              for (int i = 0; i < accs.size(); i++) {
                before.get(i).loadInto(accs.get(i), Poly.of(region.chunk), k);
              }
              cost.add(range(s, c, dim, accs, Expr.i64(region.from), Expr.i64(region.to), k));
            });
    Poly total = scope.poly(dim.size());
    region.count(total, scope.costs.outside(cost.get(0), scan), 0, out);
    for (int i = 0; i < c.ops().size(); i++) {
      own.get(i).alloc(Poly.of(region.chunks).plus(Poly.ONE), out);
      before.get(i).alloc(Poly.of(region.chunks).plus(Poly.ONE), out);
      before.get(i).neutralAt(Poly.ZERO, out);
    }
    out.add(
        new Code.ChainedScan(
            region.label(),
            region.loc,
            new Expr.Index(total),
            Expr.i64(region.chunks),
            region.chunk,
            region.from,
            region.to,
            reduce,
            combine,
            scan));
    for (Operators.Partials p : own) {
      p.free(out);
    }
    for (Operators.Partials p : before) {
      p.free(out);
    }
  }
}
