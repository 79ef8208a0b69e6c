package futharkc.core.runtime;

import java.lang.reflect.Array;

/**
 * A regular array: a flat Java array in row-major order, and a shape.
 *
 * <p>The components are shared, not copied. The Java array may be longer than the shape says, since
 * recycled blocks can be; only the first {@link #size()} elements belong to the value.
 *
 * @param elemType type of the elements, not unit
 * @param shape the sizes, outermost first; at least one
 * @param data the elements: the array that {@link ElemType#newArray} makes for the type
 */
public record ArrayValue(ElemType elemType, long[] shape, Object data) implements Value {
  /** A one-dimensional array of all elements of {@code data}. */
  public static ArrayValue vector(ElemType elemType, Object data) {
    return new ArrayValue(elemType, new long[] {Array.getLength(data)}, data);
  }

  /** The number of dimensions. */
  public int rank() {
    return shape.length;
  }

  /** The number of elements: the product of the shape. */
  public int size() {
    return Math.toIntExact(size(shape));
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

  /** The element at a flat, row-major index, as a scalar. */
  public Scalar element(int i) {
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
    return new Scalar(elemType, bits);
  }

  /** Overwrites the element at a flat, row-major index with a scalar of the element type. */
  public void setElement(int i, Scalar x) {
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
