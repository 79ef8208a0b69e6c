package futharkc.core.runtime.data;

import java.io.IOException;
import java.io.InputStream;

/** A buffered byte stream with a position. */
final class ByteSource {
  private static final int CAPACITY = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[CAPACITY];
  private int position;
  private int limit;

  /** The number of bytes, and of line breaks, before the buffer. */
  private long offsetBefore;

  private long linesBefore;

  /** The offset of the first byte of the line at the start of the buffer. */
  private long lineStart;

  private boolean sawBinary;

  ByteSource(InputStream in) {
    this.in = in;
  }

  /** Returns the next byte, from 0 to 255, without consuming it; -1 at the end. */
  int peek() throws IOException {
    return position < limit || refill() ? buffer[position] & 0xff : -1;
  }

  /** Consumes the next byte, from 0 to 255; returns -1 at the end. */
  int next() throws IOException {
    return position < limit || refill() ? buffer[position++] & 0xff : -1;
  }

  /** Consumes the byte that {@link #peek} has returned. */
  void skip() {
    position++;
  }

  /**
   * Consumes bytes of binary data.
   *
   * @return the number of bytes; fewer than {@code count} only at the end
   */
  int nextBytes(byte[] target, int from, int count) throws IOException {
    sawBinary = true;
    int done = Math.min(count, limit - position);
    System.arraycopy(buffer, position, target, from, done);
    position += done;
    while (done < count) {
      int n = in.read(target, from + done, count - done);
      if (n < 0) {
        break;
      }
      offsetBefore += n;
      done += n;
    }
    return done;
  }

  /** Returns the byte after the next one; -1 if there is none. */
  int peekSecond() throws IOException {
    return position + 1 < limit || refill() && position + 1 < limit
        ? buffer[position + 1] & 0xff
        : -1;
  }

  /**
   * Reads more bytes into the buffer and keeps the unconsumed ones.
   *
   * @return true if there were more bytes
   */
  private boolean refill() throws IOException {
    if (!sawBinary) {
      for (int i = 0; i < position; i++) {
        if (buffer[i] == '\n') {
          linesBefore++;
          lineStart = offsetBefore + i + 1;
        }
      }
    }
    offsetBefore += position;
    System.arraycopy(buffer, position, buffer, 0, limit - position);
    limit -= position;
    position = 0;
    int n = in.read(buffer, limit, CAPACITY - limit);
    if (n <= 0) {
      return false;
    }
    limit += n;
    return true;
  }

  /**
   * Returns the position {@code back} bytes ago: line and column in text, the byte number in binary
   * data.
   */
  String where(int back) {
    long offset = offsetBefore + position - back;
    if (sawBinary) {
      return "byte " + offset;
    }
    long line = linesBefore;
    long start = lineStart;
    for (int i = 0; i < position - back && i < limit; i++) {
      if (buffer[i] == '\n') {
        line++;
        start = offsetBefore + i + 1;
      }
    }
    return "line " + (line + 1) + ", column " + Math.max(1, offset - start + 1);
  }
}
