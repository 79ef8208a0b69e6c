package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.Arrays;

/**
 * An associative operator at work on accumulated values. Over a shape, it works on the elements of
 * arrays of that shape.
 *
 * @param lambda its parameters are the accumulated values, then the new ones
 * @param shape the sizes of the vectorised dimensions
 */
record Operator(Lambda lambda, In[] neutral, In[] shape) {
  int count() {
    return neutral.length;
  }

  /** Accumulated values, each in a place of its own: of rank 0 if it is a scalar. */
  static final class State {
    final View[] values;

    State(View[] values) {
      this.values = values;
    }
  }

  /**
   * New places that hold the neutral element.
   *
   * @param elems the primitive types of the values
   */
  State start(Frame f, PrimType[] elems) {
    View[] values = new View[count()];
    long[] outer = new long[shape.length];
    for (int d = 0; d < outer.length; d++) outer[d] = shape[d].scalar(f);
    for (int k = 0; k < values.length; k++) {
      View row = neutral[k].isScalar() ? null : neutral[k].view(f);
      long[] inner = row == null ? new long[0] : row.shape();
      long[] all = Arrays.copyOf(outer, outer.length + inner.length);
      System.arraycopy(inner, 0, all, outer.length, inner.length);
      View v = View.whole(Store.scratch(elems[k], View.size(all)), all);
      for (long[] at : Indices.of(outer)) Elements.write(v.at(at), neutral[k], f);
      values[k] = v;
    }
    return new State(values);
  }

  /** Combines new values, operands {@code from} on, into the state. */
  void combine(State state, In[] operands, int from, Frame f) {
    if (shape.length == 0) {
      for (int k = 0; k < count(); k++) {
        Elements.pass(state.values[k], lambda.params()[k], f, true);
        Elements.pass(operands[from + k], f, lambda.params()[count() + k], f);
      }
      finish(state.values, f);
      return;
    }
    long[] outer = new long[shape.length];
    for (int d = 0; d < outer.length; d++) outer[d] = shape[d].scalar(f);
    for (long[] at : Indices.of(outer)) {
      View[] places = new View[count()];
      for (int k = 0; k < count(); k++) {
        places[k] = state.values[k].at(at);
        Elements.pass(places[k], lambda.params()[k], f, true);
        Elements.pass(operands[from + k].view(f).at(at), lambda.params()[count() + k], f, true);
      }
      finish(places, f);
    }
  }

  /** Runs the operator, writing results to the places; all are read before any is written. */
  private void finish(View[] places, Frame f) {
    lambda.run(f);
    In[] results = lambda.results();
    long[] scalars = new long[places.length];
    for (int k = 0; k < places.length; k++)
      if (results[k].isScalar()) scalars[k] = results[k].scalar(f);
    for (int k = 0; k < places.length; k++) {
      if (results[k].isScalar()) places[k].set(places[k].offset(), scalars[k]);
      else places[k].assign(results[k].view(f));
    }
  }
}
