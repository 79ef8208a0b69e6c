package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The arrays that an accumulator updates.
 *
 * @param space the shape of the index space
 * @param op the operator that combines old and new values; null if an update overwrites
 * @param frame the frame in which the operator runs
 */
record Accumulator(
    ArrayView[] arrays,
    long[] space,
    @Nullable CompiledLambda op,
    CallFrame frame,
    DeviceState device) {
  /**
   * Updates the arrays at an index. An index outside the space has no effect.
   *
   * @param inRange true if an index outside the space is an error
   */
  void update(long[] index, Operand[] values, boolean inRange, CallFrame f) {
    for (int d = 0; d < space.length; d++) {
      if (index[d] >= 0 && index[d] < space[d]) {
        continue;
      }
      if (inRange) {
        throw arrays[0].outside(index[d], d);
      }
      return;
    }
    ArrayView[] places = new ArrayView[arrays.length];
    for (int k = 0; k < places.length; k++) {
      places[k] = arrays[k].at(index);
    }
    if (op == null) {
      for (int k = 0; k < places.length; k++) {
        Elements.write(places[k], values[k], f);
      }
      return;
    }
    device.atomically(() -> combine(op, places, index, values, f));
  }

  private void combine(
      CompiledLambda op, ArrayView[] places, long[] index, Operand[] values, CallFrame f) {
    Destination[] params = op.params();
    int n = places.length;
    for (int d = 0; d < space.length; d++) {
      params[d].scalar(frame, index[d]);
    }
    int next = space.length;
    for (int k = 0; k < n; k++) {
      Elements.pass(places[k], params[next++], frame, false);
    }
    for (int k = 0; k < n; k++) {
      if (params[next] instanceof Destination.Memory block
          && params[next + 1] instanceof Destination.Array array) {
        ArrayView copy = values[k].view(f).copy();
        block.object(frame, Block.of(array.elem(), copy.store()));
        array.object(frame, copy);
        next += 2;
      } else {
        Elements.pass(values[k], f, params[next++], frame);
      }
    }
    op.run(frame);
    for (int k = 0; k < n; k++) {
      Elements.write(places[k], op.results()[k], frame);
    }
  }
}
