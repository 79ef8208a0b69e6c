package futharkc.core.runtime.embed;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Conversions between Futhark arrays and Java arrays (nested for several dimensions), NIO buffers
 * and {@link ArrayValue}s.
 *
 * <p>The Java form of an {@code f16} array is a {@code short[]} of binary16 bit patterns.
 */
final class JavaArrays {
  private JavaArrays() {}

  /**
   * Converts a Java object to a Futhark array.
   *
   * @param copy whether the result must not share memory with the object
   * @return the array, or null if the object is not an array of that type
   * @throws IllegalArgumentException if the object is a nested array with rows of different
   *     lengths, or contains null
   */
  static @Nullable ArrayValue toFuthark(ElemType elem, int rank, @Nullable Object x, boolean copy) {
    if (x instanceof ArrayValue v) {
      if (v.elemType() != elem || v.rank() != rank) {
        return null;
      }
      return copy ? new ArrayValue(elem, v.shape().clone(), copy(v)) : v;
    }
    if (x instanceof java.nio.Buffer buffer) {
      Object data = rank == 1 ? drain(buffer) : null;
      return data != null && hasCarrier(elem, data) ? ArrayValue.vector(elem, data) : null;
    }
    if (x == null || !x.getClass().isArray()) {
      return null;
    }
    if (rank == 1) {
      return hasCarrier(elem, x) ? ArrayValue.vector(elem, copy ? clone(x) : x) : null;
    }
    return x.getClass() == nested(elem, rank) ? flatten(elem, rank, x) : null;
  }

  private static ArrayValue flatten(ElemType elem, int rank, Object x) {
    long[] shape = new long[rank];
    Object at = x;
    for (int d = 0; d < rank; d++) {
      shape[d] = Array.getLength(at);
      if (shape[d] == 0) {
        break;
      }
      at = Array.get(at, 0);
      if (at == null) {
        throw new IllegalArgumentException("the array contains null");
      }
      if (d == rank - 2) {
        shape[rank - 1] = Array.getLength(at);
        break;
      }
    }
    Object data = elem.newArray(Math.toIntExact(ArrayValue.size(shape)));
    copyIn(x, shape, 0, data, 0);
    return new ArrayValue(elem, shape, data);
  }

  private static int copyIn(Object from, long[] shape, int dim, Object to, int at) {
    int n = Array.getLength(from);
    if (n != shape[dim]) {
      throw new IllegalArgumentException(
          "the array is irregular: rows of dimension "
              + dim
              + " have "
              + n
              + " and "
              + shape[dim]
              + " elements");
    }
    if (dim == shape.length - 1) {
      System.arraycopy(from, 0, to, at, n);
      return at + n;
    }
    int next = at;
    for (int i = 0; i < n; i++) {
      Object row = Array.get(from, i);
      if (row == null) {
        throw new IllegalArgumentException("the array contains null");
      }
      next = copyIn(row, shape, dim + 1, to, next);
    }
    return next;
  }

  /**
   * Converts a Futhark array to a Java array, nested for several dimensions. Its lengths are
   * exactly those of the shape.
   */
  static Object toJava(ArrayValue v) {
    return slice(v.onHost(), 0, 0, v.length());
  }

  /** Returns a fresh Java array that holds exactly the elements of the value. */
  static Object copy(ArrayValue v) {
    Object copy = v.elemType().newArray(v.length());
    v.store().read(v.elemType(), 0, copy, 0, v.length());
    return copy;
  }

  private static Object slice(ArrayValue v, int dim, int from, int size) {
    if (dim == v.rank() - 1) {
      Object part = v.elemType().newArray(size);
      v.store().read(v.elemType(), from, part, 0, size);
      return part;
    }
    int n = Math.toIntExact(v.shape()[dim]);
    Class<?> row = nested(v.elemType(), v.rank() - dim - 1);
    Object rows = Array.newInstance(row, n);
    for (int i = 0; i < n; i++) {
      int rowSize = size / n;
      Array.set(rows, i, slice(v, dim + 1, from + i * rowSize, rowSize));
    }
    return rows;
  }

  /** Returns the Java class of arrays with an element type and a rank. */
  static Class<?> nested(ElemType elem, int rank) {
    Class<?> c = elem.newArray(0).getClass();
    for (int i = 1; i < rank; i++) {
      c = c.arrayType();
    }
    return c;
  }

  private static boolean hasCarrier(ElemType elem, Object data) {
    return data.getClass() == elem.newArray(0).getClass();
  }

  private static Object clone(Object array) {
    int n = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), n);
    System.arraycopy(array, 0, copy, 0, n);
    return copy;
  }

  /** Returns an array of a buffer's remaining elements. The buffer's position does not change. */
  private static @Nullable Object drain(java.nio.Buffer buffer) {
    int n = buffer.remaining();
    int at = buffer.position();
    return switch (buffer) {
      case ByteBuffer b -> {
        byte[] a = new byte[n];
        b.get(at, a);
        yield a;
      }
      case ShortBuffer b -> {
        short[] a = new short[n];
        b.get(at, a);
        yield a;
      }
      case IntBuffer b -> {
        int[] a = new int[n];
        b.get(at, a);
        yield a;
      }
      case LongBuffer b -> {
        long[] a = new long[n];
        b.get(at, a);
        yield a;
      }
      case FloatBuffer b -> {
        float[] a = new float[n];
        b.get(at, a);
        yield a;
      }
      case DoubleBuffer b -> {
        double[] a = new double[n];
        b.get(at, a);
        yield a;
      }
      default -> null;
    };
  }
}
