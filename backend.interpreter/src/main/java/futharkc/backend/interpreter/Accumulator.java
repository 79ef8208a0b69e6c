package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * Arrays under update.
 *
 * @param frame the frame that the operator runs in
 */
record Accumulator(View[] arrays, long[] space, @Nullable Lambda op, Frame frame, Device device) {
  /**
   * Updates the arrays at an index; does nothing if that is outside the space.
   *
   * @param inRange it must not be outside
   */
  void update(long[] index, In[] values, boolean inRange, Frame f) {
    for (int d = 0; d < space.length; d++) {
      if (index[d] >= 0 && index[d] < space[d]) continue;
      if (inRange) throw arrays[0].outside(index[d], d);
      return;
    }
    View[] places = new View[arrays.length];
    for (int k = 0; k < places.length; k++) places[k] = arrays[k].at(index);
    if (op == null) {
      for (int k = 0; k < places.length; k++) Elements.write(places[k], values[k], f);
      return;
    }
    device.atomically(() -> combine(op, places, index, values, f));
  }

  private void combine(Lambda op, View[] places, long[] index, In[] values, Frame f) {
    Out[] params = op.params();
    int n = places.length;
    for (int d = 0; d < space.length; d++) params[d].scalar(frame, index[d]);
    int next = space.length;
    for (int k = 0; k < n; k++) Elements.pass(places[k], params[next++], frame, false);
    for (int k = 0; k < n; k++) {
      if (params[next] instanceof Out.Memory block && params[next + 1] instanceof Out.Array array) {
        View copy = values[k].view(f).copy();
        block.object(frame, Block.of(array.elem(), copy.store()));
        array.object(frame, copy);
        next += 2;
      } else {
        Elements.pass(values[k], f, params[next++], frame);
      }
    }
    op.run(frame);
    for (int k = 0; k < n; k++) Elements.write(places[k], op.results()[k], frame);
  }
}
