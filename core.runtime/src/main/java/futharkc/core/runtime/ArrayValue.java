package futharkc.core.runtime;

import java.lang.reflect.Array;
import java.util.Objects;

/**
 * A regular array: its elements in row-major order, on the host or on a device, and a shape.
 *
 * <p>The components are shared, not copied. A recycled block can be longer than the shape; only its
 * first {@link #size()} elements belong to the value.
 *
 * @param elemType the type of the elements, not unit
 * @param shape the sizes, outermost first; at least one
 * @param store the memory with the elements
 */
public record ArrayValue(ElemType elemType, long[] shape, ArrayStore store) implements Value {
  /**
   * Creates an array on the host.
   *
   * @param data the elements, in a Java array of the class that {@link ElemType#newArray} gives for
   *     the type
   */
  public ArrayValue(ElemType elemType, long[] shape, Object data) {
    this(elemType, shape, new HostArray(data));
  }

  /** Returns a one-dimensional array of all elements of {@code data}. */
  public static ArrayValue vector(ElemType elemType, Object data) {
    return new ArrayValue(elemType, new long[] {Array.getLength(data)}, data);
  }

  /**
   * Returns the elements as one Java array, which may be longer than the array. The elements of a
   * host array are shared, those of a device array copied.
   *
   * @throws FutharkError if there are more elements than a Java array can have
   */
  public Object data() {
    return store.javaArray(elemType, length());
  }

  /** Returns the number of dimensions. */
  public int rank() {
    return shape.length;
  }

  /** Returns the number of elements: the product of the shape. */
  public long size() {
    return size(shape);
  }

  /**
   * Returns the number of elements as the length of a Java array.
   *
   * @throws FutharkError if there are more elements than a Java array can have
   */
  public int length() {
    long n = size();
    if (n > Memory.MAX_LENGTH) {
      throw new FutharkError(
          "An array of "
              + n
              + " elements of type "
              + elemType
              + " does not fit into one Java array, which holds at most "
              + Memory.MAX_LENGTH
              + ": read the array in parts.");
    }
    return (int) n;
  }

  /** Returns the size of the elements in bytes. */
  public long bytes() {
    return Math.multiplyExact(size(), elemType.bytes());
  }

  /** Returns the number of elements of an array of the given shape. */
  public static long size(long[] shape) {
    for (long d : shape) {
      if (d == 0) {
        return 0;
      }
    }
    long n = 1;
    for (long d : shape) {
      n = Math.multiplyExact(n, d);
    }
    return n;
  }

  /** Returns the sizes and the type, as in {@code array [2][3]i32}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("array ");
    for (long size : shape) {
      text.append('[').append(size).append(']');
    }
    return text.append(elemType.text()).toString();
  }

  /** Returns this array with its elements on the host; a host array is returned unchanged. */
  public ArrayValue onHost() {
    return store instanceof HostArray ? this : new ArrayValue(elemType, shape, data());
  }

  /**
   * Returns the element at a flat, row-major index. Each read of an array that is not {@linkplain
   * #onHost on the host} is a separate transfer.
   */
  public Scalar element(long i) {
    if (store instanceof HostArray host) {
      return element(elemType, host.data(), Math.toIntExact(i));
    }
    Objects.checkIndex(i, size());
    Object one = elemType.newArray(1);
    store.read(elemType, i, one, 0, 1);
    return element(elemType, one, 0);
  }

  private static Scalar element(ElemType type, Object data, int i) {
    long bits =
        switch (data) {
          case byte[] a -> a[i];
          case short[] a -> a[i];
          case int[] a -> a[i];
          case long[] a -> a[i];
          case float[] a -> Float.floatToRawIntBits(a[i]);
          case double[] a -> Double.doubleToRawLongBits(a[i]);
          case boolean[] a -> a[i] ? 1 : 0;
          default -> throw new IllegalStateException("not a primitive array");
        };
    return new Scalar(type, bits);
  }

  /** Overwrites the element at a flat, row-major index with a scalar of the element type. */
  public void setElement(long i, Scalar x) {
    if (store instanceof HostArray host) {
      setElement(host.data(), Math.toIntExact(i), x);
      return;
    }
    Objects.checkIndex(i, size());
    Object one = elemType.newArray(1);
    setElement(one, 0, x);
    store.write(elemType, i, one, 0, 1);
  }

  private static void setElement(Object data, int i, Scalar x) {
    switch (data) {
      case byte[] a -> a[i] = x.asByte();
      case short[] a -> a[i] = x.asShort();
      case int[] a -> a[i] = x.asInt();
      case long[] a -> a[i] = x.asLong();
      case float[] a -> a[i] = x.asFloat();
      case double[] a -> a[i] = x.asDouble();
      case boolean[] a -> a[i] = x.asBoolean();
      default -> throw new IllegalStateException("not a primitive array");
    }
  }
}
