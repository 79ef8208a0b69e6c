package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import java.util.Set;

/** Looks for pairs of operations on the same operands, of which one gives most of the other. */
abstract class Pairs extends CountedRewriting {
  /** What has a value only until it is given another. */
  private final Set<Name> assigned;

  Pairs(ImperativeProgram.Function function) {
    super(function);
    this.assigned = Variables.assignedBy(function.body());
  }

  /** Whether a variable has only one value. */
  final boolean isFixed(Name variable) {
    return !assigned.contains(variable);
  }

  /** Whether an operand has only one value. */
  final boolean isFixed(Expr e) {
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> isFixed(v.name());
      case Expr.Index i -> !i.poly().mentions(assigned);
      default -> false;
    };
  }
}
