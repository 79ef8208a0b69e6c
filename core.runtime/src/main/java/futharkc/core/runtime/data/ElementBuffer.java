package futharkc.core.runtime.data;

import futharkc.core.runtime.ElemType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growing array for elements whose number is not known yet. */
final class ElementBuffer {
  private static final int INITIAL_LENGTH = 16;

  private int size;
  private byte @Nullable [] bytes;
  private short @Nullable [] shorts;
  private int @Nullable [] ints;
  private long @Nullable [] longs;
  private float @Nullable [] floats;
  private double @Nullable [] doubles;
  private boolean @Nullable [] booleans;

  ElementBuffer(ElemType type) {
    switch (type.newArray(INITIAL_LENGTH)) {
      case byte[] a -> bytes = a;
      case short[] a -> shorts = a;
      case int[] a -> ints = a;
      case long[] a -> longs = a;
      case float[] a -> floats = a;
      case double[] a -> doubles = a;
      case boolean[] a -> booleans = a;
      default -> throw new IllegalArgumentException();
    }
  }

  int size() {
    return size;
  }

  /** Adds an element, given as the bits of a scalar. */
  void add(long bits) {
    int i = size++;
    if (bytes != null) {
      if (i == bytes.length) {
        bytes = Arrays.copyOf(bytes, longer(i));
      }
      bytes[i] = (byte) bits;
    } else if (ints != null) {
      if (i == ints.length) {
        ints = Arrays.copyOf(ints, longer(i));
      }
      ints[i] = (int) bits;
    } else if (floats != null) {
      if (i == floats.length) {
        floats = Arrays.copyOf(floats, longer(i));
      }
      floats[i] = Float.intBitsToFloat((int) bits);
    } else if (doubles != null) {
      if (i == doubles.length) {
        doubles = Arrays.copyOf(doubles, longer(i));
      }
      doubles[i] = Double.longBitsToDouble(bits);
    } else if (longs != null) {
      if (i == longs.length) {
        longs = Arrays.copyOf(longs, longer(i));
      }
      longs[i] = bits;
    } else if (shorts != null) {
      if (i == shorts.length) {
        shorts = Arrays.copyOf(shorts, longer(i));
      }
      shorts[i] = (short) bits;
    } else if (booleans != null) {
      if (i == booleans.length) {
        booleans = Arrays.copyOf(booleans, longer(i));
      }
      booleans[i] = bits != 0;
    }
  }

  /** Returns the elements in a Java array of their exact number. */
  Object toArray() {
    if (bytes != null) {
      return Arrays.copyOf(bytes, size);
    } else if (ints != null) {
      return Arrays.copyOf(ints, size);
    } else if (floats != null) {
      return Arrays.copyOf(floats, size);
    } else if (doubles != null) {
      return Arrays.copyOf(doubles, size);
    } else if (longs != null) {
      return Arrays.copyOf(longs, size);
    } else if (shorts != null) {
      return Arrays.copyOf(shorts, size);
    } else if (booleans != null) {
      return Arrays.copyOf(booleans, size);
    }
    throw new IllegalStateException();
  }

  private static int longer(int length) {
    return length > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE - 8 : 2 * length;
  }
}
