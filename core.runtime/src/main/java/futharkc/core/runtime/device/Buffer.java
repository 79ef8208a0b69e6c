package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block of a device's memory. Its contents are undefined at first, and it may be longer than
 * asked for. A block that is given back must not be used any more.
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

  /** How often the host has changed it. */
  private int version;

  /** What the host has seen of it, from {@link #seenFrom} on, as long as no kernel runs. */
  private @Nullable ByteBuffer seen;

  private long seenFrom;
  private long seenEpoch;

  /** Why it can never be used again; null as long as it can. */
  private @Nullable String lost;

  /**
   * A block.
   *
   * @param base the driver's handle of what it is a part of; its own if it is whole
   * @param isPart whether others have the same base
   */
  Buffer(Device device, long handle, long bytes, long base, boolean isPart) {
    this.device = device;
    this.handle = handle;
    this.bytes = bytes;
    this.base = base;
    this.isPart = isPart;
  }

  /** The device that it is on. */
  public Device device() {
    return device;
  }

  /** Its size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** How many bytes of it were asked for. */
  public long asked() {
    return asked;
  }

  /** Whether reports count it: it is in use for a program's arrays, not for the run time itself. */
  boolean isReported() {
    return reported;
  }

  void setReported(boolean now) {
    reported = now;
  }

  void setAsked(long size) {
    asked = size;
  }

  /** Keeps it from being given back: the program needs it as long as it is loaded. */
  public void pin() {
    pinned = true;
  }

  boolean isPinned() {
    return pinned;
  }

  /** Gives it back, unless it is pinned. Work that is in the queue already can still use it. */
  public void release() {
    device.release(this);
  }

  /**
   * The driver's handle.
   *
   * @throws FutharkError if it was lost with everything else on the device
   */
  long handle() {
    if (lost != null) {
      throw new FutharkError("A value on the device is lost: " + lost);
    }
    return handle;
  }

  /** The driver's handle, whatever has happened to it. */
  long rawHandle() {
    return handle;
  }

  // What the host knows of its contents.

  int version() {
    return version;
  }

  /** Says that the contents are other ones now. */
  void change() {
    version++;
    seen = null;
  }

  /**
   * Remembers contents.
   *
   * @param epoch how many kernels had been launched
   */
  void see(long from, ByteBuffer contents, long epoch) {
    seen = contents;
    seenFrom = from;
    seenEpoch = epoch;
  }

  /** What is remembered of it, if that has a scalar; null if not, or if it may have changed. */
  @Nullable ByteBuffer seen(long offset, int width, long epoch) {
    ByteBuffer contents = seen;
    return contents != null
            && seenEpoch == epoch
            && offset >= seenFrom
            && offset + width <= seenFrom + contents.capacity()
        ? contents
        : null;
  }

  /** The position of an offset in {@link #seen}. */
  int seenAt(long offset) {
    return (int) (offset - seenFrom);
  }

  /** Says that the host has written scalars, and remembers them if their neighbours are. */
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

  /** The driver's handle of what it is a part of. */
  long base() {
    return base;
  }

  /** How many blocks had been taken when it was, this one included. */
  long number() {
    return number;
  }

  void setNumber(long n) {
    number = n;
  }

  /** Whether it shares its base with others. */
  boolean isPart() {
    return isPart;
  }

  boolean isInUse() {
    return inUse;
  }

  /**
   * Checks that it is used as it was when it had that {@linkplain #number number}.
   *
   * @throws IllegalStateException if it was given back since
   */
  void checkUse(long then) {
    if (lost == null && (!inUse || number != then)) {
      throw new IllegalStateException(
          "a value was released, and cannot be used any more: "
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
