package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/** The parallel expressions of the MC and GPU representations. */
public sealed interface SegExp extends Exp {
  /**
   * A multicore operation, parallel over its whole space with a sequential body, with an optional
   * second version that keeps the inner parallelism. Both versions have the pattern's results.
   *
   * @param nested the second version: a body with parallel operations inside, or null
   * @param choice the choice between the outer version, which is parallel in the outer dimensions,
   *     and the inner version, which is the second version or is parallel within the segments of a
   *     reduction or scan; null if the outer version always runs
   * @param invariant the number of statements at the start of the operation's body that do not
   *     depend on the innermost index, and that may run once before all indices of a segment that
   *     is not empty
   */
  record ParOp(SegOp op, @Nullable Body nested, @Nullable Choice choice, int invariant)
      implements SegExp {
    /** Makes an operation whose outer version always runs. */
    public ParOp(SegOp op, @Nullable Body nested) {
      this(op, nested, null, 0);
    }

    /**
     * Returns this operation with another operation and second version. Nothing is known of the
     * statements of another body.
     */
    public ParOp with(SegOp op, @Nullable Body nested) {
      return new ParOp(op, nested, choice, op.body() == this.op.body() ? invariant : 0);
    }

    /** Returns this operation with another choice. */
    public ParOp withChoice(Choice choice) {
      return new ParOp(op, nested, choice, invariant);
    }

    /** Tests whether the operation has an outer and an inner version. */
    public boolean hasVersions() {
      boolean isSegmented = op instanceof SegOp.SegRed || op instanceof SegOp.SegScan;
      return nested != null || isSegmented && op.space().dims().size() > 1;
    }
  }

  /**
   * A choice at run time between the outer and the inner version of an operation, by their
   * estimated times for the number of threads. The outer version runs if its time exceeds the inner
   * version's by at most {@code slack} percent, and by at most {@code idle} operations per inner
   * region.
   *
   * @param slack an excess time in percent
   * @param idle an excess time per region in elementary operations
   */
  record Choice(int slack, long idle) {}

  /** A GPU operation at its level. */
  record Seg(SegOp op) implements SegExp {}
}
