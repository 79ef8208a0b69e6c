package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.MemoryUse;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool of the blocks of a device's memory: the live ones, and released ones for reuse. A released
 * block can be reused at once, since the queue is in order.
 *
 * <p>If handles are addresses, the smallest blocks are neighbouring parts of longer blocks, so that
 * scalars in several of them can be read in one transfer.
 *
 * <p>A released block serves a request if it is at most a quarter longer, or small. When the device
 * has no more memory, the pool returns released blocks to the driver, the longest first.
 */
final class BufferPool {
  /** The granularity of block sizes in bytes; rounding makes more sizes equal. */
  private static final long GRANULE = 256;

  /** The size in bytes up to which a released block serves every request that fits. */
  private static final long SMALL = 4096;

  /** The size in bytes of the blocks that are divided into parts. */
  private static final long WHOLE = 1 << 16;

  private final Device device;
  private final String name;
  private final long largestBlock;
  private final TreeMap<Long, ArrayDeque<Buffer>> free = new TreeMap<>();
  private final Set<Buffer> live = Collections.newSetFromMap(new IdentityHashMap<>());

  private final ArrayDeque<Buffer> freeParts = new ArrayDeque<>();

  /** The driver's block that is being divided, and the number of bytes already used. */
  private long whole;

  private long wholeTaken = WHOLE;

  /**
   * The total size of live blocks, and the total of their requested sizes; reports contain the
   * latter.
   */
  private long liveBytes;

  private long askedBytes;
  private long freeBytes;
  private long peakBytes;
  private long allocatedBytes;
  private long freedBytes;
  private long allocations;
  private long recycled;
  private long copies;
  private long copiedBytes;

  BufferPool(Device device) {
    this.device = device;
    name = device.info().name();
    largestBlock = device.info().limits().largestBlock();
  }

  /**
   * Allocates a block for a program's array.
   *
   * @param driver the driver
   * @param bytes the least size in bytes
   * @param what the purpose, in words
   * @param place the source position; empty if unknown
   * @throws FutharkError if there is not enough memory, or no block can be that long
   */
  Buffer allocate(Driver driver, long bytes, String what, String place) {
    Buffer buffer = taken(driver, bytes, what, place);
    buffer.setReported(true);
    askedBytes += buffer.asked();
    peakBytes = Math.max(peakBytes, askedBytes);
    allocatedBytes += buffer.asked();
    return buffer;
  }

  /** Allocates a block for data of the run time itself, which reports do not count. */
  Buffer allocateOwn(Driver driver, long bytes, String what) {
    return taken(driver, bytes, what, "");
  }

  private Buffer taken(Driver driver, long bytes, String what, String place) {
    long wanted = Math.max(GRANULE, (Math.max(0, bytes) + GRANULE - 1) / GRANULE * GRANULE);
    if (bytes > largestBlock) {
      throw failure(
          "Cannot allocate "
              + bytes
              + " bytes for "
              + what
              + ": a block on device "
              + name
              + " has at most "
              + largestBlock
              + " bytes.",
          place);
    }
    Buffer buffer = wanted == GRANULE && driver.blocksAreAddresses() ? part(driver) : null;
    if (buffer == null) {
      buffer = takeFree(wanted);
      if (buffer == null) {
        buffer = fresh(driver, wanted, bytes, what, place);
      } else {
        recycled++;
      }
    }
    buffer.setInUse(true);
    buffer.change();
    buffer.setAsked(Math.max(0, bytes));
    live.add(buffer);
    liveBytes += buffer.bytes();
    buffer.setNumber(++allocations);
    return buffer;
  }

  /** Returns a part of a longer block; null if there is no memory. */
  private @Nullable Buffer part(Driver driver) {
    Buffer free = freeParts.pollLast();
    if (free != null) {
      recycled++;
      return free;
    }
    if (wholeTaken == WHOLE) {
      long more =
          liveBytes + freeBytes + WHOLE <= device.info().limits().memory()
              ? driver.allocate(WHOLE)
              : 0;
      if (more == 0) {
        return null;
      }
      whole = more;
      wholeTaken = 0;
    }
    Buffer part = new Buffer(device, whole + wholeTaken, GRANULE, whole, true);
    wholeTaken += GRANULE;
    return part;
  }

