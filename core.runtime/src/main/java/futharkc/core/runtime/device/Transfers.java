package futharkc.core.runtime.device;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Transfers between Java arrays and blocks. Booleans are converted to bytes of 0 and 1; other
 * elements are copied. Positions and counts are in elements.
 */
final class Transfers {
  /** The number of booleans in one transfer. */
  private static final int PIECE = 1 << 20;

  /** The number of bytes in one transfer of memory of the host. */
  private static final long MOST = 1 << 30;

  private Transfers() {}

  static void read(
      Driver driver, long block, int width, long from, Object target, int at, int count) {
    if (!(target instanceof boolean[] booleans)) {
      driver.read(block, width * from, over(target), (long) width * at, (long) width * count);
      return;
    }
    byte[] bytes = new byte[Math.min(count, PIECE)];
    for (int done = 0; done < count; done += PIECE) {
      int n = Math.min(count - done, PIECE);
      driver.read(block, from + done, ByteBuffer.wrap(bytes), 0, n);
      for (int i = 0; i < n; i++) {
        booleans[at + done + i] = bytes[i] != 0;
      }
    }
  }

  static void write(
      Driver driver, long block, int width, long to, Object source, int at, int count) {
    if (!(source instanceof boolean[] booleans)) {
      driver.write(block, width * to, over(source), (long) width * at, (long) width * count);
      return;
    }
    byte[] bytes = new byte[Math.min(count, PIECE)];
    for (int done = 0; done < count; done += PIECE) {
      int n = Math.min(count - done, PIECE);
      for (int i = 0; i < n; i++) {
        bytes[i] = (byte) (booleans[at + done + i] ? 1 : 0);
      }
      driver.write(block, to + done, ByteBuffer.wrap(bytes), 0, n);
    }
  }

  /** Copies the start of a block to memory of the host, and waits for the transfer. */
  static void read(Driver driver, long block, MemorySegment target) {
    for (long done = 0; done < target.byteSize(); done += MOST) {
      long n = Math.min(target.byteSize() - done, MOST);
      driver.read(block, done, target.asSlice(done, n).asByteBuffer(), 0, n);
    }
  }

  /** Replaces the start of a block by memory of the host. */
  static void write(Driver driver, long block, MemorySegment source) {
    for (long done = 0; done < source.byteSize(); done += MOST) {
      long n = Math.min(source.byteSize() - done, MOST);
      driver.write(block, done, source.asSlice(done, n).asByteBuffer(), 0, n);
    }
  }

  private static Buffer over(Object array) {
    return switch (array) {
      case byte[] a -> ByteBuffer.wrap(a);
      case short[] a -> ShortBuffer.wrap(a);
      case int[] a -> IntBuffer.wrap(a);
      case long[] a -> LongBuffer.wrap(a);
      case float[] a -> FloatBuffer.wrap(a);
      case double[] a -> DoubleBuffer.wrap(a);
      default -> throw new IllegalArgumentException("cannot be transferred: " + array.getClass());
    };
  }
}
