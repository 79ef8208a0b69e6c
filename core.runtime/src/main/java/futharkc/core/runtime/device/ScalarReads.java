package futharkc.core.runtime.device;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Scalars of blocks that the host asks for. They are read when it waits, or before anything else is
 * put into the queue: those that lie near each other in one transfer, the others in one each. A
 * transfer takes a device several microseconds, however short it is.
 *
 * <p>Transfers of their own go to the first half of the driver's staging memory, common ones to the
 * second.
 */
final class ScalarReads {
  private static final int SLOT = 8;

  /** The bits of those that have been read; those from {@link #settled} on are on their way. */
  private long[] bits = new long[16];

  // Of those that have not been read, from `settled` on.
  private Buffer[] buffers = new Buffer[16];
  private long[] offsets = new long[16];
  private int[] widths = new int[16];
  private int[] places = new int[16];

  private int count;
  private int issued;
  private int settled;

  /** Bytes of the staging memory's second half that are taken. */
  private int taken;

  /** Whether the host has waited since it asked for the last one. */
  private boolean awaited = true;

  /** How many more can be asked for before somebody has to wait. */
  int room(Driver driver) {
    return half(driver) / SLOT - (awaited ? 0 : count - settled);
  }

  private static int half(Driver driver) {
    return driver.staging().capacity() / 2;
  }

  /**
   * Asks for a scalar.
   *
   * @return what {@link #bits} takes
   */
  int ask(Buffer buffer, long offset, int width) {
    if (awaited) {
      forget();
      awaited = false;
    }
    int i = count - settled;
    if (i == buffers.length) {
      buffers = Arrays.copyOf(buffers, 2 * i);
      offsets = Arrays.copyOf(offsets, 2 * i);
      widths = Arrays.copyOf(widths, 2 * i);
      places = Arrays.copyOf(places, 2 * i);
    }
    buffers[i] = buffer;
    offsets[i] = offset;
    widths[i] = width;
    return count++;
  }

  /** Whether some have been asked for whose transfer is not in the queue. */
  boolean arePending() {
    return issued < count;
  }

  /** The bytes of those that {@link #arePending}. */
  int pendingBytes() {
    int bytes = 0;
    for (int i = issued - settled; i < count - settled; i++) {
      bytes += widths[i];
    }
    return bytes;
  }

  /** Puts the transfers of those that {@link #arePending} into the queue. */
  void issue(Driver driver) {
    int from = issued - settled;
    int to = count - settled;
    issued = count;
    if (to - from > 1 && driver.blocksAreAddresses() && issueTogether(driver, from, to)) {
      return;
    }
    for (int i = from; i < to; i++) {
      places[i] = SLOT * i;
      driver.readLater(buffers[i].handle(), offsets[i], places[i], widths[i]);
    }
  }

  /** If all are in one block of the driver's, and near each other. */
  private boolean issueTogether(Driver driver, int from, int to) {
    long least = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      if (buffers[i].base() != buffers[from].base()) {
        return false;
      }
      long address = buffers[i].handle() + offsets[i];
      least = Math.min(least, address);
      end = Math.max(end, address + widths[i]);
    }
    int half = half(driver);
    if (end - least > half - taken) {
      return false;
    }
    driver.readLater(least, 0, half + taken, end - least);
    for (int i = from; i < to; i++) {
      places[i] = half + taken + (int) (buffers[i].handle() + offsets[i] - least);
    }
    taken += (int) (end - least + SLOT - 1) / SLOT * SLOT;
    return true;
  }

  /** Takes what has been transferred out of the staging memory: the queue is empty. */
  void settle(Driver driver) {
    ByteBuffer staging = driver.staging();
    if (count > bits.length) {
      bits = Arrays.copyOf(bits, 2 * count);
    }
    for (int i = 0; i < count - settled; i++) {
      int at = places[i];
      bits[settled + i] =
          switch (widths[i]) {
            case 1 -> staging.get(at) & 0xffL;
            case 2 -> staging.getShort(at) & 0xffffL;
            case 4 -> staging.getInt(at) & 0xffff_ffffL;
            default -> staging.getLong(at);
          };
    }
    settled = count;
    taken = 0;
  }

  /** Says that the host has waited for all: the next one that is asked for is the first again. */
  void finish() {
    awaited = true;
  }

  /** The bits of one that has been read, zero-extended. */
  long bits(int i) {
    return bits[i];
  }

  /** Asks for none of them any more. */
  void forget() {
    Arrays.fill(buffers, null);
    awaited = true;
    count = 0;
    issued = 0;
    settled = 0;
    taken = 0;
  }
}
