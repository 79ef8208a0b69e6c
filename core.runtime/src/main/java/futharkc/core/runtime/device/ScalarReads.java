package futharkc.core.runtime.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scalars in blocks that the host has requested. They are transferred when the host waits, or
 * before other work is enqueued. Each transfer takes several microseconds, however short it is. A
 * transfer therefore includes the surroundings of a scalar, which the block {@linkplain Buffer#see
 * remembers}. Neighbouring scalars share a transfer.
 */
final class ScalarReads {
  private static final int MOST = 2048;
  private static final int ALIGNMENT = 8;

  /** A range of a block that is to be transferred. */
  private static final class Window {
    final Buffer buffer;
    final int version;
    final long epoch;
    final long from;
    final int bytes;

    /** The offset in the driver's staging memory. */
    int place;

    Window(Buffer buffer, long epoch, long from, int bytes) {
      this.buffer = buffer;
      this.version = buffer.version();
      this.epoch = epoch;
      this.from = from;
      this.bytes = bytes;
    }

    boolean contains(Buffer other, long offset, int width) {
      return buffer == other && from <= offset && offset + width <= from + bytes;
    }

    long address() {
      return buffer.handle() + from;
    }
  }

  /** The windows that have not been read, in the order of the queue. */
  private final List<Window> windows = new ArrayList<>();

  /** The number of windows whose transfers are in the queue. */
  private int issued;

  /** The bytes of staging memory that are reserved for windows. */
  private int reserved;

  // For each scalar: its bits once they are known, and its location before.
  private long[] bits = new long[16];
  private @Nullable Window[] places = new Window[16];
  private long[] offsets = new long[16];
  private int[] widths = new int[16];
  private int count;

  /** The number of transfers of elements that a program has requested. */
  private long transfers;

  /** The number of bytes of {@link #transfers}. */
  private long transferredBytes;

  /** True if the host has waited since the last request. */
  private boolean awaited = true;

  /** Tests whether the host must wait before the next request, since the staging memory is full. */
  boolean isFull(Driver driver) {
    return reserved + window(driver) > driver.staging().capacity();
  }

  private static int window(Driver driver) {
    return Math.min(MOST, driver.staging().capacity() / 4);
  }

  /**
   * Requests a scalar.
   *
   * @param driver the driver
   * @param buffer the block
   * @param offset the offset in bytes
   * @param width the size of the scalar in bytes
   * @param epoch the number of kernel launches
   * @return the number of the request, for {@link #bits(int)}
   */
  int ask(Driver driver, Buffer buffer, long offset, int width, long epoch) {
    int i = next();
    places[i] = window(driver, buffer, offset, width, epoch);
    offsets[i] = offset;
    widths[i] = width;
    return i;
  }

  /** Adds a request for a scalar that is already known; returns its number. */
  int know(long value) {
    int i = next();
    places[i] = null;
    bits[i] = value;
    return i;
  }

  private int next() {
    if (awaited) {
      awaited = false;
      count = 0;
    }
    if (count == bits.length) {
      bits = Arrays.copyOf(bits, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
      widths = Arrays.copyOf(widths, 2 * count);
    }
    return count++;
  }

  private Window window(Driver driver, Buffer buffer, long offset, int width, long epoch) {
    for (Window window : windows.subList(issued, windows.size())) {
      if (window.contains(buffer, offset, width)) {
        return window;
      }
    }
    int most = window(driver) / ALIGNMENT * ALIGNMENT;
    long end = Math.max(buffer.asked(), offset + width);
    long from = end <= most ? 0 : offset / most * most;
    int bytes = (int) Math.min(end - from, most);
    if (offset + width > from + bytes) {
      from = offset;
      bytes = width;
    }
    Window window = new Window(buffer, epoch, from, bytes);
    windows.add(window);
    reserved += aligned(bytes);
    return window;
  }

  private static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Tests whether there are requests whose transfers are not in the queue. */
  boolean arePending() {
    return issued < windows.size();
  }

  /** Tests whether all requested scalars are known. */
  boolean areKnown() {
    return windows.isEmpty();
  }

  /** Returns the number of bytes of the transfers that are not in the queue. */
  int pendingBytes() {
    return windows.subList(issued, windows.size()).stream().mapToInt(w -> w.bytes).sum();
  }

  /** Enqueues the transfers of all requests. */
  void issue(Driver driver) {
    List<Window> pending = windows.subList(issued, windows.size());
    int taken = reserved;
    for (Window window : pending) {
      taken -= aligned(window.bytes);
    }
    issued = windows.size();
    if (pending.size() > 1
        && driver.blocksAreAddresses()
        && issueTogether(driver, pending, taken)) {
      return;
    }
    for (Window window : pending) {
      window.place = taken;
      driver.readLater(window.buffer.handle(), window.from, taken, window.bytes);
      if (window.buffer.isReported()) {
        transfers++;
        transferredBytes += window.bytes;
      }
      taken += aligned(window.bytes);
    }
  }

  /**
   * Enqueues a single transfer for all windows if they are near each other in one of the driver's
   * blocks; returns true if so.
   */
  private boolean issueTogether(Driver driver, List<Window> pending, int taken) {
    long least = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Window window : pending) {
      if (window.buffer.base() != pending.getFirst().buffer.base()) {
        return false;
      }
      least = Math.min(least, window.address());
      end = Math.max(end, window.address() + window.bytes);
    }
    if (end - least > driver.staging().capacity() - taken) {
      return false;
    }
    driver.readLater(least, 0, taken, end - least);
    transfers++;
    transferredBytes += end - least;
    for (Window window : pending) {
      window.place = taken + (int) (window.address() - least);
    }
    reserved = taken + aligned((int) (end - least));
    return true;
  }

  /** Returns the number of transfers that contain elements of a program. */
  long transfers() {
    return transfers;
  }

  /** Returns the number of bytes of {@link #transfers}. */
  long transferredBytes() {
    return transferredBytes;
  }

  /** Reads the transferred scalars from the staging memory; the queue is empty. */
  void settle(Driver driver) {
    ByteBuffer staging = driver.staging();
    for (int i = 0; i < count; i++) {
      Window window = places[i];
      if (window != null) {
        bits[i] = bits(staging, window.place + (int) (offsets[i] - window.from), widths[i]);
        places[i] = null;
      }
    }
    for (Window window : windows) {
      if (window.buffer.version() == window.version) {
        byte[] contents = new byte[window.bytes];
        staging.get(window.place, contents);
        window.buffer.see(
            window.from, ByteBuffer.wrap(contents).order(ByteOrder.nativeOrder()), window.epoch);
      }
    }
    windows.clear();
    issued = 0;
    reserved = 0;
  }

  /** Returns a scalar in memory, zero-extended. */
  static long bits(ByteBuffer memory, int at, int width) {
    return switch (width) {
      case 1 -> memory.get(at) & 0xffL;
      case 2 -> memory.getShort(at) & 0xffffL;
      case 4 -> memory.getInt(at) & 0xffff_ffffL;
      default -> memory.getLong(at);
    };
  }

  /** Ends a series of requests after the host has waited; the next request has number 0. */
  void finish() {
    awaited = true;
  }

  /** Returns the bits of a known scalar, zero-extended. */
  long bits(int i) {
    return bits[i];
  }

  /** Drops all requests. */
  void forget() {
    windows.clear();
    Arrays.fill(places, null);
    issued = 0;
    reserved = 0;
    count = 0;
    awaited = true;
  }
}
