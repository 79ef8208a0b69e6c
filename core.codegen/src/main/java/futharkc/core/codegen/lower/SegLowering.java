package futharkc.core.codegen.lower;

import futharkc.core.codegen.Code;
import futharkc.core.codegen.Expr;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lowers parallel operations: how they are cut into chunks, and what happens to the results. */
final class SegLowering {
  /** How many chunks a thread gets where they are independent: enough for balance. */
  private static final int BALANCED = 8;

  /** A segment with less work than this, in elementary operations, is not cut up. */
  private static final long SMALL_WORK = 50_000;

  private final FunctionLowering f;
  private final Nest nest;
  private final Reductions reductions;
  private final Histograms histograms;

  SegLowering(FunctionLowering f) {
    this.f = f;
    this.nest = new Nest(f);
    this.reductions = new Reductions(f, nest);
    this.histograms = new Histograms(f, nest, reductions);
  }

  /** Lowers an operation and, where there is one, its version with the inner parallelism kept. */
  void parallel(Stm s, SegExp.ParOp p, List<Code> out) {
    f.declarePattern(s.pat(), out);
    if (p.nested() == null) {
      List<Code> code = new ArrayList<>();
      operation(s, p.op(), code);
      out.add(new Code.Scope(code));
      return;
    }
    List<Code> outer = new ArrayList<>();
    operation(s, p.op(), outer);
    Name threads = f.names.fresh("threads");
    List<Code> code = new ArrayList<>();
    code.add(new Code.ThreadCount(threads));
    Poly size = nest.size(p.op().space().dims());
    Expr enough = Expr.atMost(new Expr.Index(Poly.of(threads).times(4)), new Expr.Index(size));
    Expr alone = Expr.less(Expr.i64(threads), Expr.i64(2));
    code.add(new Code.If(or(alone, enough), outer, f.nested(s.pat(), p.nested())));
    out.add(new Code.Scope(code));
  }

  private static Expr or(Expr a, Expr b) {
    return new Expr.Binary(new BinOp(BinOp.Kind.LOG_OR, PrimType.BOOL), a, b);
  }

  private void operation(Stm s, SegOp op, List<Code> out) {
    nest.enter(op.space());
    switch (op) {
      case SegOp.SegMap m -> map(s, m, out);
      case SegOp.SegRed r -> reduce(s, r, out);
      case SegOp.SegScan c -> scan(s, c, out);
      case SegOp.SegHist h -> histograms.lower(s, h, out);
    }
  }

  static List<SubExp> values(List<SegResult> results) {
    return results.stream().map(SegResult::value).toList();
  }

  // Maps

  private void map(Stm s, SegOp.SegMap m, List<Code> out) {
    Region r = new Region(f, "segmap", s.aux().loc());
    List<SubExp> results = values(m.body().results());
    List<List<Code>> inner = new ArrayList<>();
    List<Code> body =
        f.kernel(
            k ->
                inner.add(
                    nest.independent()
                        .range(
                            m.space().dims(),
                            r.from,
                            r.to,
                            m.body().stms(),
                            results,
                            code -> store(s.pat(), results, m.space().dims(), code),
                            k)));
    r.emit(nest.size(m.space().dims()), cost(inner.get(0), m.space()), BALANCED, body, out);
  }

  static Poly cost(List<Code> code, SegSpace space) {
    Set<Name> inside = new HashSet<>();
    for (SegSpace.Dim d : space.dims()) inside.add(d.index());
    return Cost.of(code, inside).plus(Poly.ONE);
  }

  /** Stores mapped results at the current index. */
  private void store(
      List<PatElem> pat, List<SubExp> results, List<SegSpace.Dim> dims, List<Code> out) {
    List<SubExp> index = dims.stream().map(d -> SubExp.of(d.index())).toList();
    for (int i = 0; i < pat.size(); i++) store(pat.get(i).type(), results.get(i), index, out);
  }