  private @Nullable Buffer takeFree(long bytes) {
    Map.Entry<Long, ArrayDeque<Buffer>> best = free.ceilingEntry(bytes);
    if (best == null || best.getKey() > Math.max(SMALL, bytes + bytes / 4)) {
      return null;
    }
    return take(best);
  }

  private Buffer take(Map.Entry<Long, ArrayDeque<Buffer>> size) {
    Buffer buffer = size.getValue().removeLast();
    if (size.getValue().isEmpty()) {
      free.remove(size.getKey());
    }
    freeBytes -= buffer.bytes();
    return buffer;
  }

  private Buffer fresh(Driver driver, long wanted, long bytes, String what, String place) {
    while (true) {
      // If the device shares the host's memory, a driver may allocate more than exists.
      boolean fits = liveBytes + freeBytes + wanted <= device.info().limits().memory();
      long handle = fits ? driver.allocate(wanted) : 0;
      if (handle != 0) {
        return new Buffer(device, handle, wanted, handle, false);
      }
      Map.Entry<Long, ArrayDeque<Buffer>> longest = free.lastEntry();
      if (longest == null) {
        throw outOfMemory(driver, bytes, what, place);
      }
      driver.free(take(longest).rawHandle());
    }
  }

  private FutharkError outOfMemory(Driver driver, long bytes, String what, String place) {
    long unused = driver.freeMemory();
    return failure(
        "Out of memory on device "
            + name
            + ": cannot allocate "
            + bytes
            + " bytes for "
            + what
            + ". This program uses "
            + liveBytes
            + " bytes in "
            + live.size()
            + " blocks, the largest of "
            + live.stream().mapToLong(Buffer::bytes).max().orElse(0)
            + " bytes; the device has "
            + device.info().limits().memory()
            + " bytes"
            + (unused < 0 ? "." : ", of which " + unused + " are free."),
        place);
  }

  private static FutharkError failure(String message, String place) {
    return new FutharkError(
        message, place.isEmpty() ? "" : "-> #0  " + place, FutharkError.Kind.MEMORY);
  }

  /** Releases a block unless it is pinned. */
  void release(Buffer buffer) {
    if (buffer.isPinned()) {
      return;
    }
    if (!buffer.isInUse()) {
      throw new IllegalStateException(
          "released twice: a block of " + buffer.bytes() + " bytes on device " + name);
    }
    buffer.setInUse(false);
    live.remove(buffer);
    liveBytes -= buffer.bytes();
    if (buffer.isReported()) {
      askedBytes -= buffer.asked();
      freedBytes += buffer.asked();
      buffer.setReported(false);
    }
    if (buffer.isLost()) {
      return;
    }
    if (buffer.isPart()) {
      freeParts.addLast(buffer);
    } else {
      free.computeIfAbsent(buffer.bytes(), _ -> new ArrayDeque<>(2)).addLast(buffer);
      freeBytes += buffer.bytes();
    }
  }

  /** Returns an action that releases all blocks allocated since: see {@link Device#savepoint}. */
  Runnable savepoint() {
    long before = allocations;
    return () -> {
      for (Buffer buffer : List.copyOf(live)) {
        if (buffer.number() > before) {
          release(buffer);
        }
      }
    };
  }

  /** Returns all released blocks to the driver. */
  void trim(Driver driver) {
    while (!free.isEmpty()) {
      driver.free(take(free.lastEntry()).rawHandle());
    }
  }

  /**
   * Marks all blocks as lost.
   *
   * @param reason the reason, for messages
   */
  void lose(String reason) {
    for (Buffer buffer : live) {
      buffer.lose(reason);
    }
    free.clear();
    freeParts.clear();
    wholeTaken = WHOLE;
    freeBytes = 0;
  }

  /** Returns the number of copies within the device. */
  long copies() {
    return copies;
  }

  void countCopy(long bytes) {
    copies++;
    copiedBytes += bytes;
  }

  void resetPeak() {
    peakBytes = askedBytes;
  }

  MemoryUse use() {
    return new MemoryUse(
        "space 'device'",
        peakBytes,
        allocatedBytes,
        freedBytes,
        allocations,
        recycled,
        copies,
        copiedBytes);
  }
}
