package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.AccumulatorUpdates;
import futharkc.core.codegen.lower.common.Accumulators;
import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.ControlFlow;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.ParallelOperations;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
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
import java.util.Set;

/**
 * A lowering of parallel operations on a CPU. It lowers maps itself; other classes lower the other
 * kinds.
 */
final class SegLowering implements ParallelOperations {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final ControlFlow control;
  private final Accumulators accumulators;
  private final RegionUpdates updates;
  private final LoopNest nest;
  private final SegReductions reductions;
  private final SegScans scans;
  private final Histograms histograms;

  SegLowering(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      ControlFlow control,
      Accumulators accumulators,
      Statements statements) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.control = control;
    this.accumulators = accumulators;
    this.nest = new LoopNest(scope, blocks, statements);
    Operators operators = new Operators(scope, blocks, arrays.copies(), statements);
    this.updates = new RegionUpdates(scope, blocks, operators, accumulators);
    Segments segments = new Segments(scope, blocks, nest);
    this.reductions = new SegReductions(scope, blocks, arrays, updates, nest, operators, segments);
    this.scans = new SegScans(scope, blocks, arrays, statements, nest, operators, segments);
    this.histograms = new Histograms(scope, blocks, arrays, statements, nest, operators);
  }

  /**
   * Lowers an operation; if it has a version with inner parallelism, lowers a choice between both.
   */
  @Override
  public void parallel(Stm s, SegExp.ParOp p, List<Code> out) {
    control.declare(s.pat(), out);
    List<Code> code = new ArrayList<>();
    region(s, p, code);
    if (p.nested() == null || p.choice() == null) {
      out.add(new Code.Scope(code));
      return;
    }
    List<Code> versions = new ArrayList<>();
    List<Code> inner = control.branch(s.pat(), p.nested());
    VersionChoice.choose(scope, p.choice(), code, inner, versions);
    out.add(new Code.Scope(versions));
  }

  @Override
  public void operation(Stm s, SegOp op, List<Code> out) {
    throw new IllegalStateException("an operation of a GPU in a program for a CPU");
  }

  @Override
  public void host(Stm s, HostOp op, List<Code> out) {
    throw new IllegalStateException("an operation of a GPU's host in a program for a CPU");
  }

  @Override
  public AccumulatorUpdates updates() {
    return updates;
  }

  @Override
  public Expr isChosen(Expr condition, List<Code> version, List<Code> out) {
    return condition;
  }

  private void region(Stm s, SegExp.ParOp p, List<Code> out) {
    nest.enter(p.op().space());
    switch (p.op()) {
      case SegOp.SegMap m -> map(s, m, p.invariant(), out);
      case SegOp.SegRed r -> reductions.lower(s, r, p, out);
      case SegOp.SegScan c -> scans.lower(s, c, p.choice(), out);
      case SegOp.SegHist h -> histograms.lower(s, h, out);
    }
  }

  private void map(Stm s, SegOp.SegMap m, int invariant, List<Code> out) {
    RegionBuilder r = new RegionBuilder(scope, "segmap", s.aux().loc());
    List<SegSpace.Dim> dims = m.space().dims();
    List<SubExp> results = m.body().values();
    List<List<Code>> inner = new ArrayList<>();
    // Such a result has an element for each index, so that the indices fit in a Java array.
    boolean fits =
        s.pat().stream()
            .anyMatch(p -> p.type() instanceof Type.Array a && a.shape().size() == dims.size());
    Set<Name> free = FreeNames.of(m);
    // Iterations that update the same elements are dependent.
    LoopNest any = accumulators.isCombined(free) ? nest : nest.independent();
    LoopNest loops = fits ? any.fitting() : any;
    RegionUpdates.UpdatingRegion body =
        updates
        .new UpdatingRegion(
            r,
            free,
            () ->
                blocks.kernel(
                    k ->
                        inner.add(
                            loops.range(
                                dims,
                                r.from,
                                r.to,
                                LoopNest.Split.of(m.body().stms(), invariant),
                                results,
                                code -> arrays.storeAt(s.pat(), dims, results, code),
                                k))));
    Poly cost = scope.costs.costOfIndex(inner.get(0), m.space());
    Poly total = nest.size(dims);
    int perThread = body.perThread(scope.costs.isUneven(inner.get(0), m.space()));
    r.count(total, scope.costs.outside(cost, body.code()), perThread, out);
    body.run(total, out);
  }
}
