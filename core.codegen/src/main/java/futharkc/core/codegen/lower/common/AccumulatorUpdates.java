package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import java.util.List;

/** The synchronisation of updates through accumulators that several threads may perform. */
public interface AccumulatorUpdates {
  /**
   * Prepares for updates through an accumulator.
   *
   * @param token the accumulator's token
   * @param release receives the code that follows all updates
   */
  void create(Name token, Exp.AccInput in, List<Code> release, List<Code> out);

  /** Combines an element with the values of an update by the accumulator's operator. */
  void combine(BasicOp.UpdateAcc x, Name token, Exp.AccInput in, List<Code> out);
}
