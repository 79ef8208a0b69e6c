package futharkc.core.runtime.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scalars in blocks that the host has requested. Requests form batches. A batch ends before
 * other work is enqueued: its transfers are then in the queue, with an event behind them. The host
 * waits for the event of a batch, or for the whole queue if there is no other work behind the
 * transfers.
 *
 * <p>Each transfer takes several microseconds, however short it is. A transfer therefore includes
 * the surroundings of a scalar, which the block {@linkplain Buffer#see remembers}. Neighbouring
 * scalars share a transfer.
 */
final class ScalarReads {
  private static final int MOST = 2048;
  private static final int ALIGNMENT = 8;

  /** Windows whose transfers have no other work between them. */
  static final class Batch {
    private final List<Window> windows = new ArrayList<>();

    /** The number of windows whose transfers are in the queue. */
    private int issued;

    /** The driver's event behind the transfers; 0 if the batch has not ended. */
    private long event;

    /** The requests for failure words, as of the event. */
    private int[] words = {};

    /** Returns the driver's event behind the transfers; 0 if the batch has not ended. */
    long event() {
      return event;
    }

    /** Returns the requests for failure words, as of the event. */
    int[] words() {
      return words;
    }

    private List<Window> pending() {
      return windows.subList(issued, windows.size());
    }
  }

  /** A range of a block that is to be transferred. */
  private static final class Window {
    final Batch batch;
    final Buffer buffer;
    final int version;
    final long epoch;
    final long from;
    final int bytes;

    /** The offset in the driver's staging memory. */
    int place;

    /** True if the transfer is complete. */
    boolean isComplete;

    Window(Batch batch, Buffer buffer, long epoch, long from, int bytes) {
      this.batch = batch;
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

  /** The batches that have ended and are not complete, in the order of the queue. */
  private final ArrayDeque<Batch> ended = new ArrayDeque<>();

  /** The batch of the next requests. */
  private Batch current = new Batch();

  /** The bytes of staging memory that are reserved for windows. */
  private int reserved;

  // For each request: the scalar's bits once they are known, and its location before.
  private long[] bits = new long[16];
  private @Nullable Window[] places = new Window[16];
  private long[] offsets = new long[16];
  private int[] widths = new int[16];
  private int count;

  /** The numbers of answered requests, which later requests get. */
  private int[] free = new int[16];

  private int freeCount;

  /** The number of transfers of elements that a program has requested. */
  private long transfers;

  /** The number of bytes of {@link #transfers}. */
  private long transferredBytes;

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
   * @return the number of the request, for {@link #answer}
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
    if (freeCount > 0) {
      return free[--freeCount];
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
    for (Window window : current.pending()) {
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
    Window window = new Window(current, buffer, epoch, from, bytes);
    current.windows.add(window);
    reserved += aligned(bytes);
    return window;
  }

  private static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Tests whether the current batch has requests. */
  boolean areOpen() {
    return !current.windows.isEmpty();
  }

  /**
   * Tests whether the current batch has a request of a block whose transfer is not in the queue.
   */
  boolean arePending(Buffer buffer) {
    for (Window window : current.pending()) {
      if (window.buffer == buffer) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether all requested scalars are known. */
  boolean areKnown() {
    return current.windows.isEmpty() && ended.isEmpty();
  }

  /** Returns the number of bytes of the requested transfers that are not in the queue. */
  int pendingBytes() {
    return current.pending().stream().mapToInt(w -> w.bytes).sum();
  }

  /** Enqueues the transfers of all requests. */
  void issue(Driver driver) {
    List<Window> pending = current.pending();
    int taken = reserved;
    for (Window window : pending) {
      taken -= aligned(window.bytes);
    }
    current.issued = current.windows.size();
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

  /**
   * Ends the current batch, whose transfers are in the queue.
   *
   * @param event the driver's event behind the transfers
   * @param words the requests for failure words
   */
  void end(long event, int[] words) {
    current.event = event;
    current.words = words;
    ended.add(current);
    current = new Batch();
  }

  /** Returns the number of transfers that contain elements of a program. */
  long transfers() {
    return transfers;
  }

  /** Returns the number of bytes of {@link #transfers}. */
  long transferredBytes() {
    return transferredBytes;
  }

  /** Returns the batch of a request; null if the scalar is known. */
  @Nullable Batch batch(int i) {
    Window window = places[i];
    return window == null ? null : window.batch;
  }

  /** Tests whether a batch is later in the queue than another one. */
  boolean isLater(Batch batch, Batch than) {
    if (batch == than || than == current) {
      return false;
    }
    for (Batch b : ended) {
      if (b == batch || b == than) {
        return b == than;
      }
    }
    return false;
  }

  /** Reads the scalars of all batches from the staging memory; the queue is empty. */
  void settle(Driver driver) {
    Batch last = current;
    current = new Batch();
    settleEnded(driver, null);
    settle(driver, last);
    reserved = 0;
  }

  /**
   * Reads the scalars up to a batch from the staging memory; the batch's event has happened. The
   * requests of the batch for failure words stay open.
   */
  void settle(Driver driver, long event) {
    settleEnded(driver, event);
    if (areKnown()) {
      reserved = 0;
    }
  }

  private void settleEnded(Driver driver, @Nullable Long until) {
    while (!ended.isEmpty()) {
      Batch batch = ended.remove();
      driver.discard(batch.event);
      settle(driver, batch);
      if (until != null && batch.event == until) {
        return;
      }
      // Later failure words contain the failures of earlier ones.
      for (int word : batch.words) {
        answer(word);
      }
    }
  }

  private void settle(Driver driver, Batch batch) {
    if (batch.windows.isEmpty()) {
      return;
    }
    ByteBuffer staging = driver.staging();
    for (Window window : batch.windows) {
      window.isComplete = true;
      if (window.buffer.version() == window.version) {
        byte[] contents = new byte[window.bytes];
        staging.get(window.place, contents);
        window.buffer.see(
            window.from, ByteBuffer.wrap(contents).order(ByteOrder.nativeOrder()), window.epoch);
      }
    }
    for (int i = 0; i < count; i++) {
      Window window = places[i];
      if (window != null && window.isComplete) {
        bits[i] = bits(staging, window.place + (int) (offsets[i] - window.from), widths[i]);
        places[i] = null;
      }
    }
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

  /** Returns the bits of a known scalar, zero-extended, and ends its request. */
  long answer(int i) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = i;
    return bits[i];
  }

  /** Drops all requests after the failure of a call. */
  void abandon(Driver driver) {
    for (Batch batch : ended) {
      driver.discard(batch.event);
    }
    forget();
  }

  /** Drops all requests, after the loss of the device. */
  void forget() {
    ended.clear();
    current = new Batch();
    Arrays.fill(places, null);
    reserved = 0;
    count = 0;
    freeCount = 0;
  }
}
