package futharkc.backend.interpreter;

import java.util.Arrays;

/**
 * One histogram of a histogram operation.
 *
 * @param op the operator that combines a bin with a value
 * @param shape the shape of the histogram
 * @param dests the arrays of bins
 * @param index the position of the first index among the results of the body
 * @param value the position of the first value among the results of the body
 */
record HistCode(Operator op, Operand[] shape, Operand[] dests, int index, int value) {
  /** Updates the bin of a segment that the results of the body select. */
  void update(long[] segment, Operand[] results, CallFrame f) {
    long[] at = Arrays.copyOf(segment, segment.length + shape.length);
    for (int d = 0; d < shape.length; d++) {
      long i = results[index + d].scalar(f);
      if (i < 0 || i >= shape[d].scalar(f)) {
        return;
      }
      at[segment.length + d] = i;
    }
    ArrayView[] bins = new ArrayView[dests.length];
    for (int k = 0; k < bins.length; k++) {
      bins[k] = dests[k].view(f).at(at);
    }
    op.combine(new Operator.State(bins), results, value, f);
  }
}
