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
 * The blocks of a device's memory: those in use, and those that were given back and can be used
 * again. Since the queue is in order, a block can be handed out again at once.
 *
 * <p>Where handles are addresses, the shortest blocks are parts of longer ones, next to each other,
 * so that scalars in them can be read together.
 *
 * <p>A block fits if it is at most a quarter longer than what is asked for, or small. When the
 * device has no more memory, blocks that nobody uses are returned to the driver, the longest first,
 * until there is enough.
 */
final class BufferPool {
  /** Sizes are rounded up to this, so that more of them are equal. */
  private static final long GRANULE = 256;

  /** Below this, any block that is long enough fits. */
  private static final long SMALL = 4096;

  /** What the shortest blocks are parts of. */
  private static final long WHOLE = 1 << 16;

  private final Device device;
  private final String name;
  private final long largestBlock;
  private final TreeMap<Long, ArrayDeque<Buffer>> free = new TreeMap<>();
  private final Set<Buffer> live = Collections.newSetFromMap(new IdentityHashMap<>());

  private final ArrayDeque<Buffer> freeParts = new ArrayDeque<>();

  /** The driver's block of which parts are being taken, and how much of it has been. */
  private long whole;

  private long wholeTaken = WHOLE;

  /** What the blocks in use have, and what was asked for: reports say that. */
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
   * A block of at least that many bytes.
   *
   * @param what it is for, in words
   * @param place in the program; empty if not known
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

  /**
   * Likewise, for what the run time keeps for itself beside a program's arrays: reports don't count
   * it.
   */
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

  /** A part of a longer block; null if there is no memory for one. */
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
      // Where memory is the host's, a driver gives more than there is.
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
            + (unused < 0 ? "." : ", of which nobody uses " + unused + "."),
        place);
  }

  private static FutharkError failure(String message, String place) {
    return new FutharkError(message, place.isEmpty() ? "" : "-> #0  " + place);
  }

  /** Takes a block back, unless it is pinned. */
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

  /** As {@link Device#savepoint}. */
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

  /** Returns what nobody uses to the driver. */
  void trim(Driver driver) {
    while (!free.isEmpty()) {
      driver.free(take(free.lastEntry()).rawHandle());
    }
  }

  /** Says that everything on the device is gone. */
  void lose(String reason) {
    for (Buffer buffer : live) {
      buffer.lose(reason);
    }
    free.clear();
    freeParts.clear();
    wholeTaken = WHOLE;
    freeBytes = 0;
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
