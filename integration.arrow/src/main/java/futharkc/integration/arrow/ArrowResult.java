package futharkc.integration.arrow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one result, which becomes an Arrow vector without a copy.
 *
 * <pre>{@code
 * try (ArrowResult memory = new ArrowResult(allocator)) {
 *   library.scale(memory, 2.0, ArrowSegments.of(xs));
 *   Float8Vector ys = memory.into(new Float8Vector("ys", allocator));
 * }
 * }</pre>
 */
public final class ArrowResult implements SegmentAllocator, AutoCloseable {
  private final BufferAllocator allocator;
  private @Nullable ArrowBuf data;
  private long bytes;

  /** Creates memory that an allocator of Arrow will provide. */
  public ArrowResult(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Allocates the memory of the result; called by the method of a library.
   *
   * @throws IllegalStateException if the memory has been allocated before
   * @throws IllegalArgumentException if the result has 2 GiB or more
   */
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (data != null) {
      throw new IllegalStateException("this memory has a result: make new memory for each result");
    }
    if (byteSize > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a result of " + byteSize + " bytes is too large");
    }
    ArrowBuf made = allocator.buffer(Math.max(8, byteSize));
    data = made;
    bytes = byteSize;
    return MemorySegment.ofBuffer(made.nioBuffer(0, (int) byteSize).order(ByteOrder.nativeOrder()));
  }

  /**
   * Moves the result into an empty vector, which then owns the memory.
   *
   * @param vector a vector of numbers of the result's type
   * @return the vector
   * @throws IllegalStateException if there is no result
   */
  public <V extends BaseFixedWidthVector> V into(V vector) {
    ArrowBuf elements = data;
    if (elements == null) {
      throw new IllegalStateException("there is no result");
    }
    int n = Math.toIntExact(bytes / vector.getTypeWidth());
    elements.writerIndex(bytes);
    try (ArrowBuf valid = allocator.buffer(Math.max(8, (n + 63L) / 64 * 8))) {
      valid.setOne(0, valid.capacity());
      valid.writerIndex((n + 7L) / 8);
      vector.loadFieldBuffers(new ArrowFieldNode(n, 0), List.of(valid, elements));
    }
    elements.close();
    data = null;
    return vector;
  }

  /** Frees the memory, unless a vector owns it. */
  @Override
  public void close() {
    if (data != null) {
      data.close();
      data = null;
    }
  }
}
