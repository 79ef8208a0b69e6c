package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
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
  private long number;

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
