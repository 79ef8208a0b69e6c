package futharkc.core.codegen.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ParallelTime;
import java.util.List;

/**
 * Chooses between two versions of a parallel operation at run time: by the time that each takes on
 * the threads that there are.
 *
 * <p>The outer version is one region, whose threads each do what is inside on their own: few of
 * them have something to do if it has few iterations. The inner one has regions inside: these keep
 * all threads busy, and each costs.
 */
final class VersionChoice {
  private VersionChoice() {}

  /** Runs what is faster; on one thread, and if there is little difference, the outer version. */
  static void choose(FunctionSymbols scope, List<Code> outer, List<Code> inner, List<Code> out) {
    Name threads = scope.names.fresh("threads");
    out.add(new Code.ThreadCount(threads));
    Expr alone = Expr.less(Expr.i64(threads), Expr.i64(2));
    Target.Regions target = scope.target.regions();
    Poly outerTime = ParallelTime.of(outer, scope.names, scope.target, out).operations();
    ParallelTime.Time inside = ParallelTime.of(inner, scope.names, scope.target, out);
    Poly innerTime = inside.operations();
    Name slack = scope.names.fresh("slack");
    Expr some = new Expr.Index(innerTime.times(target.outerSlack()));
    Expr most = new Expr.Index(inside.regions().times(target.outerWait()).times(100));
    out.add(new Code.Declare(slack, PrimType.I64, Expr.binary(BinOp.Kind.SMIN, some, most)));
    Expr isFaster =
        Expr.atMost(
            new Expr.Index(outerTime.times(100)),
            new Expr.Index(innerTime.times(100).plus(Poly.of(slack))));
    out.add(new Code.If(Expr.or(alone, isFaster), outer, inner));
  }
}
