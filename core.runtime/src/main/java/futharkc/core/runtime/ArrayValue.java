package futharkc.core.runtime;

import java.lang.reflect.Array;
import java.util.Objects;

/**
 * A regular array: its elements in row-major order, on the host or on a device, and a shape.
 *
 * <p>The components are shared, not copied. The store may hold more elements than the shape says,
 * since recycled blocks can be longer; only the first {@link #size()} belong to the value.
 *
 * @param elemType type of the elements, not unit
 * @param shape the sizes, outermost first; at least one
 * @param store where the elements are
 */
public record ArrayValue(ElemType elemType, long[] shape, ArrayStore store) implements Value {
  /**
   * An array on the host.
   *
   * @param data the elements: the Java array that {@link ElemType#newArray} makes for the type
   */
  public ArrayValue(ElemType elemType, long[] shape, Object data) {
    this(elemType, shape, new HostArray(data));
  }

  /** A one-dimensional array of all elements of {@code data}. */
  public static ArrayValue vector(ElemType elemType, Object data) {
    return new ArrayValue(elemType, new long[] {Array.getLength(data)}, data);
  }

  /**
   * The elements as one Java array, which may be longer: the store's own on the host, a copy of
   * those on a device.
   *
   * @throws FutharkError if there are more elements than a Java array can have
   */
  public Object data() {
    return store.javaArray(elemType, length());
  }

  /** The number of dimensions. */
  public int rank() {
    return shape.length;
  }

  /** The number of elements: the product of the shape. */
  public long size() {
    return size(shape);
  }

  /**
   * The number of elements, as the length of a Java array.
   *
   * @throws FutharkError if there are more than a Java array can have
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
              + ": it has to be read piece by piece.");
    }
    return (int) n;
  }

  /** The size of the elements in bytes. */
  public long bytes() {
    return Math.multiplyExact(size(), elemType.bytes());
  }

  /** The number of elements that an array of that shape has. */
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

  /** The sizes and the type, as in {@code array [2][3]i32}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("array ");
    for (long size : shape) {
      text.append('[').append(size).append(']');
    }
    return text.append(elemType.text()).toString();
  }

  /** The same array on the host: itself if it is there already. */
  public ArrayValue onHost() {
    return store instanceof HostArray ? this : new ArrayValue(elemType, shape, data());
  }

  /**
   * The element at a flat, row-major index, as a scalar. One at a time is slow if they are not
   * {@linkplain #onHost on the host}.
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
