package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/** The parallel expressions of the MC and GPU representations. */
public sealed interface SegExp extends Exp {
  /**
   * A multicore operation, parallel over its whole space with a sequential body, with an optional
   * second version that keeps the inner parallelism. The program chooses a version at run time by
   * width and cost. Both versions have the pattern's results.
   *
   * @param nested the second version: a body with parallel operations inside, or null
   */
  record ParOp(SegOp op, @Nullable Body nested) implements SegExp {}

  /** A GPU operation at its level. */
  record Seg(SegOp op) implements SegExp {}
}
