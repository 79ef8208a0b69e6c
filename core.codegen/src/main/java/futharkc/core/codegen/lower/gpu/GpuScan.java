package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a scan that its kernels share: its element types, sizes and segment boundaries.
 */
final class GpuScan {
  final FunctionSymbols scope;
  final Kernels kernels;
  final ArrayOps arrays;
  final Statements statements;
  final LoopNest nest;
  final Operators operators;
  final Stm stm;
  final SegOp.SegScan scan;
  final List<SegSpace.Dim> dims;
  final boolean segmented;

  /** The number of elements of a segment. */
  final Poly size;

  final Poly total;
  final int operands;
  final List<PrimType> types = new ArrayList<>();

  GpuScan(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest,
      Operators operators,
      Stm stm,
      SegOp.SegScan scan) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
    this.stm = stm;
    this.scan = scan;
    this.dims = scan.space().dims();
    this.segmented = !nest.size(dims.subList(0, dims.size() - 1)).equals(Poly.ONE);
    this.size = scope.poly(dims.get(dims.size() - 1).size());
    this.total = nest.size(dims);
    for (SegOp.SegBinOp op : scan.ops()) {
      for (SubExp n : op.neutral()) {
        types.add(scope.type(n).elemPrim());
      }
    }
    this.operands = types.size();
  }

  /** Returns the windows that thread blocks scan. */
  SegStrategy.Windows windows() {
    return strategy() instanceof SegStrategy.OnePass p ? p.windows() : twoPasses().windows();
  }

  /** Returns the number of elements of a thread in a window. */
  int items() {
    return windows().items();
  }

  /** Returns the strategy of a scan in one pass; null if the scan has two. */
  SegStrategy.@Nullable OnePass onePass() {
    return strategy() instanceof SegStrategy.OnePass p ? p : null;
  }

  /** Returns the strategy of a scan in two passes. */
  SegStrategy.TwoPasses twoPasses() {
    return strategy() instanceof SegStrategy.TwoPasses p ? p : SegStrategy.TwoPasses.PLAIN;
  }

  private @Nullable SegStrategy strategy() {
    return scan.strategy();
  }

  int bytes() {
    return types.stream().mapToInt(PrimType::bytes).sum();
  }

  /**
   * Returns a test for whether a segment boundary lies between two positions; null if there is one
   * segment.
   */
  @Nullable BiFunction<Poly, Poly, Expr> crosses(Function<Poly, Poly> place) {
    if (!segmented) {
      return null;
    }
    return (from, to) -> crosses(place.apply(from), place.apply(to));
  }

  Expr crosses(Poly from, Poly to) {
    return Expr.less(inSegment(to), new Expr.Index(to.minus(from)));
  }

  /** Returns the index of a position within its segment. */
  Expr inSegment(Poly place) {
    return Expr.binary(BinOp.Kind.SREM, new Expr.Index(place), new Expr.Index(size));
  }

  /**
   * Returns a distance in threads from which on two threads have elements of different segments,
   * but at most the number of threads.
   */
  Poly reach(KernelFrame k, Function<Poly, Poly> place, List<Code> out) {
    Poly threads = Poly.of(k.threads);
    if (!segmented || scope.number(KernelOptions.SHUFFLED) > 1) {
      return threads;
    }
    Expr apart = new Expr.Index(place.apply(Poly.ONE).minus(place.apply(Poly.ZERO)));
    Expr far = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(size), apart);
    Expr reach = Expr.binary(BinOp.Kind.SMIN, far, new Expr.Index(threads));
    return Poly.of(kernels.let("reach", reach, out));
  }
}
