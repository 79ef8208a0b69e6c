package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import java.util.Set;

/** A search for pairs of operations on the same operands, of which one yields most of the other. */
abstract class OperationPairs extends CountingRewriter {
  /** The variables that are reassigned. */
  private final Set<Name> assigned;

  OperationPairs(ImperativeProgram.Function function) {
    super(function);
    this.assigned = Variables.assignedBy(function.body());
  }

  /** Tests whether a variable is never reassigned. */
  final boolean isFixed(Name variable) {
    return !assigned.contains(variable);
  }

  /** Tests whether an operand is never reassigned. */
  final boolean isFixed(Expr e) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> isFixed(v.name());
      case Expr.Index i -> !i.poly().mentions(assigned);
      default -> false;
    };
  }
}
