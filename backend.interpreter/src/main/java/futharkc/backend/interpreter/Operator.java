package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import java.util.Arrays;

/**
 * An associative operator with its neutral element. A vectorised operator works on the elements of
 * arrays.
 *
 * @param lambda the operator: its parameters are the accumulated values, then the new values
 * @param neutral the neutral element
 * @param shape the sizes of the vectorised dimensions
 * @param active true if the values may have derivatives
 */
record Operator(CompiledLambda lambda, Operand[] neutral, Operand[] shape, boolean active) {
  int count() {
    return neutral.length;
  }

  /** The accumulated values. A scalar is an array of rank 0. */
  static final class State {
    final ArrayView[] values;

    /** True while the values are the neutral element. */
    private boolean neutral;

    State(ArrayView[] values) {
      this(values, false);
    }

    private State(ArrayView[] values, boolean neutral) {
      this.values = values;
      this.neutral = neutral;
    }
  }

  /**
   * Returns new accumulated values, equal to the neutral element.
   *
   * @param f the current frame
   * @param elems the primitive types of the values
   */
  State start(CallFrame f, PrimType[] elems) {
    ArrayView[] values = new ArrayView[count()];
    long[] outer = new long[shape.length];
    for (int d = 0; d < outer.length; d++) {
      outer[d] = shape[d].scalar(f);
    }
    for (int k = 0; k < values.length; k++) {
      ArrayView row = neutral[k].isScalar() ? null : neutral[k].view(f);
      long[] inner = row == null ? new long[0] : row.shape();
      long[] all = Arrays.copyOf(outer, outer.length + inner.length);
      System.arraycopy(inner, 0, all, outer.length, inner.length);
      Store store = Store.scratch(elems[k], ArrayView.size(all));
      ArrayView v = ArrayView.whole(active ? new ActiveStore(store) : store, all);
      for (long[] at : Indices.of(outer)) {
        Elements.write(v.at(at), neutral[k], f);
      }
      values[k] = v;
    }
    return new State(values, true);
  }

  /**
   * Combines the state with new values.
   *
   * @param from the position of the first new value among the operands
   */
  void combine(State state, Operand[] operands, int from, CallFrame f) {
    boolean first = state.neutral;
    state.neutral = false;
    if (shape.length == 0) {
      Num[][] given = active && first ? new Num[count()][] : null;
      for (int k = 0; k < count(); k++) {
        Elements.pass(state.values[k], lambda.params()[k], f, true);
        Elements.pass(operands[from + k], f, lambda.params()[count() + k], f);
        if (given != null) {
          given[k] = FlatScalars.of(operands[from + k], f);
        }
      }
      finish(state.values, f);
      if (given != null) {
        takeGiven(state.values, given);
      }
      return;
    }
    long[] outer = new long[shape.length];
    for (int d = 0; d < outer.length; d++) {
      outer[d] = shape[d].scalar(f);
    }
    for (long[] at : Indices.of(outer)) {
      ArrayView[] places = new ArrayView[count()];
      Num[][] given = active && first ? new Num[count()][] : null;
      for (int k = 0; k < count(); k++) {
        places[k] = state.values[k].at(at);
        Elements.pass(places[k], lambda.params()[k], f, true);
        ArrayView operand = operands[from + k].view(f).at(at);
        Elements.pass(operand, lambda.params()[count() + k], f, true);
        if (given != null) {
          given[k] = FlatScalars.of(operand);
        }
      }
      finish(places, f);
      if (given != null) {
        takeGiven(places, given);
      }
    }
  }

  /** Runs the operator and writes its results. All results are read before the first is written. */
  private void finish(ArrayView[] places, CallFrame f) {
    lambda.run(f);
    new ControlCode.Values(lambda.results()).read(f).put(places);
  }

  /**
   * Replaces results by the new values with their derivatives, if the accumulated values were the
   * neutral element and the results equal the new values. Otherwise a minimum or maximum could take
   * the derivative of an equal neutral element.
   */
  private static void takeGiven(ArrayView[] places, Num[][] given) {
    for (int k = 0; k < places.length; k++) {
      Num[] made = FlatScalars.of(places[k]);
      for (int i = 0; i < made.length; i++) {
        if (made[i].bits() != given[k][i].bits()) {
          return;
        }
      }
    }
    for (int k = 0; k < places.length; k++) {
      FlatScalars.write(places[k], given[k]);
    }
  }
}
