package futharkc.core.runtime.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Copies of blocks in the host's memory, for the time of one statement of a generated program. The
 * copies of a block are one copy. Indices count elements of the type that a method names.
 */
public final class HostCopies implements AutoCloseable {
  private final Device device;
  private final Arena arena = Arena.ofConfined();
  private final Map<Buffer, MemorySegment> copies = new IdentityHashMap<>();

  HostCopies(Device device) {
    this.device = device;
  }

  /** Returns the copy of a block. */
  public MemorySegment of(Buffer block) {
    MemorySegment copy = copies.get(block);
    if (copy == null) {
      copy = arena.allocate(block.asked(), Long.BYTES);
      device.read(block, copy);
      copies.put(block, copy);
    }
    return copy;
  }

  /** Writes the copy of a block back. */
  public void writeBack(Buffer block) {
    MemorySegment copy = copies.remove(block);
    if (copy != null) {
      device.write(block, copy);
    }
  }

  /** Releases the copies. */
  @Override
  public void close() {
    arena.close();
  }

  /** Copies elements of a width in bytes between copies of blocks; the ranges may overlap. */
  public static void move(
      MemorySegment to, long at, MemorySegment from, long fromAt, long count, int width) {
    if (count > 0) {
      MemorySegment.copy(from, width * fromAt, to, width * at, width * count);
    }
  }

  public static boolean bool(MemorySegment copy, long index) {
    return copy.get(ValueLayout.JAVA_BYTE, index) != 0;
  }

  public static void bool(MemorySegment copy, long index, boolean value) {
    copy.set(ValueLayout.JAVA_BYTE, index, (byte) (value ? 1 : 0));
  }

  public static byte i8(MemorySegment copy, long index) {
    return copy.get(ValueLayout.JAVA_BYTE, index);
  }

  public static void i8(MemorySegment copy, long index, byte value) {
    copy.set(ValueLayout.JAVA_BYTE, index, value);
  }

  public static short i16(MemorySegment copy, long index) {
    return copy.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, index);
  }

  public static void i16(MemorySegment copy, long index, short value) {
    copy.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, index, value);
  }

  public static int i32(MemorySegment copy, long index) {
    return copy.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
  }

  public static void i32(MemorySegment copy, long index, int value) {
    copy.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index, value);
  }

  public static long i64(MemorySegment copy, long index) {
    return copy.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index);
  }

  public static void i64(MemorySegment copy, long index, long value) {
    copy.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index, value);
  }

  /** Returns the bits of an f16. */
  public static short f16(MemorySegment copy, long index) {
    return i16(copy, index);
  }

  /** Writes the bits of an f16. */
  public static void f16(MemorySegment copy, long index, short bits) {
    i16(copy, index, bits);
  }

  public static float f32(MemorySegment copy, long index) {
    return copy.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index);
  }

  public static void f32(MemorySegment copy, long index, float value) {
    copy.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index, value);
  }

  public static double f64(MemorySegment copy, long index) {
    return copy.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index);
  }

  public static void f64(MemorySegment copy, long index, double value) {
    copy.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index, value);
  }
}
