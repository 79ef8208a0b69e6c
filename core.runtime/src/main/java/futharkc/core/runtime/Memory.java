package futharkc.core.runtime;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A memory space of the host. It creates and recycles blocks, and counts them.
 *
 * <p>A block is one primitive Java array. The JVM zeroes each new array, and fresh pages are slow
 * at their first touch; so the memory keeps released blocks for later requests. <b>The contents of
 * a block are undefined, and it may be longer than requested.</b>
 *
 * <p>All methods may be called from any thread. Large blocks require a lock; small blocks are not
 * recycled, and cost little more than {@code new}.
 *
 * <p>The parameter {@code place} of methods that return blocks is that of {@link #acquire}.
 */
public final class Memory implements ValueSpace {
  /** The largest number of elements of a block. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  /**
   * The size of the smallest recycled block, in bytes; the garbage collector frees smaller blocks.
   */
  public static final int SMALLEST_KEPT = 4096;

  private final String space;
  private final long maxFreeBytes;
  private final @Nullable Map<Object, Boolean> liveBlocks;

  private final Map<Class<?>, TreeMap<Integer, ArrayDeque<FreeBlock>>> free =
      new IdentityHashMap<>();
  private final ArrayDeque<FreeBlock> freeByAge = new ArrayDeque<>();

  /** The pinned blocks; an immutable set that is replaced as a whole. */
  private volatile Set<Object> pinned = Set.of();

  private final MemoryAccount account = new MemoryAccount();
  private long freeBytes;
  private int freeCount;

  private long recycled;
  private long copies;
  private long bytesCopied;

  private static final class FreeBlock {
    final int length;
    final long bytes;
    @Nullable Object block;

    FreeBlock(Object block, int length, long bytes) {
      this.block = block;
      this.length = length;
      this.bytes = bytes;
    }
  }

  /**
   * Creates an empty memory.
   *
   * @param space the name of the space, {@code default} for the host's
   * @param maxFreeBytes the largest total size of released blocks that are kept, in bytes
   * @param checked true to check that each released block is live: slow, for debugging
   */
  public Memory(String space, long maxFreeBytes, boolean checked) {
    this.space = space;
    this.maxFreeBytes = maxFreeBytes;
    this.liveBlocks = checked ? new IdentityHashMap<>() : null;
  }

  /** Returns a block of at least {@code n} 8-bit integers; a negative {@code n} counts as 0. */
  public byte[] bytes(long n, String place) {
    return (byte[]) acquire(ElemType.I8, n, place);
  }

  /**
   * Returns a block of at least {@code n} 16-bit integers or {@code f16}s; a negative {@code n}
   * counts as 0.
   */
  public short[] shorts(long n, String place) {
    return (short[]) acquire(ElemType.I16, n, place);
  }

  /** Returns a block of at least {@code n} 32-bit integers; a negative {@code n} counts as 0. */
  public int[] ints(long n, String place) {
    return (int[]) acquire(ElemType.I32, n, place);
  }

  /** Returns a block of at least {@code n} 64-bit integers; a negative {@code n} counts as 0. */
  public long[] longs(long n, String place) {
    return (long[]) acquire(ElemType.I64, n, place);
  }

  /** Returns a block of at least {@code n} {@code f32}s; a negative {@code n} counts as 0. */
  public float[] floats(long n, String place) {
    return (float[]) acquire(ElemType.F32, n, place);
  }

  /** Returns a block of at least {@code n} {@code f64}s; a negative {@code n} counts as 0. */
  public double[] doubles(long n, String place) {
    return (double[]) acquire(ElemType.F64, n, place);
  }

  /** Returns a block of at least {@code n} booleans; a negative {@code n} counts as 0. */
  public boolean[] booleans(long n, String place) {
    return (boolean[]) acquire(ElemType.BOOL, n, place);
  }

  /**
   * Returns a block of at least {@code n} elements of a type; a negative {@code n} counts as 0.
   *
   * @param type the element type
   * @param n the number of elements
   * @param place the source position, as in {@code file.fut:3:5-9}, for messages; empty if unknown
   * @throws FutharkError if there is not enough memory, or a Java array cannot be that long
   */
  public Object acquire(ElemType type, long n, String place) {
    if (n > MAX_LENGTH) {
      throw failure(
          place,
          "Cannot allocate an array of "
              + n
              + " elements of type "
              + type
              + ": one block holds at most "
              + MAX_LENGTH
              + ".");
    }
    int length = (int) Math.max(n, 0);
    Object block = null;
    if ((long) length * type.bytes() >= SMALLEST_KEPT) {
      block = takeFree(type, length);
    }
    if (block == null) {
      block = allocate(type, length, place);
    }
    account(block);
    return block;
  }

  private Object allocate(ElemType type, int length, String place) {
    try {
      return type.newArray(length);
    } catch (OutOfMemoryError first) {
      clear();
      try {
        return type.newArray(length);
      } catch (OutOfMemoryError second) {
        throw outOfMemory((long) length * type.bytes(), place);
      }
    }
  }

  private FutharkError outOfMemory(long bytes, String place) {
    return failure(
        place,
        "Out of memory: cannot allocate "
            + bytes
            + " bytes in "
            + space
            + " space, where "
            + liveBytes()
            + " bytes are in use; the Java heap is limited to "
            + Runtime.getRuntime().maxMemory()
            + " bytes.");
  }

  private static FutharkError failure(String place, String message) {
    return new FutharkError(
        message, place.isEmpty() ? "" : "-> #0  " + place, FutharkError.Kind.MEMORY);
  }

  private synchronized @Nullable Object takeFree(ElemType type, int length) {
    TreeMap<Integer, ArrayDeque<FreeBlock>> lengths = free.get(carrier(type));
    if (lengths == null) {
      return null;
    }
    Map.Entry<Integer, ArrayDeque<FreeBlock>> best = lengths.ceilingEntry(length);
    if (best == null || best.getKey() - length > length / 4) {
      return null;
    }
    ArrayDeque<FreeBlock> blocks = best.getValue();
    FreeBlock entry = blocks.removeLast();
    if (blocks.isEmpty()) {
      lengths.remove(best.getKey());
    }
    Object block = entry.block;
    entry.block = null;
    freeBytes -= entry.bytes;
    freeCount--;
    recycled++;
    return block;
  }

  private void account(Object block) {
    long bytes = sizeInBytes(block);
    account.allocate(bytes, bytes < SMALLEST_KEPT);
    if (liveBlocks != null && Array.getLength(block) > 0) {
      synchronized (this) {
        liveBlocks.put(block, true);
      }
    }
  }

  /**
   * Counts a block that other code has created, such as a program's input, as a block of this
   * memory.
   */
  public void adopt(Object block) {
    account(block);
  }

  @Override
  public ArrayValue adopt(ArrayValue array) {
    ArrayValue here = array.onHost();
    adopt(here.data());
    return here;
  }

  @Override
  public ArrayValue copy(ArrayValue array) {
    int n = array.length();
    Object data = acquire(array.elemType(), n, "");
    array.store().read(array.elemType(), 0, data, 0, n);
    countCopy(array.bytes());
    return new ArrayValue(array.elemType(), array.shape(), data);
  }

  @Override
  public void release(ArrayStore store) {
    if (store instanceof HostArray array) {
      release(array.data());
    }
  }

  /**
   * Releases a block, which must not be used afterwards. Pinned blocks stay live.
   *
   * @param block a live block of this memory, or any empty block
   */
  public void release(Object block) {
    if (Array.getLength(block) == 0) {
      return;
    }
    Set<Object> kept = pinned;
    if (!kept.isEmpty() && kept.contains(block)) {
      return;
    }
    long bytes = sizeInBytes(block);
    if (liveBlocks != null) {
      synchronized (this) {
        if (liveBlocks.remove(block) == null) {
          throw new IllegalStateException(
              "released twice, or never acquired: a block of " + bytes + " bytes");
        }
      }
    }
    account.free(bytes, bytes < SMALLEST_KEPT);
    if (bytes >= SMALLEST_KEPT && bytes <= maxFreeBytes) {
      keep(block, bytes);
    }
  }

  private synchronized void keep(Object block, long bytes) {
    while (freeBytes + bytes > maxFreeBytes) {
      dropOldest();
    }
    FreeBlock entry = new FreeBlock(block, Array.getLength(block), bytes);
    TreeMap<Integer, ArrayDeque<FreeBlock>> lengths = free.get(block.getClass());
    if (lengths == null) {
      lengths = new TreeMap<>();
      free.put(block.getClass(), lengths);
    }
    ArrayDeque<FreeBlock> blocks = lengths.get(entry.length);
    if (blocks == null) {
      blocks = new ArrayDeque<>(2);
      lengths.put(entry.length, blocks);
    }
    blocks.addLast(entry);
    freeBytes += bytes;
    freeCount++;
    freeByAge.addLast(entry);
    if (freeByAge.size() > 2 * freeCount + 64) {
      freeByAge.removeIf(e -> e.block == null);
    }
  }

  private void dropOldest() {
    FreeBlock oldest = freeByAge.removeFirst();
    Object block = oldest.block;
    if (block == null) {
      return;
    }
    TreeMap<Integer, ArrayDeque<FreeBlock>> lengths = free.get(block.getClass());
    if (lengths != null) {
      ArrayDeque<FreeBlock> blocks = lengths.get(oldest.length);
      if (blocks != null) {
        blocks.remove(oldest);
        if (blocks.isEmpty()) {
          lengths.remove(oldest.length);
        }
      }
    }
    oldest.block = null;
    freeBytes -= oldest.bytes;
    freeCount--;
  }

  /**
   * Returns an action that removes from the counts all blocks allocated since. The garbage
   * collector frees the blocks.
   */
  @Override
  public synchronized Runnable savepoint() {
    long live = liveBytes();
    Set<Object> pins = pinned;
    Set<Object> blocks = liveBlocks == null ? null : identities(liveBlocks.keySet());
    return () -> {
      synchronized (this) {
        account.setLive(live);
        pinned = pins;
        if (liveBlocks != null && blocks != null) {
          liveBlocks.keySet().retainAll(blocks);
        }
      }
    };
  }

  private static Set<Object> identities(Set<Object> blocks) {
    Set<Object> set = Collections.newSetFromMap(new IdentityHashMap<>());
    set.addAll(blocks);
    return set;
  }

  /** Pins a block: the block stays live as long as the program. */
  public synchronized void pin(Object block) {
    Set<Object> all = identities(pinned);
    all.add(block);
    pinned = all;
  }

  /** Drops all recycled blocks, so that the garbage collector can free them. */
  public synchronized void clear() {
    free.clear();
    freeByAge.clear();
    freeBytes = 0;
    freeCount = 0;
  }

  /** Counts a copy of an array, or of a part of an array, for the report. */
  public synchronized void countCopy(long bytes) {
    copies++;
    bytesCopied += bytes;
  }

  /** Returns the size of a block in bytes. */
  public static long sizeInBytes(Object block) {
    return switch (block) {
      case byte[] a -> a.length;
      case short[] a -> 2L * a.length;
      case int[] a -> 4L * a.length;
      case long[] a -> 8L * a.length;
      case float[] a -> 4L * a.length;
      case double[] a -> 8L * a.length;
      case boolean[] a -> a.length;
      default -> throw new IllegalArgumentException("not a primitive array");
    };
  }

  private static Class<?> carrier(ElemType type) {
    return switch (type) {
      case I8, U8 -> byte[].class;
      case I16, U16, F16 -> short[].class;
      case I32, U32 -> int[].class;
      case I64, U64 -> long[].class;
      case F32 -> float[].class;
      case F64 -> double[].class;
      case BOOL -> boolean[].class;
      case UNIT -> throw new IllegalArgumentException("there are no arrays of unit");
    };
  }

  /** Returns the name of the space. */
  public String space() {
    return space;
  }

  /** Returns the number of bytes in live blocks. */
  public long liveBytes() {
    return account.live();
  }

  /** Returns the largest number of live bytes so far. */
  public long peakBytes() {
    return account.peak();
  }

  /** Returns the number of bytes acquired or adopted so far. */
  public long bytesAllocated() {
    return account.allocated();
  }

  /** Returns the number of bytes released so far. */
  public long bytesFreed() {
    return account.freed();
  }

  /** Returns the number of blocks acquired or adopted so far. */
  public long allocations() {
    return account.allocations();
  }

  /** Returns the number of requests that a recycled block has served. */
  public synchronized long recycled() {
    return recycled;
  }

  /** Returns the number of copies so far. */
  public synchronized long copies() {
    return copies;
  }

  /** Returns the number of bytes copied so far. */
  public synchronized long bytesCopied() {
    return bytesCopied;
  }

  /** Returns all counts of this memory. */
  public synchronized MemoryUse use() {
    return new MemoryUse(
        space + " space",
        account.peak(),
        account.allocated(),
        account.freed(),
        account.allocations(),
        recycled,
        copies,
        bytesCopied);
  }

  /** Resets the peak to the current use. */
  public void resetPeak() {
    account.resetPeak();
  }
}
