package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/** The parallel expressions of the MC and GPU representations. */
public sealed interface SegExp extends Exp {
  /**
   * Multicore: an operation, parallel over its whole space with sequential code inside, and
   * optionally the same with its inner parallelism kept; which one runs is decided at run time by
   * width and cost. Both have the pattern's results.
   *
   * @param nested statements and results that compute the same with parallel operations inside
   */
  record ParOp(SegOp op, @Nullable Body nested) implements SegExp {}

  /** GPU: an operation at its level. */
  record Seg(SegOp op) implements SegExp {}
}
