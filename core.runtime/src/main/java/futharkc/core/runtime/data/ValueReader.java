package futharkc.core.runtime.data;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Memory;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of consecutive values from a stream, each in text or binary form.
 *
 * <p>Text: literals with an optional type suffix, {@code [1, 2, 3]}, {@code empty([0][2]i32)},
 * {@code "string"} (an array of {@code u8}), separated by white space and {@code --} comments.
 * Binary: the letter {@code b}, the version 2, the rank, four letters of type, the sizes as 64-bit
 * numbers, the elements. Binary numbers are little-endian.
 */
public final class ValueReader {
  private static final int MAX_RANK = 255;
  private static final byte BINARY_VERSION = 2;

  /** The largest number of bytes that are allocated before any of them has been read. */
  private static final int UNSEEN_BYTES = 64 << 20;

  /** The growth factor of an array after its contents have been read. */
  private static final int GROWTH = 8;

  private static final int BINARY_CHUNK = 1 << 18;

  private final ByteSource source;
  private byte[] token = new byte[64];
  private int length;

  /** Creates a reader. The reader reads ahead, and does not close the stream. */
  public ValueReader(InputStream in) {
    source = new ByteSource(in);
  }

  /** Returns a reader of a string. */
  public static ValueReader ofText(String text) {
    return new ValueReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Tests whether only white space and comments are left. */
  public boolean atEnd() throws IOException {
    return skipSpace() < 0;
  }

  /**
   * Reads a value of a type.
   *
   * @param type the element type
   * @param rank the number of dimensions; 0 for a scalar
   * @throws ValueSyntaxException if there is no value, or it has another type
   */
  public Value read(ElemType type, int rank) throws IOException {
    if (skipSpace() == 'b') {
      return binary(type, rank);
    }
    nextToken();
    if (rank == 0) {
      return new Scalar(type, element(type));
    }
    if (tokenIs("empty")) {
      ArrayValue empty = emptyArray();
      if (empty.elemType() != type || empty.rank() != rank) {
        throw error(
            "expected a value of type "
                + typeName(type, rank)
                + ", got one of type "
                + typeName(empty.elemType(), empty.rank()));
      }
      return empty;
    }
    if (tokenIs('"')) {
      ArrayValue string = string();
      if (type != ElemType.U8 || rank != 1) {
        throw error("expected a value of type " + typeName(type, rank) + ", got a string");
      }
      return string;
    }
    return array(type, rank);
  }

  /**
   * Reads a value of any type. In text, numbers without suffix have type {@code i32} or {@code
   * f64}, and the first element of an array defines the type of all.
   *
   * @throws ValueSyntaxException if there is no value
   */
  public Value readAny() throws IOException {
    if (skipSpace() == 'b') {
      return binary(null, 0);
    }
    nextToken();
    if (tokenIs("empty")) {
      return emptyArray();
    } else if (tokenIs('"')) {
      return string();
    } else if (tokenIs('[')) {
      return array(null, 0);
    }
    ElemType type = ScalarLiterals.typeOf(token, length);
    if (type == null) {
      throw error(length == 0 ? "expected a value, got the end" : shownToken() + " is not a value");
    }
    return new Scalar(type, element(type));
  }

  private static String typeName(ElemType type, int rank) {
    return "[]".repeat(rank) + type.text();
  }

  private ValueSyntaxException error(String message) {
    return new ValueSyntaxException(source.where(length) + ": " + message);
  }

  // Tokens.

  /** Skips white space, comments and byte order marks; returns the byte after them, or -1. */
  private int skipSpace() throws IOException {
    while (true) {
      int c = source.peek();
      if (c == ' ' || c >= '\t' && c <= '\r') {
        source.skip();
      } else if (c == '-' && source.peekSecond() == '-') {
        while (c >= 0 && c != '\n') {
          c = source.next();
        }
      } else if (c == 0xef && source.peekSecond() == 0xbb) {
        source.skip();
        source.skip();
        if (source.next() != 0xbf) {
          length = 3;
          throw error("unexpected character");
        }
      } else {
        return c;
      }
    }
  }

  private static boolean constituent(int c) {
    return c >= '0' && c <= '9'
        || c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c == '.'
        || c == '-'
        || c == '+'
        || c == '_';
  }

  /**
   * Reads the next token: a word, or another single character. The token is empty only at the end.
   */
  private void nextToken() throws IOException {
    int c = skipSpace();
    length = 0;
    if (c < 0) {
      return;
    }
    do {
      if (length == token.length) {
        token = Arrays.copyOf(token, 2 * length);
      }
      token[length++] = (byte) c;
      source.skip();
      if (!constituent(c)) {
        return;
      }
      c = source.peek();
    } while (constituent(c));
  }

  private boolean tokenIs(char c) {
    return length == 1 && token[0] == c;
  }

  private boolean tokenIs(String word) {
    return length == word.length() && tokenText().equals(word);
  }

  private String tokenText() {
    return new String(token, 0, length, StandardCharsets.UTF_8);
  }

  private void expect(char c) throws IOException {
    nextToken();
    if (!tokenIs(c)) {
      throw error("expected '" + c + "', got " + shownToken());
    }
  }

  private String shownToken() {
    return length == 0 ? "the end" : "'" + ScalarLiterals.shown(token, length) + "'";
  }

  // Text.

  private long element(ElemType type) throws IOException {
    try {
      return ScalarLiterals.parse(type, token, length);
    } catch (ScalarLiterals.BadLiteral e) {
      throw error(e.getMessage());
    }
  }

  /** Parses the rest of an empty array, after the word {@code empty}. */
  private ArrayValue emptyArray() throws IOException {
    expect('(');
    long[] shape = new long[4];
    int rank = 0;
    boolean empty = false;
    for (nextToken(); tokenIs('['); nextToken()) {
      nextToken();
      if (rank == shape.length) {
        shape = Arrays.copyOf(shape, 2 * rank);
      }
      shape[rank] = element(ElemType.I64);
      if (shape[rank] < 0) {
        throw error("a size cannot be negative");
      }
      empty |= shape[rank] == 0;
      rank++;
      expect(']');
    }
    ElemType type = ElemType.ofText(tokenText());
    if (type == null) {
      throw error("expected a primitive type, got " + shownToken());
    }
    if (!empty) {
      throw error("an empty array must have a size of 0");
    }
    expect(')');
    return new ArrayValue(type, Arrays.copyOf(shape, rank), type.newArray(0));
  }

  /** Parses the rest of a string, after its quotation mark; returns its UTF-8 bytes. */
  private ArrayValue string() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int c = source.next(); c != '"'; c = source.next()) {
      if (c < 0) {
        length = 0;
        throw error("a string does not end");
      }
      if (c == '\\') {
        int escaped = source.next();
        switch (escaped) {
          case 'n' -> c = '\n';
          case 't' -> c = '\t';
          case 'r' -> c = '\r';
          default -> c = escaped;
        }
      }
      bytes.write(c);
    }
    return ArrayValue.vector(ElemType.U8, bytes.toByteArray());
  }

  /**
   * Parses an array; the current token is its first bracket. Rows may be strings and empty arrays.
   *
   * @param type the type, or null for that of the first element
   * @param rank the number of dimensions; ignored if the type is null
   */
  private ArrayValue array(@Nullable ElemType type, int rank) throws IOException {
    int opened = 0;
    for (; tokenIs('['); nextToken()) {
      if (++opened > MAX_RANK) {
        throw error("too many dimensions");
      }
    }
    ArrayValue row = row();
    int found = opened + (row == null ? 0 : row.rank());
    if (type != null && found != rank) {
      throw error(
          "expected a value of type "
              + typeName(type, rank)
              + ", got "
              + (opened == 0 ? shownToken() : "an array of " + found + " dimensions"));
    }
    ElemType elemType =
        type != null ? type : row != null ? row.elemType() : ScalarLiterals.typeOf(token, length);
    if (elemType == null) {
      throw error(
          tokenIs(']')
              ? "an empty array of unknown type: write empty([0]TYPE)"
              : "expected an element, got " + shownToken());
    }
    ElementBuffer elements = new ElementBuffer(elemType);
    long[] shape = new long[found];
    Arrays.fill(shape, -1);
    long[] count = new long[found];
    int innermost = found - 1;
    int current = opened - 1;
    boolean afterElement = false;
    while (true) {
      if (row != null) {
        add(row, elemType, elements, shape, current + 1);
        count[current]++;
        afterElement = true;
      } else if (tokenIs(']')) {
        size(shape, current, count[current]);
        if (current == 0) {
          for (int d = 0; d < found; d++) {
            shape[d] = Math.max(0, shape[d]);
          }
          return new ArrayValue(elemType, shape, elements.toArray());
        }
        current--;
        count[current]++;
        afterElement = true;
      } else if (afterElement) {
        if (!tokenIs(',')) {
          throw error("expected ',' or ']', got " + shownToken());
        }
        afterElement = false;
      } else if (current < innermost) {
        if (!tokenIs('[')) {
          throw error("expected '[', got " + shownToken());
        }
        current++;
        count[current] = 0;
      } else {
        elements.add(element(elemType));
        count[current]++;
        afterElement = true;
      }
      nextToken();
      row = afterElement || current == innermost ? null : row();
    }
  }

  /** Parses a string or empty array at the current token; returns null if there is neither. */
  private @Nullable ArrayValue row() throws IOException {
    return tokenIs('"') ? string() : tokenIs("empty") ? emptyArray() : null;
  }

  /**
   * Adds a row to an array.
   *
   * @param row the row
   * @param type the element type
   * @param elements the elements of the array
   * @param shape the sizes of the array
   * @param outermost the array's dimension that is the row's outermost
   */
  private void add(
      ArrayValue row, ElemType type, ElementBuffer elements, long[] shape, int outermost)
      throws IOException {
    if (row.elemType() != type || row.rank() != shape.length - outermost) {
      throw error(
          "expected a row of type "
              + typeName(type, shape.length - outermost)
              + ", got one of type "
              + typeName(row.elemType(), row.rank()));
    }
    for (int d = 0; d < row.rank(); d++) {
      size(shape, outermost + d, row.shape()[d]);
    }
    for (int i = 0; i < row.length(); i++) {
      elements.add(row.element(i).bits());
    }
  }

  /** Records the size of a row in a dimension; all rows must have the same size. */
  private void size(long[] shape, int dimension, long size) throws IOException {
    if (shape[dimension] < 0) {
      shape[dimension] = size;
    } else if (shape[dimension] != size) {
      throw error(
          "irregular array: " + size + " elements in a row where others have " + shape[dimension]);
    }
  }

  // Binary.

  private ValueSyntaxException binaryError(String message) {
    return new ValueSyntaxException(source.where(0) + ": " + message);
  }

  private Value binary(@Nullable ElemType expected, int expectedRank) throws IOException {
    byte[] header = new byte[7];
    if (source.nextBytes(header, 0, 7) < 7) {
      throw binaryError("the data ends in the header of a binary value");
    }
    if (header[1] != BINARY_VERSION) {
      throw binaryError(
          "expected a binary value of format version "
              + BINARY_VERSION
              + ", got version "
              + header[1]);
    }
    int rank = header[2] & 0xff;
    ElemType type = ElemType.ofText(new String(header, 3, 4, StandardCharsets.ISO_8859_1).trim());
    if (type == null || type == ElemType.UNIT) {
      throw binaryError("a binary value of an unknown type");
    }
    if (expected != null && (type != expected || rank != expectedRank)) {
      throw binaryError(
          "expected a value of type "
              + typeName(expected, expectedRank)
              + ", got a binary one of type "
              + typeName(type, rank));
    }
    long[] shape = new long[rank];
    if (rank > 0) {
      byte[] sizes = new byte[8 * rank];
      if (source.nextBytes(sizes, 0, sizes.length) < sizes.length) {
        throw binaryError("the data ends in the sizes of a binary value");
      }
      ByteBuffer.wrap(sizes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(shape);
    }
    Object data = elements(type, rank == 0 ? 1 : checkedSize(type, shape));
    return rank == 0
        ? new ArrayValue(type, shape, data).element(0)
        : new ArrayValue(type, shape, data);
  }

  private int checkedSize(ElemType type, long[] shape) throws IOException {
    long size = 1;
    boolean empty = false;
    for (long d : shape) {
      if (d < 0) {
        throw binaryError("a binary value of negative size");
      }
      empty |= d == 0;
    }
    if (empty) {
      return 0;
    }
    for (long d : shape) {
      if (d > Memory.MAX_LENGTH / size) {
        throw binaryError(
            "a binary value of type "
                + typeName(type, shape.length)
                + " and shape "
                + Arrays.toString(shape)
                + " has more elements than one array can hold");
      }
      size *= d;
    }
    return (int) size;
  }

  /** Reads the elements. Memory grows with the data, since a header may contain any size. */
  private Object elements(ElemType type, int n) throws IOException {
    int width = type.bytes();
    int length = Math.min(n, Math.max(UNSEEN_BYTES / width, n / (GROWTH * GROWTH)));
    Object data = newArray(type, length, n);
    for (int from = 0; ; ) {
      fill(data, from, length, n, width);
      if (length == n) {
        return data;
      }
      from = length;
      length = (int) Math.min(n, (long) GROWTH * length);
      Object longer = newArray(type, length, n);
      System.arraycopy(data, 0, longer, 0, from);
      data = longer;
    }
  }

  private Object newArray(ElemType type, int length, int n) throws IOException {
    try {
      return type.newArray(length);
    } catch (OutOfMemoryError e) {
      throw binaryError(
          "not enough memory for a binary value of " + (long) n * type.bytes() + " bytes");
    }
  }

  /** Reads the elements {@code start} to {@code end} of {@code n}. */
  private void fill(Object data, int start, int end, int n, int width) throws IOException {
    if (data instanceof byte[] bytes) {
      checkEnd(source.nextBytes(bytes, start, end - start), end - start, n, width);
      return;
    }
    byte[] chunk = new byte[(int) Math.min((long) (end - start) * width, BINARY_CHUNK)];
    for (int from = start; from < end; ) {
      int count = Math.min(end - from, chunk.length / width);
      checkEnd(source.nextBytes(chunk, 0, count * width), count * width, n, width);
      ByteBuffer buffer = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
      switch (data) {
        case short[] a -> buffer.asShortBuffer().get(a, from, count);
        case int[] a -> buffer.asIntBuffer().get(a, from, count);
        case long[] a -> buffer.asLongBuffer().get(a, from, count);
        case float[] a -> buffer.asFloatBuffer().get(a, from, count);
        case double[] a -> buffer.asDoubleBuffer().get(a, from, count);
        case boolean[] a -> {
          for (int i = 0; i < count; i++) {
            a[from + i] = chunk[i] != 0;
          }
        }
        default -> throw new IllegalStateException();
      }
      from += count;
    }
  }

  private void checkEnd(int got, int wanted, int n, int width) throws IOException {
    if (got < wanted) {
      throw binaryError("the data ends in a binary value of " + (long) n * width + " bytes");
    }
  }
}
