package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block of a device's memory. Its contents are undefined at first, and it may be longer than
 * requested. A released block must not be used.
 */
public final class Buffer {
  private final Device device;
  private final long handle;
  private final long bytes;
  private final long base;
  private final boolean isPart;
  private boolean inUse;
  private boolean pinned;
  private long asked;
  private boolean reported;
  private long number;

  /** The number of changes by the host. */
  private int version;

  /**
   * The bytes from {@link #seenFrom} on that the host has read; valid until the next kernel launch.
   */
  private @Nullable ByteBuffer seen;

  private long seenFrom;
  private long seenEpoch;

  /** The reason why the block is lost; null if it is usable. */
  private @Nullable String lost;

  /**
   * Creates a block.
   *
   * @param device the device
   * @param handle the driver's handle
   * @param bytes the size in bytes
   * @param base the driver's handle of the containing block, or of the block itself
   * @param isPart true if the block is a part of a containing block
   */
  Buffer(Device device, long handle, long bytes, long base, boolean isPart) {
    this.device = device;
    this.handle = handle;
    this.bytes = bytes;
    this.base = base;
    this.isPart = isPart;
  }

  /** Returns the device of the block. */
  public Device device() {
    return device;
  }

  /** Returns the size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Returns the requested size in bytes. */
  public long asked() {
    return asked;
  }

  /**
   * Tests whether reports count the block: it holds a program's array, not data of the run time.
   */
  boolean isReported() {
    return reported;
  }

  void setReported(boolean now) {
    reported = now;
  }

  void setAsked(long size) {
    asked = size;
  }

  /** Pins the block: it stays live as long as the program. */
  public void pin() {
    pinned = true;
  }

  boolean isPinned() {
    return pinned;
  }

  /** Releases the block unless it is pinned. Work in the queue can still use it. */
  public void release() {
    device.release(this);
  }

  /**
   * Returns the driver's handle.
   *
   * @throws FutharkError if the block is lost with all contents of the device
   */
  long handle() {
    if (lost != null) {
      throw new FutharkError("A value on the device is lost: " + lost);
    }
    return handle;
  }

  /** Returns the driver's handle, also of a lost block. */
  long rawHandle() {
    return handle;
  }

  // The host's knowledge of the contents

  int version() {
    return version;
  }

  /** Records a change of the contents. */
  void change() {
    version++;
    seen = null;
  }

  /**
   * Remembers contents that the host has read.
   *
   * @param from the offset in bytes
   * @param contents the bytes
   * @param epoch the number of kernel launches before the read
   */
  void see(long from, ByteBuffer contents, long epoch) {
    seen = contents;
    seenFrom = from;
    seenEpoch = epoch;
  }

  /**
   * Returns the remembered bytes if they contain the scalar at an offset and are still valid;
   * otherwise null.
   */
  @Nullable ByteBuffer seen(long offset, int width, long epoch) {
    ByteBuffer contents = seen;
    return contents != null
            && seenEpoch == epoch
            && offset >= seenFrom
            && offset + width <= seenFrom + contents.capacity()
        ? contents
        : null;
  }

  /** Returns the position of an offset in {@link #seen}. */
  int seenAt(long offset) {
    return (int) (offset - seenFrom);
  }

  /**
   * Records that the host has written equal scalars. The remembered bytes are updated if they
   * contain the scalars, and dropped otherwise.
   */
  void write(long offset, int width, long bits, long count, long epoch) {
    ByteBuffer contents =
        width * count <= Integer.MAX_VALUE ? seen(offset, (int) (width * count), epoch) : null;
    if (contents == null) {
      change();
      return;
    }
    version++;
    for (int i = 0; i < count; i++) {
      int at = seenAt(offset + (long) width * i);
      switch (width) {
        case 1 -> contents.put(at, (byte) bits);
        case 2 -> contents.putShort(at, (short) bits);
        case 4 -> contents.putInt(at, (int) bits);
        default -> contents.putLong(at, bits);
      }
    }
  }

  /** Returns the driver's handle of the containing block, or of the block itself. */
  long base() {
    return base;
  }

  /** Returns the serial number of the allocation, from 1. */
  long number() {
    return number;
  }

  void setNumber(long n) {
    number = n;
  }

  /** Tests whether the block is a part of a containing block. */
  boolean isPart() {
    return isPart;
  }

  boolean isInUse() {
    return inUse;
  }

  /**
   * Checks that the block is in the use with the given {@linkplain #number serial number}.
   *
   * @throws IllegalStateException if the block was released since
   */
  void checkUse(long then) {
    if (lost == null && (!inUse || number != then)) {
      throw new IllegalStateException(
          "a value was used after its release: "
              + asked
              + " bytes on device "
              + device.info().name());
    }
  }

  void setInUse(boolean use) {
    inUse = use;
  }

  boolean isLost() {
    return lost != null;
  }

  void lose(String reason) {
    lost = reason;
  }
}
