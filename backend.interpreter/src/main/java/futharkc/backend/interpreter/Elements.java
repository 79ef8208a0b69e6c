package futharkc.backend.interpreter;

/**
 * Moves of elements between arrays and variables. An element is a scalar, or an array if it is a
 * row.
 */
final class Elements {
  private Elements() {}

  /** Writes the value of an operand to an array; an array of rank 0 is a scalar. */
  static void write(ArrayView place, Operand value, CallFrame f) {
    if (place.rank() == 0) {
      place.put(place.offset(), value, f);
    } else {
      place.assign(value.view(f));
    }
  }

  /**
   * Writes the value of an operand to a row of an array.
   *
   * @param i the index of the row
   */
  static void writeRow(ArrayView array, long i, Operand value, CallFrame f) {
    if (array.rank() == 1) {
      array.put(array.row(i), value, f);
    } else {
      array.rowView(i).assign(value.view(f));
    }
  }

  /**
   * Binds a parameter to a row of an array, or to an accumulator.
   *
   * @param i the index of the row
   */
  static void passRow(Object input, long i, Destination param, CallFrame f) {
    if (!(input instanceof ArrayView v)) {
      param.object(f, input);
    } else if (v.rank() == 1) {
      param.load(f, v, v.row(i));
    } else {
      param.object(f, v.rowView(i));
    }
  }

  /** Binds a parameter to an array, or to a copy of it; an array of rank 0 is a scalar. */
  static void pass(ArrayView place, Destination param, CallFrame f, boolean copy) {
    if (place.rank() == 0) {
      param.load(f, place, place.offset());
    } else {
      param.operand(f, copy ? place.copy() : place);
    }
  }

  /**
   * Binds a parameter of an operator to the value of an operand. An array is copied, since the
   * operator may consume it.
   */
  static void pass(Operand value, CallFrame from, Destination param, CallFrame to) {
    if (value.isScalar()) {
      param.bind(to, value, from);
    } else {
      param.operand(to, value.view(from).copy());
    }
  }

  /**
   * Binds a parameter to the value of an operand, which may be a scalar, an array, a block or an
   * accumulator.
   */
  static void forward(Operand value, Destination param, CallFrame f) {
    if (value.isScalar()) {
      param.bind(f, value, f);
    } else if (value.object(f) instanceof ArrayView v) {
      param.operand(f, v);
    } else {
      param.object(f, value.object(f));
    }
  }
}
