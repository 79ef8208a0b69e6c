package futharkc.backend.interpreter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An array: a store, and the map from an index to a position in the store.
 *
 * @param store the memory
 * @param offset the position of the first element
 * @param shape the sizes, outermost first
 * @param strides the distance between neighbours in each dimension, in elements
 */
record ArrayView(Store store, long offset, long[] shape, long[] strides) {
  /** Returns a row-major array that fills its store. */
  static ArrayView whole(Store store, long[] shape) {
    return new ArrayView(store, 0, shape, rowMajor(shape));
  }

  static long[] rowMajor(long[] shape) {
    long[] strides = new long[shape.length];
    long s = 1;
    for (int d = shape.length - 1; d >= 0; d--) {
      strides[d] = s;
      s *= shape[d];
    }
    return strides;
  }

  static long size(long[] shape) {
    long n = 1;
    for (long d : shape) {
      if (d < 0) {
        throw new Fault("array of shape " + Arrays.toString(shape));
      }
      n = Math.multiplyExact(n, d);
    }
    return n;
  }

  long size() {
    return size(shape);
  }

  int rank() {
    return shape.length;
  }

  long get(long position) {
    return store.get(check(position));
  }

  void set(long position, long v) {
    store.set(check(position), v);
  }

  /** Returns the derivatives of an element; null if the element is constant. */
  Num.@Nullable Derived derived(long position) {
    return store.derived(check(position));
  }

  Num number(long position) {
    Num.Derived d = derived(position);
    return d == null ? new Num.Const(get(position)) : d;
  }

  void put(long position, Num n) {
    store.put(check(position), n);
  }

  /** Sets an element to the value of an operand. */
  void put(long position, Operand value, CallFrame f) {
    Num.Derived d = f.active() ? value.derived(f) : null;
    if (d == null) {
      set(position, value.scalar(f));
    } else {
      put(position, d);
    }
  }

  /** Returns this array with elements that may have derivatives. */
  ArrayView active() {
    return store instanceof ActiveStore
        ? this
        : new ArrayView(new ActiveStore(store), offset, shape, strides);
  }

  private int check(long position) {
    if (position < 0 || position >= store.size()) {
      throw new Fault("access at " + position + " of a block of " + store.size() + " elements");
    }
    return (int) position;
  }

  /**
   * Returns the position of the element, or of the first element of the row, at an index of the
   * first dimension.
   */
  long row(long i) {
    if (i < 0 || i >= shape[0]) {
      throw outside(i, 0);
    }
    return offset + i * strides[0];
  }

  Fault outside(long i, int dim) {
    return new Fault(
        "index "
            + i
            + " of dimension "
            + dim
            + " outside an array of shape "
            + Arrays.toString(shape));
  }

  /** Returns the row at an index of the first dimension; the rank must be at least 2. */
  ArrayView rowView(long i) {
    return new ArrayView(
        store,
        row(i),
        Arrays.copyOfRange(shape, 1, shape.length),
        Arrays.copyOfRange(strides, 1, strides.length));
  }

  /**
   * Returns the subarray at indices of the first dimensions; it has rank 0 if there is an index for
   * each dimension.
   */
  ArrayView at(long... indices) {
    long o = offset;
    for (int d = 0; d < indices.length; d++) {
      if (indices[d] < 0 || indices[d] >= shape[d]) {
        throw outside(indices[d], d);
      }
      o += indices[d] * strides[d];
    }
    int n = indices.length;
    return new ArrayView(
        store,
        o,
        Arrays.copyOfRange(shape, n, shape.length),
        Arrays.copyOfRange(strides, n, strides.length));
  }

  /** Tests whether both arrays have the same shape and the same positions in memory. */
  boolean samePlace(ArrayView other) {
    if (!Arrays.equals(shape, other.shape)) {
      return false;
    }
    if (size() == 0) {
      return true;
    }
    if (store.base() != other.store.base() || offset != other.offset) {
      return false;
    }
    for (int d = 0; d < shape.length; d++) {
      if (shape[d] > 1 && strides[d] != other.strides[d]) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether neighbours in row-major order are neighbours in memory. */
  boolean isContiguous() {
    long s = 1;
    for (int d = shape.length - 1; d >= 0; d--) {
      if (shape[d] != 1 && strides[d] != s) {
        return false;
      }
      s *= shape[d];
    }
    return true;
  }

  /** Copies all elements of an array of the same shape into this one. The arrays may overlap. */
  void assign(ArrayView from) {
    if (!Arrays.equals(shape, from.shape)) {
      throw new Fault(
          "array of shape "
              + Arrays.toString(from.shape)
              + " written to one of shape "
              + Arrays.toString(shape));
    }
    if (size() == 0) {
      return;
    }
    if (samePlace(from)) {
      if (store instanceof TaggedStore) {
        assign(from, 0, offset, from.offset);
      }
      return;
    }
    ArrayView source = from;
    if (store.base() == from.store.base() && !(isContiguous() && from.isContiguous())) {
      source = from.copy();
    }
    if (isContiguous() && source.isContiguous()) {
      int n = Math.toIntExact(size());
      check(offset);
      check(offset + n - 1);
      source.check(source.offset);
      source.check(source.offset + n - 1);
      store.copy((int) offset, source.store, (int) source.offset, n);
    } else {
      assign(source, 0, offset, source.offset);
    }
  }

  private void assign(ArrayView from, int dim, long to, long at) {
    if (dim == shape.length) {
      if (store.isPlain() && from.store.isPlain()) {
        set(to, from.get(at));
      } else {
        store.copy(check(to), from.store, from.check(at), 1);
      }
      return;
    }
    for (long i = 0; i < shape[dim]; i++) {
      assign(from, dim + 1, to + i * strides[dim], at + i * from.strides[dim]);
    }
  }

  /** Sets all elements to the value of a scalar operand. */
  void fill(Operand value, CallFrame f) {
    fill(0, offset, value, f);
  }

  private void fill(int dim, long to, Operand v, CallFrame f) {
    if (dim == shape.length) {
      put(to, v, f);
      return;
    }
    for (long i = 0; i < shape[dim]; i++) {
      fill(dim + 1, to + i * strides[dim], v, f);
    }
  }

  /** Returns a row-major copy in new memory. */
  ArrayView copy() {
    ArrayView c = whole(store.like(size()), shape);
    c.assign(this);
    return c;
  }
}
