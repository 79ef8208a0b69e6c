package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The update of a histogram's bins for one input, in shared or global memory. */
final class HistogramUpdates {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final Operators operators;
  private final AtomicUpdates atomics;

  HistogramUpdates(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.operators = operators;
    this.atomics = new AtomicUpdates(scope, operators);
  }

  /** Tests whether an operator of the histogram needs locks. */
  static boolean needsLocks(SegOp.SegHist h) {
    return !h.ops().stream().allMatch(o -> UpdateStrategy.isOneByOne(o.op(), o.dests().size()));
  }

  /** Evaluates the body, and updates the destinations or a thread block's private bins. */
  void element(
      SegOp.SegHist h,
      @Nullable Own own,
      @Nullable Pass pass,
      @Nullable Name locks,
      List<Code> out) {
    List<SubExp> results = h.body().values();
    statements.lower(h.body().stms(), results, List.of(), out);
    int indices = h.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int at = 0;
    int value = indices;
    List<SegSpace.Dim> dims = h.space().dims();
    List<Poly> outer =
        dims.subList(0, dims.size() - 1).stream().map(d -> Poly.of(d.index())).toList();
    for (int o = 0; o < h.ops().size(); o++) {
      SegOp.SegHistOp op = h.ops().get(o);
      List<SubExp> bin = results.subList(at, at + op.shape().size());
      List<SubExp> values = results.subList(value, value + op.dests().size());
      at += bin.size();
      value += values.size();
      int number = o;
      List<Code> update = new ArrayList<>();
      operators.elementwise(
          op.opShape(),
          v -> {
            List<Poly> place = new ArrayList<>(outer);
            for (SubExp b : bin) {
              place.add(scope.poly(b));
            }
            place.addAll(v);
            List<Expr> added = new ArrayList<>();
            for (SubExp x : values) {
              added.add(operators.value(x, v));
            }
            List<Code> step = new ArrayList<>();
            Poly flat = Poly.ZERO;
            List<SubExp> shape = shape(op);
            List<Poly> inBins = place.subList(outer.size(), place.size());
            for (int d = 0; d < shape.size(); d++) {
              flat = flat.times(scope.poly(shape.get(d))).plus(inBins.get(d));
            }
            List<AtomicUpdates.Target> targets =
                own == null
                    ? destinations(op, place)
                    : own.targets(number, Poly.of(kernels.let("bin", new Expr.Index(flat), step)));
            Poly key = own == null ? key(number, flat, outer) : targets.get(0).at();
            List<Code> combined = new ArrayList<>();
            atomics.combine(op.op(), targets, added, key, locks, combined);
            step.addAll(pass == null ? combined : pass.guarded(flat, combined));
            return List.of(new Code.Scope(step));
          },
          update);
      // The test of the pass also rejects bins that are out of bounds.
      boolean guardsAll = pass != null && op.shape().size() == 1 && op.opShape().isEmpty();
      if (guardsAll) {
        out.addAll(update);
      } else {
        out.add(arrays.whereInside(bin, op.shape(), update));
      }
    }
  }

  /**
   * Returns the lock key of a bin of the destinations; updates with equal keys exclude each other.
   */
  static Poly key(int operator, Poly bin, List<Poly> outer) {
    Poly key = Poly.of(operator).times(7919).plus(bin);
    for (Poly p : outer) {
      key = key.times(31).plus(p);
    }
    return key;
  }

  /** Returns the dimensions of an operator's bins, followed by those of a bin's elements. */
  static List<SubExp> shape(SegOp.SegHistOp op) {
    List<SubExp> shape = new ArrayList<>(op.shape());
    shape.addAll(op.opShape());
    return shape;
  }

  /** Returns the number of bins of an operator. */
  Poly bins(SegOp.SegHistOp op) {
    return operators.size(shape(op));
  }

  /** Returns a bin of the destinations. */
  List<AtomicUpdates.Target> destinations(SegOp.SegHistOp op, List<Poly> place) {
    List<AtomicUpdates.Target> targets = new ArrayList<>();
    for (Name d : op.dests()) {
      ArrayMem m = scope.mem(d);
      Poly at = scope.place(m.lmad().index(place));
      targets.add(new AtomicUpdates.Target(m.block(), scope.type(d).elemPrim(), at));
    }
    return targets;
  }

  /**
   * The private bins of a thread block.
   *
   * @param blocks the blocks of each operator, one for each operand
   * @param copy the number of the copy that the thread updates
   * @param count the number of bins per copy, for each operator
   * @param pass the range of bins that the blocks hold; null if they hold all bins
   */
  record Own(
      List<List<AtomicUpdates.Target>> blocks, Poly copy, List<Poly> count, @Nullable Pass pass) {
    List<AtomicUpdates.Target> targets(int op, Poly bin) {
      Poly base = copy.times(count.get(op));
      Poly at = base.plus(pass == null ? bin : bin.minus(pass.from));
      return blocks.get(op).stream()
          .map(t -> new AtomicUpdates.Target(t.block(), t.elem(), at))
          .toList();
    }
  }

  /**
   * The range of bins that a pass updates.
   *
   * @param from the first bin
   * @param count the number of bins; the last pass may have fewer
   */
  record Pass(Poly from, Poly count) {
    /** Returns the code, guarded by a test that the bin belongs to the pass. */
    List<Code> guarded(Poly bin, List<Code> code) {
      // The comparison is unsigned, so that bins before the first one fail it.
      Expr isIn =
          new Expr.Compare(
              new CmpOp(CmpOp.Kind.ULT, PrimType.I64),
              new Expr.Index(bin.minus(from)),
              new Expr.Index(count));
      return List.of(new Code.If(isIn, code, List.of()));
    }
  }
}
