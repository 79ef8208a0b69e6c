package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.Arrays;

/**
 * An associative operator at work on accumulated values. Over a shape, it works on the elements of
 * arrays of that shape.
 *
 * @param lambda its parameters are the accumulated values, then the new ones
 * @param shape the sizes of the vectorised dimensions
 * @param active whether the values may have derivatives
 */
record Operator(Lambda lambda, In[] neutral, In[] shape, boolean active) {
  int count() {
    return neutral.length;
  }

  /** Accumulated values, each in a place of its own: of rank 0 if it is a scalar. */
  static final class State {
    final View[] values;

    /** Whether they are the neutral element still. */
    private boolean neutral;

    State(View[] values) {
      this(values, false);
    }

    private State(View[] values, boolean neutral) {
      this.values = values;
      this.neutral = neutral;
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
      Store store = Store.scratch(elems[k], View.size(all));
      View v = View.whole(active ? new Active(store) : store, all);
      for (long[] at : Indices.of(outer)) Elements.write(v.at(at), neutral[k], f);
      values[k] = v;
    }
    return new State(values, true);
  }

  /** Combines new values, operands {@code from} on, into the state. */
  void combine(State state, In[] operands, int from, Frame f) {
    boolean first = state.neutral;
    state.neutral = false;
    if (shape.length == 0) {
      Num[][] given = active && first ? new Num[count()][] : null;
      for (int k = 0; k < count(); k++) {
        Elements.pass(state.values[k], lambda.params()[k], f, true);
        Elements.pass(operands[from + k], f, lambda.params()[count() + k], f);
        if (given != null) given[k] = Cells.of(operands[from + k], f);
      }
      finish(state.values, f);
      if (given != null) takeGiven(state.values, given);
      return;
    }
    long[] outer = new long[shape.length];
    for (int d = 0; d < outer.length; d++) outer[d] = shape[d].scalar(f);
    for (long[] at : Indices.of(outer)) {
      View[] places = new View[count()];
      Num[][] given = active && first ? new Num[count()][] : null;
      for (int k = 0; k < count(); k++) {
        places[k] = state.values[k].at(at);
        Elements.pass(places[k], lambda.params()[k], f, true);
        View operand = operands[from + k].view(f).at(at);
        Elements.pass(operand, lambda.params()[count() + k], f, true);
        if (given != null) given[k] = Cells.of(operand);
      }
      finish(places, f);
      if (given != null) takeGiven(places, given);
    }
  }

  /** Runs the operator, writing results to the places; all are read before any is written. */
  private void finish(View[] places, Frame f) {
    lambda.run(f);
    new ControlCode.Values(lambda.results()).read(f).put(places);
  }

  /**
   * What the operator makes of the neutral element and another is the other, and has its
   * derivatives: also where a minimum or maximum would have those of the neutral element, if they
   * are the same.
   */
  private static void takeGiven(View[] places, Num[][] given) {
    for (int k = 0; k < places.length; k++) {
      Num[] made = Cells.of(places[k]);
      for (int i = 0; i < made.length; i++) {
        if (made[i].bits() != given[k][i].bits()) return;
      }
    }
    for (int k = 0; k < places.length; k++) Cells.write(places[k], given[k]);
  }
}
