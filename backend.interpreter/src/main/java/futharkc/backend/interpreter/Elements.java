package futharkc.backend.interpreter;

/**
 * Elements of arrays, which are scalars or arrays themselves, on their way between arrays and
 * variables.
 */
final class Elements {
  private Elements() {}

  /** Writes an operand's value to a place, of rank 0 for a scalar. */
  static void write(View place, In value, Frame f) {
    if (place.rank() == 0) place.put(place.offset(), value, f);
    else place.assign(value.view(f));
  }

  /** Writes an operand's value as the row at an index. */
  static void writeRow(View array, long i, In value, Frame f) {
    if (array.rank() == 1) array.put(array.row(i), value, f);
    else array.rowView(i).assign(value.view(f));
  }

  /** Binds a parameter to the row at an index. */
  static void passRow(Object input, long i, Out param, Frame f) {
    if (!(input instanceof View v)) param.object(f, input);
    else if (v.rank() == 1) param.load(f, v, v.row(i));
    else param.object(f, v.rowView(i));
  }

  /** Binds a parameter to what is at a place, or to a copy of it. */
  static void pass(View place, Out param, Frame f, boolean copy) {
    if (place.rank() == 0) param.load(f, place, place.offset());
    else param.operand(f, copy ? place.copy() : place);
  }

  /**
   * Binds a parameter of an operator to an operand's value; an array is copied, since the operator
   * may consume it.
   */
  static void pass(In value, Frame from, Out param, Frame to) {
    if (value.isScalar()) param.bind(to, value, from);
    else param.operand(to, value.view(from).copy());
  }

  /** Binds a parameter to an operand's value, wherever that is. */
  static void forward(In value, Out param, Frame f) {
    if (value.isScalar()) param.bind(f, value, f);
    else if (value.object(f) instanceof View v) param.operand(f, v);
    else param.object(f, value.object(f));
  }
}
