package futharkc.core.runtime.data;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.HostArray;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A writer of values to a stream, in text or binary form: see {@link ValueReader}. Each value can
 * be read back exactly; floats have as few digits as that requires.
 */
public final class ValueWriter {
  private static final int CAPACITY = 1 << 16;

  /** An upper bound of the length of a scalar in text, in bytes. */
  private static final int MAX_SCALAR_BYTES = 64;

  private final OutputStream out;
  private final byte[] buffer = new byte[CAPACITY];
  private int size;

  /** Creates a writer, which does not close the stream. A flush completes the output. */
  public ValueWriter(OutputStream out) {
    this.out = out;
  }

  /** Writes the buffer to the stream and flushes the stream. */
  public void flush() throws IOException {
    drain();
    out.flush();
  }

  private void drain() throws IOException {
    out.write(buffer, 0, size);
    size = 0;
  }

  private void room(int n) throws IOException {
    if (CAPACITY - size < n) {
      drain();
    }
  }

  /** Writes a line break. */
  public void newline() throws IOException {
    room(1);
    buffer[size++] = '\n';
  }

  /** Writes a line of ASCII text, such as the name of a type. */
  public void line(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      room(1);
      buffer[size++] = (byte) text.charAt(i);
    }
    newline();
  }

  // Text.

  /**
   * Writes a scalar or array as text on one line, without a final line break.
   *
   * @throws IllegalArgumentException for an opaque value
   */
  public void text(Value value) throws IOException {
    if (value instanceof Scalar scalar) {
      room(MAX_SCALAR_BYTES);
      scalar(scalar.type(), scalar.bits());
    } else if (value instanceof ArrayValue array) {
      array(array);
    } else {
      throw new IllegalArgumentException("an opaque value has no text form");
    }
  }

  private void array(ArrayValue array) throws IOException {
    long[] shape = array.shape();
    long n = array.size();
    if (n == 0) {
      ascii("empty(");
      for (long d : shape) {
        ascii("[");
        ascii(Long.toString(d));
        ascii("]");
      }
      ascii(array.elemType().text());
      ascii(")");
      return;
    }
    int rank = shape.length;
    // The number of elements in a whole row of each dimension.
    long[] rows = new long[rank];
    long row = 1;
    for (int d = rank - 1; d >= 0; d--) {
      row *= shape[d];
      rows[d] = row;
    }
    long innermost = shape[rank - 1];
    ElementWindow piece = new ElementWindow(array);
    for (long i = 0; i < n; i += innermost) {
      if (i > 0) {
        ascii(", ");
      }
      for (int d = 0; d < rank; d++) {
        if (i % rows[d] == 0) {
          ascii("[");
        }
      }
      for (long j = i; j < i + innermost; ) {
        if (j > i) {
          ascii(", ");
        }
        piece.at(j);
        int count = (int) Math.min(i + innermost - j, piece.to - piece.from);
        row(array.elemType(), piece.data, piece.from, piece.from + count);
        j += count;
      }
      for (int d = 0; d < rank; d++) {
        if ((i + innermost) % rows[d] == 0) {
          ascii("]");
        }
      }
    }
  }

  /** Consecutive elements of an array in a Java array; all elements if the array is on the host. */
  private static final class ElementWindow {
    private static final int LENGTH = 1 << 20;

    private final ArrayValue array;
    private final long size;

    /** The array position of the first element in {@link #data}. */
    private long first;

    Object data;

    /** The position, in {@link #data}, of the requested element. */
    int from;

    int to;

    ElementWindow(ArrayValue array) {
      this.array = array;
      size = array.size();
      boolean here = array.store() instanceof HostArray;
      data = here ? array.data() : array.elemType().newArray((int) Math.min(size, LENGTH));
      to = here ? (int) size : 0;
    }

    /** Loads the element at a position, and elements after it. */
    void at(long position) {
      if (position >= first + to) {
        first = position;
        to = (int) Math.min(size - first, LENGTH);
        array.store().read(array.elemType(), first, data, 0, to);
      }
      from = (int) (position - first);
    }
  }

  private void row(ElemType type, Object data, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      room(MAX_SCALAR_BYTES);
      if (i > from) {
        buffer[size++] = ',';
        buffer[size++] = ' ';
      }
      // The common types of large arrays come first.
      if (data instanceof int[] a) {
        scalar(type, a[i]);
      } else if (data instanceof float[] a) {
        scalar(type, Float.floatToRawIntBits(a[i]));
      } else if (data instanceof double[] a) {
        scalar(type, Double.doubleToRawLongBits(a[i]));
      } else if (data instanceof long[] a) {
        scalar(type, a[i]);
      } else if (data instanceof byte[] a) {
        scalar(type, a[i]);
      } else if (data instanceof short[] a) {
        scalar(type, a[i]);
      } else if (data instanceof boolean[] a) {
        scalar(type, a[i] ? 1 : 0);
      }
    }
  }

  /** Appends a scalar to the buffer, which must have space for it. */
  private void scalar(ElemType type, long bits) {
    switch (type) {
      case I8, I16, I32, I64 -> integer(bits);
      case U8 -> integer(bits & 0xff);
      case U16 -> integer(bits & 0xffff);
      case U32 -> integer(bits & 0xffffffffL);
      case U64 -> {
        if (bits < 0) {
          put(Long.toUnsignedString(bits));
        } else {
          integer(bits);
        }
      }
      case F16 -> floating(type, Float.float16ToFloat((short) bits));
      case F32 -> floating(type, Float.intBitsToFloat((int) bits));
      case F64 -> floating(type, Double.longBitsToDouble(bits));
      case BOOL -> put(bits != 0 ? "true" : "false");
      case UNIT -> put("()");
    }
    if (type.isInteger()) {
      put(type.text());
    }
  }

  private void floating(ElemType type, double x) {
    if (Double.isFinite(x)) {
      String digits = type == ElemType.F64 ? Double.toString(x) : Float.toString((float) x);
      for (int i = 0; i < digits.length(); i++) {
        char c = digits.charAt(i);
        buffer[size++] = (byte) (c == 'E' ? 'e' : c);
      }
      put(type.text());
    } else {
      if (x < 0) {
        buffer[size++] = '-';
      }
      put(type.text());
      put(Double.isNaN(x) ? ".nan" : ".inf");
    }
  }

  private void integer(long x) {
    if (x == Long.MIN_VALUE) {
      put("-9223372036854775808");
      return;
    }
    long rest = x;
    if (rest < 0) {
      buffer[size++] = '-';
      rest = -rest;
    }
    int digits = 1;
    for (long bound = 10; digits < 19 && rest >= bound; bound *= 10) {
      digits++;
    }
    int i = size + digits;
    size = i;
    while (rest > Integer.MAX_VALUE) {
      buffer[--i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    int small = (int) rest;
    do {
      buffer[--i] = (byte) ('0' + small % 10);
      small /= 10;
    } while (small != 0);
  }

  @SuppressWarnings(
      "deprecation") // This deprecated method is the fastest conversion of an ASCII string.
  private void put(String s) {
    s.getBytes(0, s.length(), buffer, size);
    size += s.length();
  }

  private void ascii(String s) throws IOException {
    room(s.length());
    put(s);
  }

  // Binary.

  /**
   * Writes a scalar or array in binary form.
   *
   * @throws IllegalArgumentException for an opaque value
   */
  public void binary(Value value) throws IOException {
    if (value instanceof Scalar scalar) {
      header(scalar.type(), new long[0]);
      room(8);
      for (int i = 0; i < scalar.type().bytes(); i++) {
        buffer[size++] = (byte) (scalar.bits() >> 8 * i);
      }
    } else if (value instanceof ArrayValue array) {
      header(array.elemType(), array.shape());
      elements(array);
    } else {
      throw new IllegalArgumentException("an opaque value is several binary values");
    }
  }

  private void header(ElemType type, long[] shape) throws IOException {
    if (type == ElemType.UNIT) {
      throw new IllegalArgumentException("there is no binary form of unit");
    }
    room(7);
    buffer[size++] = 'b';
    buffer[size++] = 2;
    buffer[size++] = (byte) shape.length;
    put("    ".substring(type.text().length()));
    put(type.text());
    for (long d : shape) {
      room(8);
      for (int i = 0; i < 8; i++) {
        buffer[size++] = (byte) (d >> 8 * i);
      }
    }
  }

  private void elements(ArrayValue array) throws IOException {
    long n = array.size();
    ElementWindow piece = new ElementWindow(array);
    for (long i = 0; i < n; i += piece.to - piece.from) {
      piece.at(i);
      elements(array.elemType(), piece.data, piece.from, piece.to);
    }
  }

  private void elements(ElemType type, Object data, int begin, int n) throws IOException {
    if (data instanceof byte[] a) {
      drain();
      out.write(a, begin, n - begin);
      return;
    }
    int width = type.bytes();
    for (int from = begin; from < n; ) {
      room(CAPACITY / 2);
      int count = Math.min(n - from, (CAPACITY - size) / width);
      ByteBuffer target =
          ByteBuffer.wrap(buffer, size, count * width).slice().order(ByteOrder.LITTLE_ENDIAN);
      switch (data) {
        case short[] a -> target.asShortBuffer().put(a, from, count);
        case int[] a -> target.asIntBuffer().put(a, from, count);
        case long[] a -> target.asLongBuffer().put(a, from, count);
        case float[] a -> target.asFloatBuffer().put(a, from, count);
        case double[] a -> target.asDoubleBuffer().put(a, from, count);
        case boolean[] a -> {
          for (int i = 0; i < count; i++) {
            buffer[size + i] = (byte) (a[from + i] ? 1 : 0);
          }
        }
        default -> throw new IllegalStateException("not a primitive array");
      }
      size += count * width;
      from += count;
    }
  }
}
