package futharkc.core.codegen.lower.common;

import futharkc.core.ir.Lambda;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of functions for large operators. */
public interface OperatorCalls {
  /**
   * Applies an operator on scalars by a call.
   *
   * @return the results; null if the operator must be inlined
   */
  @Nullable List<SubExp> call(Lambda op, List<Expr> operands, List<Code> out);
}