  /** Stores a value at an index of an array. */
  private void store(Type array, SubExp value, List<SubExp> index, List<Code> out) {
    if (!(array instanceof Type.Array a)) return;
    ArrayMem m = FunctionLowering.mem(a);
    if (a.rank() == index.size()) {
      List<Poly> at = index.stream().map(Poly::of).toList();
      out.add(new Code.Store(m.block(), a.elem(), f.place(m.lmad().index(at)), f.expr(value)));
      return;
    }
    ArrayMem row = new ArrayMem(m.block(), m.lmad().slice(Slice.fix(index, a.shape())));
    f.place(
        ((SubExp.Var) value).name(),
        new Type.Array(a.elem(), a.peel(index.size()).dims(), row),
        out);
  }

  // Reductions

  private void reduce(Stm s, SegOp.SegRed r, List<Code> out) {
    List<SegSpace.Dim> dims = r.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    SegSpace.Dim last = dims.get(dims.size() - 1);
    if (outer.isEmpty()) {
      reduceWhole(s, r, last, List.of(), out);
      return;
    }
    Region region = new Region(f, "segred", s.aux().loc());
    List<Poly> costs = new ArrayList<>();
    List<SubExp> index = outer.stream().map(d -> SubExp.of(d.index())).toList();
    List<Code> segments =
        f.kernel(
            k ->
                nest.range(
                    outer,
                    region.from,
                    region.to,
                    List.of(),
                    List.of(),
                    code -> {
                      Nest.Split split = Nest.split(r.body().stms(), Set.of(last.index()));
                      List<Reductions.Acc> accs = reductions.start(r.ops(), code);
                      List<Code> some = new ArrayList<>();
                      f.statements(split.invariant(), List.of(), List.of(), some);
                      Expr n = f.expr(last.size());
                      costs.add(
                          reduceRange(s, r, last, split.variant(), accs, Expr.i64(0), n, some));
                      code.add(new Code.If(Expr.less(Expr.i64(0), n), some, List.of()));
                      storeReduced(s, accs, index, code);
                    },
                    k));
    Poly segmentCost =
        Cost.outside(costs.get(0).times(f.poly(last.size())).plus(Poly.of(10)), segments);
    Name threads = f.names.fresh("threads");
    out.add(new Code.ThreadCount(threads));
    Expr enough =
        or(
            Expr.less(Expr.i64(threads), Expr.i64(2)),
            or(
                Expr.atMost(
                    new Expr.Index(Poly.of(threads).times(4)), new Expr.Index(nest.size(outer))),
                Expr.less(new Expr.Index(segmentCost), Expr.i64(SMALL_WORK))));
    List<Code> acrossSegments = new ArrayList<>();
    region.emit(nest.size(outer), segmentCost, BALANCED, segments, acrossSegments);
    List<Code> withinSegments = new ArrayList<>();
    nest.each(outer, code -> reduceWhole(s, r, last, index, code), withinSegments);
    out.add(new Code.If(enough, acrossSegments, withinSegments));
  }

  /** Reduces a range of one segment into accumulators; returns the cost of one element. */
  private Poly reduceRange(
      Stm s,
      SegOp.SegRed r,
      SegSpace.Dim dim,
      List<Stm> stms,
      List<Reductions.Acc> accs,
      Expr from,
      Expr to,
      List<Code> out) {
    List<SubExp> results = values(r.body().results());
    int operands = accs.stream().mapToInt(a -> a.count()).sum();
    List<PatElem> mapped = s.pat().subList(operands, s.pat().size());
    List<SubExp> mappedResults = results.subList(operands, results.size());
    return reductions.range(
        dim.index(),
        from,
        to,
        stms,
        results,
        accs,
        mapped.isEmpty(),
        code -> store(mapped, mappedResults, r.space().dims(), code),
        out);
  }

  private void storeReduced(Stm s, List<Reductions.Acc> accs, List<SubExp> index, List<Code> out) {
    int p = 0;
    for (Reductions.Acc a : accs) {
      for (int j = 0; j < a.count(); j++) a.storeTo(j, s.pat().get(p++), index, out);
    }
  }

