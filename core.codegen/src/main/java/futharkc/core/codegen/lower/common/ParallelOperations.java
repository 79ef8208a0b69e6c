package futharkc.core.codegen.lower.common;

import futharkc.core.ir.HostOp;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;

/** The lowering of a function's parallel operations. */
public interface ParallelOperations {
  /** Lowers an operation of a multicore program. */
  void parallel(Stm s, SegExp.ParOp p, List<Code> out);

  /** Lowers an operation of a GPU program. */
  void operation(Stm s, SegOp op, List<Code> out);

  /** Lowers an operation of a GPU program's host. */
  void host(Stm s, HostOp op, List<Code> out);

  /** Returns the lowering of updates that several threads perform. */
  AccumulatorUpdates updates();

  /**
   * Returns an expression for whether a version is chosen and the device can run the version.
   *
   * @param condition the condition under which the version is chosen
   * @param out receives the code that computes the expression's variables
   */
  Expr isChosen(Expr condition, List<Code> version, List<Code> out);
}
