package futharkc.backend.interpreter;

/** The scalars of a value: a scalar itself, or the elements of an array in row-major order. */
final class FlatScalars {
  private FlatScalars() {}

  static Num[] of(Operand value, CallFrame f) {
    if (value.isScalar()) {
      return new Num[] {value.number(f)};
    }
    if (value.object(f) instanceof ArrayView v) {
      return of(v);
    }
    throw new Fault("a derivative with respect to an accumulator or memory block");
  }

  static Num[] of(ArrayView v) {
    Num[] cells = new Num[Math.toIntExact(v.size())];
    fill(cells, 0, v, 0, v.offset());
    return cells;
  }

  private static int fill(Num[] cells, int next, ArrayView v, int dim, long at) {
    if (dim == v.rank()) {
      cells[next] = v.number(at);
      return next + 1;
    }
    int n = next;
    for (long i = 0; i < v.shape()[dim]; i++) {
      n = fill(cells, n, v, dim + 1, at + i * v.strides()[dim]);
    }
    return n;
  }

  /** Binds a variable to a scalar, or to a new array, with these values. */
  static void bind(Destination out, Num[] cells, CallFrame f) {
    if (out.isScalar()) {
      out.number(f, cells[0]);
      return;
    }
    ArrayView v = out.fresh(f);
    if (v.size() != cells.length) {
      throw new Fault(cells.length + " elements for an array of " + v.size());
    }
    for (int i = 0; i < cells.length; i++) {
      v.put(v.offset() + i, cells[i]);
    }
  }

  /** Overwrites the elements of an array; an array of rank 0 is a scalar. */
  static void write(ArrayView v, Num[] cells) {
    write(v, cells, 0, 0, v.offset());
  }

  private static int write(ArrayView v, Num[] cells, int next, int dim, long at) {
    if (dim == v.rank()) {
      v.put(at, cells[next]);
      return next + 1;
    }
    int n = next;
    for (long i = 0; i < v.shape()[dim]; i++) {
      n = write(v, cells, n, dim + 1, at + i * v.strides()[dim]);
    }
    return n;
  }
}
