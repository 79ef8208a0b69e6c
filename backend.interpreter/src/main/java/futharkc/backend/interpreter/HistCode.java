package futharkc.backend.interpreter;

import java.util.Arrays;

/**
 * One histogram.
 *
 * @param index position of its first index among the results of the body
 * @param value position of its first value
 */
record HistCode(Operator op, In[] shape, In[] dests, int index, int value) {
  /** Updates the bin that the results say, within the segment. */
  void update(long[] segment, In[] results, Frame f) {
    long[] at = Arrays.copyOf(segment, segment.length + shape.length);
    for (int d = 0; d < shape.length; d++) {
      long i = results[index + d].scalar(f);
      if (i < 0 || i >= shape[d].scalar(f)) return;
      at[segment.length + d] = i;
    }
    View[] bins = new View[dests.length];
    for (int k = 0; k < bins.length; k++) bins[k] = dests[k].view(f).at(at);
    op.combine(new Operator.State(bins), results, value, f);
  }
}
