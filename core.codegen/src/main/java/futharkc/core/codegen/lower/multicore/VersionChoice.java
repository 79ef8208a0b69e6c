package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ParallelTime;
import java.util.List;

/**
 * A run-time choice between two versions of a parallel operation, by their estimated times for the
 * number of threads.
 *
 * <p>The outer version is one region, whose threads run inner operations sequentially; with few
 * iterations, some threads idle. The inner version runs inner operations as regions, which keep all
 * threads busy, but each region has a cost.
 */
final class VersionChoice {
  private VersionChoice() {}

  /**
   * Emits code that runs the faster version. The outer version runs on one thread, or if the choice
   * allows its time.
   */
  static void choose(
      FunctionSymbols scope,
      SegExp.Choice choice,
      List<Code> outer,
      List<Code> inner,
      List<Code> out) {
    Name threads = scope.names.fresh("threads");
    out.add(new Code.ThreadCount(threads));
    Expr alone = Expr.less(Expr.i64(threads), Expr.i64(2));
    Poly outerTime = scope.costs.time(outer, scope.names, out).operations();
    ParallelTime.Time inside = scope.costs.time(inner, scope.names, out);
    Poly innerTime = inside.operations();
    Name slack = scope.names.fresh("slack");
    Expr some = new Expr.Index(innerTime.times(choice.slack()));
    Expr most = new Expr.Index(inside.regions().times(choice.idle()).times(100));
    out.add(new Code.Declare(slack, PrimType.I64, Expr.binary(BinOp.Kind.SMIN, some, most)));
    Expr isFaster =
        Expr.atMost(
            new Expr.Index(outerTime.times(100)),
            new Expr.Index(innerTime.times(100).plus(Poly.of(slack))));
    out.add(new Code.If(Expr.or(alone, isFaster), outer, inner));
  }
}
