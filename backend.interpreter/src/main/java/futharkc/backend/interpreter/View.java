package futharkc.backend.interpreter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An array: memory, and the function from an index to a position in it.
 *
 * @param strides how far apart neighbours in each dimension are
 */
record View(Store store, long offset, long[] shape, long[] strides) {
  /** Row-major, in memory that is exactly as large. */
  static View whole(Store store, long[] shape) {
    return new View(store, 0, shape, rowMajor(shape));
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
      if (d < 0) throw new Fault("array of shape " + Arrays.toString(shape));
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

  /** What is known of an element besides its value; null if that is constant. */
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
  void put(long position, In value, Frame f) {
    Num.Derived d = f.active() ? value.derived(f) : null;
    if (d == null) set(position, value.scalar(f));
    else put(position, d);
  }

  /** The array in memory whose elements may have derivatives. */
  View active() {
    return store instanceof Active ? this : new View(new Active(store), offset, shape, strides);
  }

  private int check(long position) {
    if (position < 0 || position >= store.size()) {
      throw new Fault("access at " + position + " of a block of " + store.size() + " elements");
    }
    return (int) position;
  }

  /** The element or the offset of the row at an index of the first dimension. */
  long row(long i) {
    if (i < 0 || i >= shape[0]) throw outside(i, 0);
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

  /** The row at an index of the first dimension, of an array of two or more. */
  View rowView(long i) {
    return new View(
        store,
        row(i),
        Arrays.copyOfRange(shape, 1, shape.length),
        Arrays.copyOfRange(strides, 1, strides.length));
  }

  /** The part at indices of the first dimensions; of rank 0 if there are as many as dimensions. */
  View at(long... indices) {
    long o = offset;
    for (int d = 0; d < indices.length; d++) {
      if (indices[d] < 0 || indices[d] >= shape[d]) throw outside(indices[d], d);
      o += indices[d] * strides[d];
    }
    int n = indices.length;
    return new View(
        store,
        o,
        Arrays.copyOfRange(shape, n, shape.length),
        Arrays.copyOfRange(strides, n, strides.length));
  }

  /** Whether all elements are at the same places as those of another array of that shape. */
  boolean samePlace(View other) {
    if (!Arrays.equals(shape, other.shape)) return false;
    if (size() == 0) return true;
    if (store.base() != other.store.base() || offset != other.offset) return false;
    for (int d = 0; d < shape.length; d++) {
      if (shape[d] > 1 && strides[d] != other.strides[d]) return false;
    }
    return true;
  }

  /** Whether neighbours in row-major order are neighbours in memory. */
  boolean isContiguous() {
    long s = 1;
    for (int d = shape.length - 1; d >= 0; d--) {
      if (shape[d] != 1 && strides[d] != s) return false;
      s *= shape[d];
    }
    return true;
  }

  /**
   * Overwrites all elements with those of an array of the same shape, as if that were read before
   * anything is written.
   */
  void assign(View from) {
    if (!Arrays.equals(shape, from.shape)) {
      throw new Fault(
          "array of shape "
              + Arrays.toString(from.shape)
              + " written to one of shape "
              + Arrays.toString(shape));
    }
    if (size() == 0) return;
    if (samePlace(from)) {
      if (store instanceof Tagged) assign(from, 0, offset, from.offset);
      return;
    }
    View source = from;
    if (store.base() == from.store.base() && !(isContiguous() && from.isContiguous()))
      source = from.copy();
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

  private void assign(View from, int dim, long to, long at) {
    if (dim == shape.length) {
      if (store.isPlain() && from.store.isPlain()) set(to, from.get(at));
      else store.copy(check(to), from.store, from.check(at), 1);
      return;
    }
    for (long i = 0; i < shape[dim]; i++) {
      assign(from, dim + 1, to + i * strides[dim], at + i * from.strides[dim]);
    }
  }

  /** Sets all elements to the value of a scalar operand. */
  void fill(In value, Frame f) {
    fill(0, offset, value, f);
  }

  private void fill(int dim, long to, In v, Frame f) {
    if (dim == shape.length) {
      put(to, v, f);
      return;
    }
    for (long i = 0; i < shape[dim]; i++) fill(dim + 1, to + i * strides[dim], v, f);
  }

  /** The elements in row-major order in memory of their own. */
  View copy() {
    View c = whole(store.like(size()), shape);
    c.assign(this);
    return c;
  }
}