  /** Reduces one segment in parallel. */
  private void reduceWhole(
      Stm s, SegOp.SegRed r, SegSpace.Dim dim, List<SubExp> index, List<Code> out) {
    Region region = new Region(f, "segred", s.aux().loc());
    List<Reductions.Partials> partials = new ArrayList<>();
    for (SegOp.SegBinOp op : r.ops()) partials.add(reductions.new Partials(op));
    List<Poly> cost = new ArrayList<>();
    List<Code> body =
        f.kernel(
            k -> {
              Nest.Split split = Nest.split(r.body().stms(), Set.of(dim.index()));
              f.statements(split.invariant(), List.of(), List.of(), k);
              List<Reductions.Acc> accs = reductions.start(r.ops(), k);
              cost.add(
                  reduceRange(
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
    Poly total = f.poly(dim.size());
    region.count(total, Cost.outside(cost.get(0), body), BALANCED, out);
    for (Reductions.Partials p : partials) p.alloc(Poly.of(region.chunks), out);
    region.run(total, body, out);
    List<Code> end = new ArrayList<>();
    List<Reductions.Acc> accs = reductions.startAnywhere(r.ops(), end);
    for (int i = 0; i < accs.size(); i++) {
      Reductions.Acc acc = accs.get(i);
      Reductions.Partials p = partials.get(i);
      Name c = f.names.fresh("c");
      f.types.put(c, Type.I64);
      List<Code> step = new ArrayList<>();
      p.combineInto(acc, Poly.of(c), step);
      end.add(new Code.For(c, PrimType.I64, Expr.i64(0), Expr.i64(region.chunks), step));
      p.free(end);
    }
    storeReduced(s, accs, index, end);
    for (Reductions.Acc a : accs) a.free(end);
    out.add(new Code.Scope(end));
  }

  // Scans

  private void scan(Stm s, SegOp.SegScan c, List<Code> out) {
    List<SegSpace.Dim> dims = c.space().dims();
    List<SegSpace.Dim> outer = dims.subList(0, dims.size() - 1);
    SegSpace.Dim last = dims.get(dims.size() - 1);
    if (outer.isEmpty()) {
      scanWhole(s, c, last, out);
      return;
    }
    Region region = new Region(f, "segscan", s.aux().loc());
    List<Poly> costs = new ArrayList<>();
    List<Code> segments =
        f.kernel(
            k ->
                nest.range(
                    outer,
                    region.from,
                    region.to,
                    List.of(),
                    List.of(),
                    code -> {
                      List<Reductions.Acc> accs = reductions.start(c.ops(), code);
                      costs.add(
                          scanRange(s, c, last, accs, Expr.i64(0), f.expr(last.size()), code));
                    },
                    k));
    Poly segmentCost =
        Cost.outside(costs.get(0).times(f.poly(last.size())).plus(Poly.of(10)), segments);
    Name threads = f.names.fresh("threads");
    out.add(new Code.ThreadCount(threads));
    Expr enough =
        or(
            Expr.less(Expr.i64(threads), Expr.i64(2)),
            or(
                Expr.atMost(
                    new Expr.Index(Poly.of(threads).times(2)), new Expr.Index(nest.size(outer))),
                Expr.less(new Expr.Index(segmentCost), Expr.i64(SMALL_WORK))));
    List<Code> acrossSegments = new ArrayList<>();
    region.emit(nest.size(outer), segmentCost, BALANCED, segments, acrossSegments);
    List<Code> withinSegments = new ArrayList<>();
    nest.each(outer, code -> scanWhole(s, c, last, code), withinSegments);
    out.add(new Code.If(enough, acrossSegments, withinSegments));
  }

  /** Scans a range, from what the accumulators hold; returns the cost of one element. */
  private Poly scanRange(
      Stm s,
      SegOp.SegScan c,
      SegSpace.Dim dim,
      List<Reductions.Acc> accs,
      Expr from,
      Expr to,
      List<Code> out) {
    List<SubExp> results = values(c.body().results());
    return reductions.range(
        dim.index(),
        from,
        to,
        c.body().stms(),
        results,
        accs,
        false,
        code -> {
          int k = 0;
          for (Reductions.Acc a : accs) {
            for (int j = 0; j < a.count(); j++) a.bindTo(j, c.post().params().get(k++), code);
          }
          for (; k < c.post().params().size(); k++) {
            var p = c.post().params().get(k);
            if (p.type() instanceof Type.Prim)
              f.declare(p.name(), p.type(), f.expr(results.get(k)), code);
            else f.types.put(p.name(), f.type(results.get(k)));
          }
          List<SubExp> posted = c.post().body().results();
          f.statements(c.post().body().stms(), posted, List.of(), code);
          store(s.pat(), posted, c.space().dims(), code);
        },
        out);
  }

  /**
   * Scans one segment in parallel: each chunk is reduced, then scanned from the reduction of all
   * before.
   */
  private void scanWhole(Stm s, SegOp.SegScan c, SegSpace.Dim dim, List<Code> out) {
    Region region = new Region(f, "segscan", s.aux().loc());
    List<SubExp> results = values(c.body().results());
    List<Reductions.Partials> own = new ArrayList<>();
    List<Reductions.Partials> before = new ArrayList<>();
    for (SegOp.SegBinOp op : c.ops()) {
      own.add(reductions.new Partials(op));
      before.add(reductions.new Partials(op));
    }
    List<Code> reduce =
        f.kernel(
            k -> {
              List<Reductions.Acc> accs = reductions.start(c.ops(), k);
              Expr from = Expr.i64(region.from);
              reductions.range(
                  dim.index(),
                  from,
                  Expr.i64(region.to),
                  c.body().stms(),
                  results,
                  accs,
                  true,
                  code -> {},
                  k);
              for (int i = 0; i < accs.size(); i++)
                own.get(i).save(accs.get(i), Poly.of(region.chunk), k);
            });
    List<Code> combine =
        f.kernel(
            k -> {
              for (int i = 0; i < c.ops().size(); i++) {
                Reductions.Acc acc = reductions.start(List.of(c.ops().get(i)), k).get(0);
                before.get(i).loadInto(acc, Poly.of(region.chunk), k);
                own.get(i).combineInto(acc, Poly.of(region.chunk), k);
                before.get(i).save(acc, Poly.of(region.chunk).plus(Poly.ONE), k);
              }
            });
    List<Poly> cost = new ArrayList<>();
    List<Code> scan =
        f.kernel(
            k -> {
              List<Reductions.Acc> accs = reductions.start(c.ops(), k);
              for (int i = 0; i < accs.size(); i++)
                before.get(i).loadInto(accs.get(i), Poly.of(region.chunk), k);
              cost.add(scanRange(s, c, dim, accs, Expr.i64(region.from), Expr.i64(region.to), k));
            });
    Poly total = f.poly(dim.size());
    region.count(total, Cost.outside(cost.get(0), scan), 0, out);
    for (int i = 0; i < c.ops().size(); i++) {
      own.get(i).alloc(Poly.of(region.chunks).plus(Poly.ONE), out);
      before.get(i).alloc(Poly.of(region.chunks).plus(Poly.ONE), out);
      before.get(i).neutralAt(Poly.ZERO, out);
    }
    out.add(
        new Code.ChainedScan(
            region.label,
            region.loc,
            new Expr.Index(total),
            Expr.i64(region.chunks),
            region.chunk,
            region.from,
            region.to,
            reduce,
            combine,
            scan));
    for (Reductions.Partials p : own) p.free(out);
    for (Reductions.Partials p : before) p.free(out);
  }

  /** A parallel region in the making. */
  static final class Region {
    final Name chunks;
    final Name chunk;
    final Name from;
    final Name to;
    final String label;
    final Loc loc;

    Region(FunctionLowering f, String kind, Loc loc) {
      chunks = f.names.fresh("chunks");
      chunk = f.names.fresh("chunk");
      from = f.names.fresh("from");
      to = f.names.fresh("to");
      for (Name n : List.of(chunks, chunk, from, to)) f.types.put(n, Type.I64);
      label = f.label(kind);
      this.loc = loc;
    }

    void count(Poly total, Poly cost, int perThread, List<Code> out) {
      out.add(new Code.ChunkCount(chunks, new Expr.Index(total), cost, perThread));
    }

    void run(Poly total, List<Code> body, List<Code> out) {
      out.add(
          new Code.Parallel(
              label, loc, new Expr.Index(total), Expr.i64(chunks), chunk, from, to, body));
    }

    void emit(Poly total, Poly cost, int perThread, List<Code> body, List<Code> out) {
      count(total, Cost.outside(cost, body), perThread, out);
      run(total, body, out);
    }
  }
}
